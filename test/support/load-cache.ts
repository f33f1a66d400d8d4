// Runs the introspection statements against a real database, as the loader does, and builds the schema cache.
import type { CatalogScope } from '../../src/catalog/catalog-statements.ts';
import type { CatalogRows } from '../../src/catalog/catalog-rows.ts';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import { type Relationship, type SchemaCache, findRelationships } from '../../src/catalog/schema-cache.ts';
import { readCatalog } from '../../tools/api-diff/load-api.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { createDatabase, runSql } from './database.ts';

export const API: CatalogScope = { schemas: ['api'], extraSearchPath: ['public'] };

export async function loadRows(uri: string, scope: CatalogScope): Promise<CatalogRows> {
  return withConnection(uri, async (client) => {
    await client.query("begin read only; set local search_path to ''");
    return readCatalog(client, scope);
  });
}

/** Loads the schema cache of a temporary database that the SQL creates. */
export async function loadCache(sql: string, scope: CatalogScope = API): Promise<SchemaCache> {
  const database = await createDatabase();
  try {
    await runSql(database.uri, sql);
    return buildSchemaCache(await loadRows(database.uri, scope));
  } finally {
    await database.drop();
  }
}

/** Describes the relationships of a relation in schema `api`, one short line each. */
export function describeRelationships(cache: SchemaCache, name: string): readonly string[] {
  return findRelationships(cache, { schema: 'api', name }).map(describe);
}

function pairs(columns: readonly (readonly [string, string])[]): string {
  return columns.map(([left, right]) => `${left}=${right}`).join(' ');
}

function describe(relationship: Relationship): string {
  const { kind, target } = relationship;
  if (kind === 'computed') {
    return `computed ${target.name} by ${relationship.routine.name} ${relationship.isToOne ? 'to-one' : 'to-many'}`;
  }
  if (kind === 'manyToMany') {
    const { junction, originColumns, targetColumns } = relationship;
    return `manyToMany ${target.name} via ${junction.name} (${pairs(originColumns)}) (${pairs(targetColumns)})`;
  }
  const { constraint, columns, isParent } = relationship;
  return `${kind}${isParent ? ' parent' : ''} ${target.name} by ${constraint} (${pairs(columns)})`;
}
