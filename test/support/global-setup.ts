// Starts one PostgreSQL for the whole run, in a temporary folder, and stops it at the end of the run, even after a
// crash. ROWHOUSE_TEST_PG_BIN selects other binaries than the embedded ones.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { startEmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly databaseUri: string;
  }
}

export const FAST_AND_FORGETFUL: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '200',
  max_locks_per_transaction: '512',
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-test-${randomBytes(6).toString('hex')}`),
    binFolder: process.env['ROWHOUSE_TEST_PG_BIN'],
    settings: FAST_AND_FORGETFUL,
    isTemporary: true,
  });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  project.provide('databaseUri', started.value.uri);
  return () => started.value.stop();
}
