// Queries the version of the database, which also shows whether it is reachable.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { query } from '../../postgres/session/query.ts';
import type { SessionProvider } from './internal-queries.ts';

export interface DatabaseVersion {
  /** `15.4` */
  readonly number: string;
  /** Result of `version()`. */
  readonly text: string;
  readonly isSupported: boolean;
}

export const MINIMUM_VERSION = '14.0';
/** Same format as `server_version_num`. */
const MINIMUM_VERSION_NUMBER = 140_000;

const VERSION_QUERY = `SELECT pg_catalog.current_setting('server_version_num'), pg_catalog.version()`;

export async function queryDatabaseVersion(provider: SessionProvider): Promise<Result<DatabaseVersion, ApiError>> {
  const rows = await provider.use((session) => query(session, VERSION_QUERY));
  if (!rows.ok) return rows;
  const [number, text] = rows.value[0] ?? [];
  const version = Number(number);
  return ok({
    number: `${Math.floor(version / 10_000)}.${version % 10_000}`,
    text: text ?? '',
    isSupported: version >= MINIMUM_VERSION_NUMBER,
  });
}
