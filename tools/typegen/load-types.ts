// Renders the TypeScript types of the exposed schemas from the schema cache and additional catalog queries.
import type { EnumType } from './pg-type.ts';
import { renderFunctions } from './render-functions.ts';
import { renderHelpers } from './render-helpers.ts';
import { isListedAsTable, renderRelation } from './render-relation.ts';
import type { Relation } from '../../src/catalog/schema-cache.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { readInTransaction, type TransactionQuery } from '../../src/postgres/session/query.ts';
import { renderEnum, renderFields, type TypegenContext } from './render-type.ts';
import { compareCodePoints } from '../../src/util/code-points.ts';
import { decodeTypegenFacts, type TypegenFacts } from './typegen-facts.ts';
import { typegenStatements, type TypegenRows } from './typegen-statements.ts';
import type { SessionProvider } from '../../src/service/database/internal-queries.ts';
import { loadSchemaCache } from '../../src/service/schema-cache/load-schema-cache.ts';
import { type Member, renderObject } from './typescript.ts';

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

/** From this version on, the client infers spreads of lists and supports `maxAffected`. */
const CLIENT_OPTIONS = renderObject([{ name: 'PostgrestVersion', type: '"13"' }]);

const HEAD = `// Types of the exposed schemas, generated from the database. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
`;

/**
 * Renders the exposed schemas as TypeScript types in the form of the `Database` parameter of `@supabase/postgrest-js`.
 * Deterministic: equal schemas give equal text.
 */
function renderDatabase(context: TypegenContext): string {
  const database = renderObject([
    { name: '__InternalSupabase', type: CLIENT_OPTIONS },
    ...context.schemas.map((schema): Member => ({
      name: schema,
      type: renderSchema(schema, context),
      comment: context.cache.schemaComments.get(schema),
    })),
  ]);
  const enums = new Map(context.schemas.map((schema) => [schema, listEnums(schema, context)]));
  return `${HEAD}\nexport type Database = ${database};\n\n${renderHelpers(context, enums)}`;
}

function listEnums(schema: string, { facts }: TypegenContext): readonly EnumType[] {
  return [...facts.types.values()]
    .filter((type): type is EnumType => type.kind === 'enum' && type.name.schema === schema)
    .sort((left, right) => compareCodePoints(left.name.name, right.name.name));
}

function renderSchema(schema: string, context: TypegenContext): string {
  const relations = [...(context.cache.relations.get(schema)?.values() ?? [])];
  const types = [...context.facts.types.values()];
  const enums = listEnums(schema, context).map((type) => ({ name: type.name.name, type: renderEnum(type) }));
  const composites = types.flatMap((type): readonly Member[] =>
    type.kind === 'composite' && !type.isRelation && type.name.schema === schema
      ? [{ name: type.name.name, type: renderFields(type, 'output', context) }]
      : [],
  );
  return renderObject([
    { name: 'Tables', type: renderRelations(relations.filter(isListedAsTable), context) },
    {
      name: 'Views',
      type: renderRelations(
        relations.filter((relation) => !isListedAsTable(relation)),
        context,
      ),
    },
    { name: 'Functions', type: renderFunctions(schema, context) },
    { name: 'Enums', type: renderObject(enums) },
    { name: 'CompositeTypes', type: renderSorted(composites) },
  ]);
}

function renderRelations(relations: readonly Relation[], context: TypegenContext): string {
  return renderSorted(
    relations.map((relation) => ({
      name: relation.name.name,
      type: renderRelation(relation, context),
      comment: relation.comment,
    })),
  );
}

function renderSorted(members: readonly Member[]): string {
  return renderObject(members.toSorted((left, right) => compareCodePoints(left.name, right.name)));
}
