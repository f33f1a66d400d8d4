// What the database says of the configuration: settings of the login role, those of the pre-config function, and the
// settings of the roles that requests take on (`operations.md` §1.7, §4.5).
import type { AppConfig } from '../config/app-config.ts';
import { buildInDatabaseQueries, type TextRow } from '../config/in-database.ts';
import { buildRoleSettingsQuery } from '../config/role-settings.ts';
import { DIALECTS } from '../contract/dialect.ts';
import { ok, type Result } from '../contract/result.ts';
import type { Statement } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { query, readInTransaction, type QueryReply, type TransactionQuery } from '../postgres/query.ts';
import type { SessionLender } from './internal-queries.ts';

type Rows = Result<readonly TextRow[], ApiError>;

export interface DatabaseConfigRows {
  /** Settings of the login role. */
  readonly login: Rows;
  /** Settings that the pre-config function made. */
  readonly preConfig: Rows;
  /** Settings of the roles that requests take on. */
  readonly roles: Rows;
}

export async function readDatabaseConfig(
  lender: SessionLender,
  config: Pick<AppConfig, 'dbPreConfig' | 'dialect'>,
): Promise<DatabaseConfigRows> {
  const { role, preConfig } = buildInDatabaseQueries(config.dbPreConfig, DIALECTS[config.dialect]);
  return {
    login: await lender.use((session) => query(session, role.text, role.parameters)),
    preConfig: await lender.use((session) => readInTransaction(session, (run) => runAll(run, preConfig))),
    roles: await lender.use((session) => readInTransaction(session, readRoleSettings)),
  };
}

/** The rows of the last one. */
async function runAll(run: TransactionQuery, statements: readonly Statement[]): Promise<QueryReply> {
  let reply: QueryReply = ok([]);
  for (const { text, parameters } of statements) {
    reply = await run(text, parameters);
    if (!reply.ok) return reply;
  }
  return reply;
}

async function readRoleSettings(run: TransactionQuery): Promise<QueryReply> {
  const version = await run(`SELECT pg_catalog.current_setting('server_version_num')`);
  if (!version.ok) return version;
  const { text, parameters } = buildRoleSettingsQuery(Number(version.value[0]?.[0]));
  return run(text, parameters);
}
