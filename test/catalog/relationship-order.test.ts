import { expect, test } from 'vitest';
import { sortCandidates } from '../../src/catalog/relationships.ts';
import type { ForeignKeyRelationship, ManyToManyRelationship, Relationship } from '../../src/catalog/schema-cache.ts';

const name = (name: string, schema = 'api'): { readonly schema: string; readonly name: string } => ({ schema, name });
const ends = { origin: name('a'), target: name('b'), isSelf: false, originIsView: false, targetIsView: false };
const key: ForeignKeyRelationship = {
  ...ends,
  kind: 'manyToOne',
  constraint: 'c',
  columns: [['x', 'y']],
  isParent: false,
};
const many: ManyToManyRelationship = {
  ...ends,
  kind: 'manyToMany',
  junction: name('j'),
  originConstraint: 'c1',
  targetConstraint: 'c2',
  originColumns: [['x', 'y']],
  targetColumns: [['y', 'z']],
};

test('R162 sorts candidates by target schema and name, not self, kind, constraint names, columns', () => {
  const ordered: readonly Relationship[] = [
    { ...key, target: name('z', 'aaa') },
    { ...key, kind: 'oneToMany', constraint: 'z' },
    { ...key, constraint: 'a' },
    key,
    { ...key, columns: [['x', 'z']] },
    {
      ...key,
      columns: [
        ['x', 'z'],
        ['a', 'b'],
      ],
    },
    { ...key, constraint: 'd' },
    { ...key, kind: 'oneToOne', constraint: 'a' },
    { ...many, junction: name('i'), originConstraint: 'z' },
    { ...many, originConstraint: 'c0', targetConstraint: 'z' },
    many,
    { ...many, targetColumns: [['y', 'zz']] },
    { ...many, targetConstraint: 'c3' },
    {
      ...ends,
      kind: 'computed',
      oid: '1',
      routine: name('a'),
      isToOne: true,
      rowType: { ...name('b'), oid: '2' },
      computedColumns: new Set(),
    },
    { ...key, kind: 'oneToMany', isSelf: true },
    { ...key, target: name('c'), constraint: 'a' },
  ];
  expect(sortCandidates([...ordered].reverse())).toEqual(ordered);
});
