// Keyboard navigation on the map, and the description of a table for screen readers.
import { expect, test } from 'vitest';
import { describeTable, findLinks } from '../../../explorer/src/map/describe-table.ts';
import type { DrawnTable } from '../../../explorer/src/map/drawing.ts';
import { findNext } from '../../../explorer/src/map/find-next.ts';
import { buildSchemaGraph } from '../../../explorer/src/map/schema-graph.ts';
import { makeSchema } from './make-schema.ts';

function drawnAt(name: string, x: number, y: number): DrawnTable {
  const table = { name, kind: 'table', comment: undefined, columns: [], isJunction: false, elsewhere: [] } as const;
  return { table, place: { x, y, width: 100, height: 50 }, nodes: [] };
}

const TABLES = [drawnAt('a', 0, 0), drawnAt('b', 0, 100), drawnAt('c', 200, 0), drawnAt('d', 200, 100)];

test.each([
  ['a', 'ArrowRight', 'c'],
  ['a', 'ArrowDown', 'b'],
  ['d', 'ArrowLeft', 'b'],
  ['d', 'ArrowUp', 'c'],
  ['a', 'ArrowUp', undefined],
  ['b', 'Home', 'a'],
  ['b', 'End', 'd'],
  ['a', 'x', undefined],
  ['none', 'ArrowUp', undefined],
])('from %s, %s moves to %s', (from, key, to) => {
  expect(findNext(TABLES, from, key)?.table.name).toBe(to);
});

test('the description has the kind and the distinct links of a table', () => {
  const graph = buildSchemaGraph(
    makeSchema('streets(id*)', 'houses(id*, a > streets, b > streets)', 'OLD(x > houses)'),
  );
  const told = graph.tables.map((table) => describeTable(table, findLinks(graph, table.name)));
  expect(told).toEqual([
    'streets, table, referenced by houses',
    'houses, table, references streets, referenced by OLD',
    'OLD, view, references houses',
  ]);
});
