// Builds the schema cache from the rows of all introspection statements. Pure, and divided into slices so that loading
// in a serving process never blocks it for long.
import { type CatalogRow, type CatalogRows, flagAt, optionalTextAt, textAt, textsAt } from './catalog-rows.ts';
import { decodeColumns } from './columns.ts';
import { decodeComputedRelationships } from './computed-relationships.ts';
import { decodeDistances } from './distances.ts';
import { decodeForeignKey, decodeKeys, decodeUniqueIndexes } from './keys.ts';
import { getOrInsert } from './maps.ts';
import { decodeMediaHandlers } from './media-handlers.ts';
import { type CatalogRelation, decodeRelation } from './relations.ts';
import { buildRelationships } from './relationships.ts';
import { decodeRepresentations } from './representations.ts';
import { decodeRoutines } from './routines.ts';
import type { BySchema, Relation, SchemaCache } from './schema-cache.ts';
import { flatMapInSlices, runSlices, type Slices, visitInSlices } from '../util/slices.ts';
import { traceViews } from './view-columns.ts';

/** Builds the cache without a pause. */
export function buildSchemaCache(rows: CatalogRows): SchemaCache {
  return runSlices(buildSchemaCacheInSlices(rows));
}

/** Builds the cache in slices: the caller decides when to take the next step. */
export function* buildSchemaCacheInSlices(rows: CatalogRows): Slices<SchemaCache> {
  const keys = yield* decodeKeys(rows.keys);
  const indexes = yield* decodeUniqueIndexes(rows.uniqueIndexes);
  const columns = yield* decodeColumns(rows.columns);
  const views = yield* traceViews(rows.views);
  const relations = new Map<string, CatalogRelation>();
  yield* visitInSlices(rows.relations, (row) => {
    const relation = decodeRelation(row, { columns, keys, indexes, views });
    relations.set(relation.oid, relation);
  });
  const foreignKeys = yield* flatMapInSlices(rows.foreignKeys, (row) => [decodeForeignKey(row, keys)]);
  const computed = yield* decodeComputedRelationships(rows.routines, relations);
  return {
    relations: yield* indexRelations(relations.values()),
    relationships: yield* buildRelationships({ relations: [...relations.values()], foreignKeys, computed }),
    routines: yield* decodeRoutines(rows.routines),
    representations: decodeRepresentations(rows.representations),
    mediaHandlers: decodeMediaHandlers(rows.mediaHandlers),
    schemaComments: decodeSchemaComments(rows.schemas),
    isUtf8: rows.database.some((row) => textAt(row, 0) === 'UTF8'),
    distances: decodeDistances(rows.database),
    nameTypes: new Set(rows.database.flatMap((row) => textsAt(row, 1))),
  };
}

function* indexRelations(relations: Iterable<CatalogRelation>): Slices<BySchema<Relation>> {
  const bySchema = new Map<string, Map<string, Relation>>();
  yield* visitInSlices(relations, ({ relation }) => {
    getOrInsert(bySchema, relation.name.schema, () => new Map<string, Relation>()).set(relation.name.name, relation);
  });
  return bySchema;
}

function decodeSchemaComments(rows: readonly CatalogRow[]): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const row of rows) {
    const comment = optionalTextAt(row, 2);
    if (flagAt(row, 1) && comment !== undefined) comments.set(textAt(row, 0), comment);
  }
  return comments;
}
