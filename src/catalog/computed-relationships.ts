// Decodes rows of the statement `routines` into computed relationships: functions from one relation's row to rows of a
// relation (`operating.md` §5.6).
import { type CatalogRow, flagAt, numberAt, textAt, textsAt } from './catalog-rows.ts';
import { ROUTINE } from './introspect/routines.sql.ts';
import { type CatalogRelation, isView } from './relations.ts';
import type { ComputedRelationship } from './schema-cache.ts';
import { flatMapInSlices, type Slices } from '../util/slices.ts';

/** `relations` are those of the exposed schemas, by oid. */
export function decodeComputedRelationships(
  rows: readonly CatalogRow[],
  relations: ReadonlyMap<string, CatalogRelation>,
): Slices<readonly ComputedRelationship[]> {
  return flatMapInSlices(rows, (row) => decodeComputedRelationship(row, relations));
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
  };
  return [relationship];
}
