// Runs the built server in a separate process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFreePort } from '../../support/server-process.ts';
import { JWT_SECRET } from '../bench-case.ts';
import { ROLE } from './bench-database.ts';

export interface BenchServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const READY_TIMEOUT = 15_000;

export interface BenchServerOptions {
  /** Folder for a CPU profile, written at the end. */
  readonly profileFolder?: string | undefined;
  /** Entry point of a built server; defaults to this one. */
  readonly main?: string;
  /** Environment variables in addition to those of every measurement. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startBenchServer(
  databaseUri: string,
  { profileFolder, main = path.resolve('dist/cli/main.js'), environment }: BenchServerOptions = {},
): Promise<BenchServer> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profileFolder)}`];
  const child = spawn(process.execPath, [...profiling, main], {
    env: { PATH: process.env['PATH'], ...serverOptions(databaseUri, port, adminPort), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  if (child.pid === undefined) throw new Error('the server could not be started');
  if (await isReady(adminPort)) return { port, pid: child.pid, stop };
  await stop();
  throw new Error('the server did not become ready');
}

function serverOptions(databaseUri: string, port: number, adminPort: number): NodeJS.ProcessEnv {
  return {
    SVC_DB_URI: databaseUri,
    SVC_DB_SCHEMAS: 'public',
    SVC_DB_ANON_ROLE: ROLE,
    SVC_JWT_SECRET: JWT_SECRET,
    SVC_JWT_CACHE_MAX_ENTRIES: '1000',
    SVC_SERVER_HOST: '127.0.0.1',
    SVC_SERVER_PORT: String(port),
    SVC_ADMIN_SERVER_PORT: String(adminPort),
  };
}

async function isReady(adminPort: number): Promise<boolean> {
  const end = Date.now() + READY_TIMEOUT;
  while (Date.now() < end) {
    const response = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => undefined);
    if (response?.status === 200) return true;
    await setTimeout(50);
  }
  return false;
}
