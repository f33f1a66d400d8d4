// Builds the schema cache from the rows of all introspection statements. Pure, and divided into slices so that loading
// in a serving process never blocks it for long.
import {
  type CatalogRow,
  type CatalogRows,
  flagAt,
  numberAt,
  numbersAt,
  optionalTextAt,
  textAt,
  textsAt,
} from './catalog-rows.ts';
import { decodeColumns } from './columns.ts';
import { decodeConstraintComments } from './constraint-comments.ts';
import { ROUTINE } from './introspect/routines.sql.ts';
import { decodeForeignKey, decodeKeys, decodeUniqueIndexes } from './keys.ts';
import { getOrInsert } from './maps.ts';
import { decodeMediaHandlers } from './media-handlers.ts';
import { type CatalogRelation, decodeDistributions, decodeRelation, decodeShardFacts, isView } from './relations.ts';
import { buildRelationships } from './relationships.ts';
import { decodeRoutines } from './routines.ts';
import type {
  BySchema,
  ComputedRelationship,
  DistanceOperator,
  Relation,
  Representation,
  RowNames,
  SchemaCache,
} from './schema-cache.ts';
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
  const rowTypes = yield* decodeRowTypes(rows.rowTypes);
  const distributions = decodeDistributions(rows.shards);
  const relations = new Map<string, CatalogRelation>();
  yield* visitInSlices(rows.relations, (row) => {
    const relation = decodeRelation(row, { columns, keys, indexes, views, rowTypes, distributions });
    relations.set(relation.oid, relation);
  });
  const foreignKeys = yield* flatMapInSlices(rows.foreignKeys, (row) => [decodeForeignKey(row, keys)]);
  // Computed relationships are functions from one relation's row to rows of a relation (`operating.md` §5.6).
  const computed = yield* flatMapInSlices(rows.routines, (row) => decodeComputedRelationship(row, relations));
  return {
    constraintComments: yield* decodeConstraintComments(rows.constraintComments, relations),
    relations: yield* indexRelations(relations.values()),
    relationships: yield* buildRelationships({ relations: [...relations.values()], foreignKeys, computed }),
    routines: yield* decodeRoutines(rows.routines),
    rowTypes,
    representations: decodeRepresentations(rows.representations),
    mediaHandlers: decodeMediaHandlers(rows.mediaHandlers),
    schemaComments: decodeSchemaComments(rows.schemas),
    isUtf8: rows.database.some((row) => textAt(row, 0) === 'UTF8'),
    returnsOldRows: rows.database.some((row) => numberAt(row, 4) >= 180_000),
    hasGeoJson: rows.database.some((row) => flagAt(row, 5)),
    distances: decodeDistances(rows.database),
    nameTypes: new Set(rows.database.flatMap((row) => textsAt(row, 1))),
    spelledTypes: new Set(rows.database.flatMap((row) => numbersAt(row, 3))),
    shards: distributions.size > 0 ? decodeShardFacts(rows.shards) : undefined,
  };
}

function* indexRelations(relations: Iterable<CatalogRelation>): Slices<BySchema<Relation>> {
  const bySchema = new Map<string, Map<string, Relation>>();
  yield* visitInSlices(relations, ({ relation }) => {
    getOrInsert(bySchema, relation.name.schema, () => new Map<string, Relation>()).set(relation.name.name, relation);
  });
  return bySchema;
}

function* decodeRowTypes(rows: readonly CatalogRow[]): Slices<SchemaCache['rowTypes']> {
  const byOid = new Map<string, RowNames>();
  yield* visitInSlices(rows, (row) => {
    byOid.set(textAt(row, 0), { columns: new Set(textsAt(row, 1)), computedColumns: new Set(textsAt(row, 2)) });
  });
  return byOid;
}

function decodeSchemaComments(rows: readonly CatalogRow[]): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const row of rows) {
    const comment = optionalTextAt(row, 2);
    if (flagAt(row, 1) && comment !== undefined) comments.set(textAt(row, 0), comment);
  }
  return comments;
}

/**
 * Decodes the operators that measure distances.
 *
 * @param rows those of `DATABASE_SQL`
 */
function decodeDistances(rows: readonly CatalogRow[]): SchemaCache['distances'] {
  const distances = new Map<string, Map<string, DistanceOperator>>();
  for (const text of rows.flatMap((row) => textsAt(row, 2))) {
    const parsed: unknown = JSON.parse(text);
    const [operator = '', declared = '', schema = '', type = ''] = Array.isArray(parsed) ? parsed.map(String) : [];
    getOrInsert(distances, operator, () => new Map<string, DistanceOperator>()).set(declared, { schema, type });
  }
  return distances;
}

/**
 * Decodes rows of the statement `representations` into conversion functions by source and target type (`writing.md`
 * §11).
 */
function decodeRepresentations(rows: readonly CatalogRow[]): SchemaCache['representations'] {
  const bySource = new Map<string, Map<string, Representation>>();
  for (const row of rows) {
    const source = textAt(row, 0);
    const target = textAt(row, 1);
    const routine = { schema: textAt(row, 2), name: textAt(row, 3) };
    getOrInsert(bySource, source, () => new Map<string, Representation>()).set(target, { source, target, routine });
  }
  return bySource;
}

function decodeComputedRelationship(
  row: CatalogRow,
  relations: ReadonlyMap<string, CatalogRelation>,
): readonly ComputedRelationship[] {
  const origin = relations.get(textAt(row, ROUTINE.argumentRelation))?.relation;
  const target = relations.get(textAt(row, ROUTINE.resultRelation))?.relation;
  if (origin === undefined || target === undefined) return [];
  if (textsAt(row, ROUTINE.parameterTypes).length !== 1) return [];
  const relationship: ComputedRelationship = {
    kind: 'computed',
    origin: origin.name,
    target: target.name,
    isSelf: origin === target,
    originIsView: isView(origin),
    targetIsView: isView(target),
    oid: textAt(row, ROUTINE.oid),
    routine: { schema: textAt(row, ROUTINE.schema), name: textAt(row, ROUTINE.name) },
    isToOne: !flagAt(row, ROUTINE.isSet) || numberAt(row, ROUTINE.estimatedRows) === 1,
    rowType: { ...target.name, oid: textAt(row, ROUTINE.resultRelation) },
    computedColumns: target.computedColumns,
  };
  return [relationship];
}
