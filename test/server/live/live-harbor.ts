// A harbor in a PostgreSQL of its own, whose log can be decoded.
import { afterAll } from 'vitest';
import { startLogicalPostgres } from '../../support/own-postgres.ts';
import { createHarbor, type Harbor } from '../../support/harbor.ts';

export const PUBLICATION = 'rowhouse_live';

/** The login role may replicate; `sql` runs before the publication of all tables is created. */
export async function useLiveHarbor(sql: (harbor: Harbor) => string): Promise<Harbor> {
  const postgres = await startLogicalPostgres();
  afterAll(() => postgres.stop());
  const harbor = await createHarbor({ server: postgres.uri });
  await harbor.sql(`alter role ${harbor.login} replication`);
  await harbor.sql(sql(harbor));
  return harbor;
}
