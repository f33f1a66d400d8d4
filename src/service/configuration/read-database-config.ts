// Reads configuration from the database: settings of the login role, results of the pre-config function, and settings
// of the roles that requests switch to (`operating.md` §1.7, §4.5).
import type { AppConfig } from '../../config/table/app-config.ts';
import type { InDatabaseSettings } from '../../config/resolve/config-sources.ts';
import {
  buildInDatabaseQueries,
  decodeInDatabaseSettings,
  type InDatabaseQueries,
  type TextRow,
} from '../../config/resolve/in-database.ts';
import { buildRoleSettingsQuery } from '../../config/resolve/role-settings.ts';
import { type Dialect, DIALECTS } from '../../contract/dialect.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Statement } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { readInTransaction, type QueryReply, type TransactionQuery } from '../../postgres/session/query.ts';
import type { SessionProvider } from '../database/internal-queries.ts';

export interface DatabaseConfig {
  /** Settings of the login role and the pre-config function; if the function fails, neither apply. */
  readonly settings: Result<InDatabaseSettings, ApiError>;
  /** Settings of the roles that requests switch to. */
  readonly roles: Result<readonly TextRow[], ApiError>;
}

export async function readDatabaseConfig(
  provider: SessionProvider,
  config: Pick<AppConfig, 'dbPreConfig' | 'dialect'>,
): Promise<DatabaseConfig> {
  const dialect = DIALECTS[config.dialect];
  const queries = buildInDatabaseQueries(config.dbPreConfig, dialect);
  return {
    settings: await provider.use((session) => readInTransaction(session, (run) => readSettings(run, queries))),
    roles: await provider.use((session) => readInTransaction(session, (run) => readRoleSettings(run, dialect))),
  };
}

async function readSettings(
  run: TransactionQuery,
  { role, preConfig }: InDatabaseQueries,
): Promise<Result<InDatabaseSettings, ApiError>> {
  const login = await runAll(run, [role]);
  if (!login.ok) return login;
  const preConfigRows = await runAll(run, preConfig);
  return preConfigRows.ok ? ok(decodeInDatabaseSettings(login.value, preConfigRows.value)) : preConfigRows;
}

/** Returns the rows of the last statement. */
async function runAll(run: TransactionQuery, statements: readonly Statement[]): Promise<QueryReply> {
  let reply: QueryReply = ok([]);
  for (const { text, parameters } of statements) {
    reply = await run(text, parameters);
    if (!reply.ok) return reply;
  }
  return reply;
}

async function readRoleSettings(run: TransactionQuery, dialect: Dialect): Promise<QueryReply> {
  const version = await run(`SELECT pg_catalog.current_setting('server_version_num')`);
  if (!version.ok) return version;
  const { text, parameters } = buildRoleSettingsQuery(Number(version.value[0]?.[0]), dialect);
  return run(text, parameters);
}
