// Reads who may do what in a schema, or with one relation, from the catalogs.
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { quoteIdentifier } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { TransactionQuery } from '../../src/postgres/session/query.ts';
import { renderAccessStatement } from './access-statement.ts';

export interface AccessPlace {
  readonly schema: string;
  /** Undefined for all relations. */
  readonly relation: string | undefined;
}

/** @returns an `AccessDocument` as JSON, in which names in policies are written as the API resolves them */
export async function readAccess(
  scope: AccessPlace,
  { dbAnonRole: anonymousRole, dbExtraSearchPath }: Pick<AppConfig, 'dbAnonRole' | 'dbExtraSearchPath'>,
  run: TransactionQuery,
): Promise<Result<string, ApiError>> {
  const path = [scope.schema, ...dbExtraSearchPath].map(quoteIdentifier).join(', ');
  const set = await run(`SELECT pg_catalog.set_config('search_path', $1, true)`, [path]);
  if (!set.ok) return set;
  const { text, parameters } = renderAccessStatement({ ...scope, anonymousRole });
  const reply = await run(text, parameters);
  if (!reply.ok) return reply;
  const document = reply.value[0]?.[0];
  return typeof document === 'string'
    ? ok(document)
    : fail({ kind: 'schemaNotExposed', schema: scope.schema, exposed: [] });
}
