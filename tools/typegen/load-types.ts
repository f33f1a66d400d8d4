// Renders the TypeScript types of the exposed schemas from the schema cache and additional catalog queries.
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { readInTransaction, type TransactionQuery } from '../../src/postgres/session/query.ts';
import { renderDatabase } from './render-database.ts';
import type { TypegenContext } from './render-type.ts';
import { decodeTypegenFacts, type TypegenFacts } from './typegen-facts.ts';
import { typegenStatements, type TypegenRows } from './typegen-statements.ts';
import type { SessionProvider } from '../../src/service/database/internal-queries.ts';
import { loadSchemaCache } from '../../src/service/schema-cache/load-schema-cache.ts';

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
