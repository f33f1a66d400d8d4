// Renders the TypeScript types of the exposed schemas from the schema cache and additional catalog queries.
import type { AppConfig } from '../../config/table/app-config.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { readInTransaction, type TransactionQuery } from '../../postgres/session/query.ts';
import { renderDatabase } from '../../typegen/render-database.ts';
import type { TypegenContext } from '../../typegen/render-type.ts';
import { decodeTypegenFacts, type TypegenFacts } from '../../typegen/typegen-facts.ts';
import { typegenStatements, type TypegenRows } from '../../typegen/typegen-statements.ts';
import type { SessionProvider } from '../database/internal-queries.ts';
import { loadSchemaCache } from './load-schema-cache.ts';

export type TypesOptions = Pick<TypegenContext, 'areFunctionsExact'>;

export async function loadTypes(
  provider: SessionProvider,
  config: AppConfig,
  { areFunctionsExact }: TypesOptions,
): Promise<Result<string, ApiError>> {
  const loaded = await loadSchemaCache(provider, config);
  if (!loaded.ok) return loaded;
  const { dbSchemas: schemas } = config;
  const facts = await provider.use((session) => readInTransaction(session, (query) => readFacts(query, schemas)));
  if (!facts.ok) return facts;
  return ok(renderDatabase({ cache: loaded.value.cache, facts: facts.value, schemas, areFunctionsExact }));
}

async function readFacts(query: TransactionQuery, schemas: readonly string[]): Promise<Result<TypegenFacts, ApiError>> {
  const searchPath = await query(`SELECT set_config('search_path', '', true)`);
  if (!searchPath.ok) return searchPath;
  const rows: { -readonly [name in keyof TypegenRows]: TypegenRows[name] } = {
    types: [],
    columnTypes: [],
    baseTables: [],
    viewQueries: [],
    rowFunctions: [],
  };
  for (const { name, text, parameters } of typegenStatements(schemas)) {
    const reply = await query(text, parameters);
    if (!reply.ok) return reply;
    rows[name] = reply.value;
  }
  return ok(decodeTypegenFacts(rows));
}
