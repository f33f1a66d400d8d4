// Runs a private PgBouncer in front of the tests' PostgreSQL, if PgBouncer is installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from './server-process.ts';
import { isListening } from './is-listening.ts';
import { adaptDeployFile } from './deploy-file.ts';
import { until } from './until.ts';

export interface PgBouncer {
  /** Returns the connection string with the pooler's port. */
  throughPooler(uri: string): string;
  stop(): Promise<void>;
}

/** For example 1.18; undefined if PgBouncer is not installed. */
export const PGBOUNCER_VERSION: number | undefined = readVersion();

/** Server connections per database and user: fewer than the number of clients. */
const POOL_SIZE = 2;

export async function startPgBouncer(databaseUri: string, users: readonly string[]): Promise<PgBouncer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rowhouse-pgbouncer-'));
  const port = await findFreePort();
  const userFile = path.join(folder, 'users.txt');
  const configFile = path.join(folder, 'pgbouncer.ini');
  await writeFile(userFile, users.map((user) => `"${user}" ""\n`).join(''));
  await writeFile(configFile, renderConfig({ databasePort: new URL(databaseUri).port, port, userFile }));
  await chmod(folder, 0o755);
  // PgBouncer refuses to run as root.
  const unprivileged = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  const child = spawn('pgbouncer', ['--quiet', ...unprivileged, configFile], { stdio: 'ignore' });
  const why = (): string => `PgBouncer does not listen (exit code ${child.exitCode})`;
  await until(() => isListening(child, port, why), { why });
  return {
    throughPooler: (uri) => Object.assign(new URL(uri), { port: String(port) }).href,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

function renderConfig(parts: { databasePort: string; port: number; userFile: string }): string {
  return adaptDeployFile('pgbouncer.ini', {
    'shop = host=db.internal port=5432': `* = host=127.0.0.1 port=${parts.databasePort}`,
    'listen_port = 6432': `listen_port = ${parts.port}\nunix_socket_dir =`,
    'auth_type = scram-sha-256': 'auth_type = trust',
    '/etc/pgbouncer/users.txt': parts.userFile,
    'default_pool_size = 20': `default_pool_size = ${POOL_SIZE}`,
  });
}

function readVersion(): number | undefined {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const version = /PgBouncer (\d+\.\d+)/u.exec(stdout ?? '')?.[1];
  return version === undefined ? undefined : Number(version);
}
