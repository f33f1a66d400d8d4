// A harbor in a PostgreSQL of its own, whose log can be decoded. In that of the test run, a slot would have to wait for
// the transactions of all other tests.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { renderEmbeddedError } from '../../../src/embedded/cluster/embedded-error.ts';
import { startEmbeddedPostgres } from '../../../src/embedded/cluster/embedded-postgres.ts';
import { createHarbor, type Harbor } from '../support/harbor.ts';

const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  autovacuum: 'off',
  full_page_writes: 'off',
  wal_level: 'logical',
};

export const PUBLICATION = 'rowhouse_live';

/** The login role may replicate; `sql` runs before the publication of all tables is created. */
export async function useLiveHarbor(sql: (harbor: Harbor) => string): Promise<Harbor> {
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-test-${randomBytes(6).toString('hex')}`),
    binFolder: process.env['ROWHOUSE_TEST_PG_BIN'],
    settings: SETTINGS,
    isTemporary: true,
  });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  afterAll(() => started.value.stop());
  const harbor = await createHarbor({ server: started.value.uri });
  await harbor.sql(`alter role ${harbor.login} replication`);
  await harbor.sql(sql(harbor));
  return harbor;
}
