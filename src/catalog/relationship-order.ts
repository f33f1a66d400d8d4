// Sorts the relationships of one origin in the order in which they are tried and listed (`reading.md` §11.1 item 5).
import { compareCodePoints } from '../util/code-points.ts';
import { assertNever } from '../contract/result.ts';
import type { ColumnPair, Relationship } from './schema-cache.ts';

const KIND_RANK: Readonly<Record<Relationship['kind'], string>> = {
  oneToMany: '0',
  manyToOne: '1',
  oneToOne: '2',
  manyToMany: '3',
  computed: '4',
};

export function sortCandidates<T extends Relationship>(relationships: readonly T[]): T[] {
  return relationships
    .map((relationship) => ({ relationship, key: sortKeyOf(relationship) }))
    .sort((left, right) => compareKeys(left.key, right.key))
    .map(({ relationship }) => relationship);
}

function compareKeys(left: readonly string[], right: readonly string[]): number {
  for (const [index, part] of left.entries()) {
    const order = compareCodePoints(part, right[index] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function sortKeyOf(relationship: Relationship): readonly string[] {
  const { target, isSelf, kind } = relationship;
  return [target.schema, target.name, isSelf ? '1' : '0', KIND_RANK[kind], ...ownSortKeyOf(relationship)];
}

function ownSortKeyOf(relationship: Relationship): readonly string[] {
  switch (relationship.kind) {
    case 'manyToMany':
      return [
        relationship.junction.schema,
        relationship.junction.name,
        relationship.originConstraint,
        relationship.targetConstraint,
        ...flattenPairs(relationship.originColumns),
        ...flattenPairs(relationship.targetColumns),
      ];
    case 'computed':
      return [relationship.routine.schema, relationship.routine.name];
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return [relationship.constraint, ...flattenPairs(relationship.columns)];
    default:
      return assertNever(relationship);
  }
}

function flattenPairs(pairs: readonly ColumnPair[]): readonly string[] {
  return pairs.flat();
}
