// A PostgreSQL for one file, for tests that disturb all sessions of a cluster, or need other settings.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../tools/embedded/cluster/embedded-postgres.ts';

const SETTINGS: Readonly<Record<string, string>> = { fsync: 'off', autovacuum: 'off', full_page_writes: 'off' };

export async function startOwnPostgres(
  settings: Readonly<Record<string, string>> = {},
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-test-${randomBytes(6).toString('hex')}`),
    binFolder: process.env['ROWHOUSE_TEST_PG_BIN'],
    settings: { ...SETTINGS, ...settings },
    isTemporary: true,
    ...options,
  });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  return started.value;
}

/** Its log can be decoded. In the PostgreSQL of the test run, a slot would wait for the transactions of all other tests. */
export function startLogicalPostgres(): Promise<EmbeddedPostgres> {
  return startOwnPostgres({ wal_level: 'logical' });
}
