// A PostgreSQL for one file, whose log can be decoded. In that of the test run, a slot would have to wait for the
// transactions of all other tests.
import type { EmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';
import { startOwnPostgres } from './own-postgres.ts';

export function startLogicalPostgres(): Promise<EmbeddedPostgres> {
  return startOwnPostgres({ wal_level: 'logical' });
}
