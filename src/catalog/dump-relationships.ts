// Renders the relationships of one origin as entries of the dump's `dbRelationships`, one per target schema.
import { assertNever } from '../contract/result.ts';
import { dumpName } from './dump-name.ts';
import { appendTo } from './maps.ts';
import type { ForeignKeyRelationship, Relationship } from './schema-cache.ts';

const CARDINALITY: Readonly<Record<ForeignKeyRelationship['kind'], string>> = {
  manyToOne: 'M2O',
  oneToMany: 'O2M',
  oneToOne: 'O2O',
};

export function dumpRelationships(candidates: readonly Relationship[]): readonly unknown[] {
  const bySchema = new Map<string, object[]>();
  for (const relationship of candidates) {
    appendTo(bySchema, relationship.target.schema, dumpRelationship(relationship));
  }
  const [first] = candidates;
  if (first === undefined) return [];
  return [...bySchema].map(([schema, entries]) => [[dumpName(first.origin), schema], entries]);
}

function dumpRelationship(relationship: Relationship): object {
  const ends = {
    relTable: dumpName(relationship.origin),
    relForeignTable: dumpName(relationship.target),
    relIsSelf: relationship.isSelf,
    relTableIsView: relationship.originIsView,
    relFTableIsView: relationship.targetIsView,
  };
  if (relationship.kind === 'computed') {
    const { routine, isToOne } = relationship;
    return { tag: 'ComputedRelationship', relFunction: dumpName(routine), ...ends, relToOne: isToOne };
  }
  return { tag: 'Relationship', ...ends, relCardinality: dumpCardinality(relationship) };
}

function dumpCardinality(relationship: Exclude<Relationship, { readonly kind: 'computed' }>): object {
  switch (relationship.kind) {
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return {
        tag: CARDINALITY[relationship.kind],
        ...(relationship.kind === 'oneToOne' && { isParent: relationship.isParent }),
        relCons: relationship.constraint,
        relColumns: relationship.columns,
      };
    case 'manyToMany':
      return {
        tag: 'M2M',
        junTable: dumpName(relationship.junction),
        junConstraint1: relationship.originConstraint,
        junConstraint2: relationship.targetConstraint,
        junColsSource: relationship.originColumns,
        junColsTarget: relationship.targetColumns,
      };
    default:
      return assertNever(relationship);
  }
}
