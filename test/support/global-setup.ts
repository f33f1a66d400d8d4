// Starts one PostgreSQL for the whole run, in a temporary folder, and stops it at the end of the run, even after a
// crash. ROWHOUSE_TEST_PG_BIN selects other binaries than the embedded ones.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly databaseUri: string;
    /** Options of `create database`. */
    readonly databaseStrategy: string;
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

/** Shared by the projects of a run, which load this module once each. */
const shared = globalThis as { rowhouseTestRun?: { readonly started: Promise<TestRun>; users: number } };

interface TestRun {
  readonly postgres: EmbeddedPostgres;
  readonly version: number;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = (shared.rowhouseTestRun ??= { started: startRun(), users: 0 });
  run.users += 1;
  const { postgres, version } = await run.started;
  project.provide('databaseUri', postgres.uri);
  project.provide('databaseStrategy', version < 15 ? '' : 'strategy file_copy');
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    await postgres.stop();
  };
}

async function startRun(): Promise<TestRun> {
  const dataFolder = path.join(os.tmpdir(), `rowhouse-test-${randomBytes(6).toString('hex')}`);
  const started = await startEmbeddedPostgres({
    dataFolder,
    binFolder: process.env['ROWHOUSE_TEST_PG_BIN'],
    settings: FAST_AND_FORGETFUL,
    isTemporary: true,
  });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  const version = Number(await readFile(path.join(dataFolder, 'pgdata/PG_VERSION'), 'utf8'));
  return { postgres: started.value, version };
}
