// The PostgreSQL of the benchmark: a private one, or one that is already running on this machine.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { renderEmbeddedError } from '../../../tools/embedded/cluster/embedded-error.ts';
import { startEmbeddedPostgres } from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';

export interface BenchCluster {
  /** Connection string of a superuser. */
  readonly uri: string;
  readonly socketFolder: string | undefined;
  /** Process id of the postmaster. */
  readonly pid: number;
  stop(): Promise<void>;
}

// The benchmark measures CPU time, not disks. pgbench opens as many connections as there are clients.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  shared_buffers: '256MB',
  max_connections: '400',
};

/** @param settings in addition to those of every measurement, or instead of them */
export async function startPrivateCluster(settings: Readonly<Record<string, string>> = {}): Promise<BenchCluster> {
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-bench-${randomBytes(6).toString('hex')}`),
    settings: { ...SETTINGS, ...settings },
    isTemporary: true,
  });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  return started.value;
}

/** Its settings stay as they are. */
export async function openCluster(uri: string): Promise<BenchCluster> {
  const pid = await withConnection(uri, async (client) => {
    const file = `split_part(pg_read_file('postmaster.pid'), E'\\n', 1)`;
    const { rows } = await client.query<{ readonly pid: number }>(`SELECT ${file}::int AS pid`);
    return rows[0]?.pid ?? 0;
  });
  return { uri, socketFolder: undefined, pid, stop: () => Promise.resolve() };
}
