// Layout and drawing of graphs: nothing overlaps, referenced tables are on the left, large schemas take a second.
import { expect, test } from 'vitest';
import { draw } from '../../../explorer/src/map/drawing.ts';
import type { Rectangle } from '../../../explorer/src/map/geometry.ts';
import { layOut, type LayoutOptions, type MapLayout } from '../../../explorer/src/map/layout.ts';
import { buildSchemaGraph } from '../../../explorer/src/map/schema-graph.ts';
import { renderSvgFile } from '../../../explorer/src/map/svg-file.ts';
import { createBox, rowMiddle } from '../../../explorer/src/map/table-box.ts';
import { center, fit, zoomAt } from '../../../explorer/src/map/viewport.ts';
import type { SchemaIndex } from '../../../explorer/src/schema/schema-index.ts';
import { makeSchema } from './make-schema.ts';

const KEYS: LayoutOptions = { columns: 'keys', views: 'apart' };

function layOutAll(
  schema: SchemaIndex,
  options: LayoutOptions = KEYS,
): { readonly layout: MapLayout; readonly slices: number } {
  const run = layOut(buildSchemaGraph(schema), options);
  for (let slices = 0; ; slices += 1) {
    const step = run.next();
    if (step.done === true) return { layout: step.value, slices };
  }
}

function placeOf({ boxes }: MapLayout, name: string): Rectangle {
  return boxes.find(({ box }) => box.table.name === name)!.place;
}

function countOverlaps({ boxes }: MapLayout): number {
  const isApart = (a: Rectangle, b: Rectangle): boolean =>
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  return boxes.filter((a, index) => boxes.slice(index + 1).some((b) => !isApart(a.place, b.place))).length;
}

/** Returns a deterministic pseudorandom number generator. */
function createRandom(): () => number {
  let state = 7;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** Creates tables that reference earlier ones, mostly a few of them. */
function makeLarge(count: number): SchemaIndex {
  const random = createRandom();
  return makeSchema(
    ...Array.from({ length: count }, (_, index) => {
      const targets = [random() ** 2, random()].slice(0, index === 0 ? 0 : 1 + (index % 2));
      const columns = targets.map((share, at) => `ref_${at} > table_${Math.floor(share * index)}`);
      return `table_${index}(${['id*', ...columns].join(', ')})`;
    }),
  );
}

test('a table is to the right of the tables it references; unconnected tables are below, and views below those', () => {
  const { layout } = layOutAll(makeSchema('houses(id*, street_id > streets)', 'streets(id*)', 'lone(id*)', 'OLD(id)'));
  const [houses, streets, lone, view] = ['houses', 'streets', 'lone', 'OLD'].map((name) => placeOf(layout, name));
  expect(houses!.x).toBeGreaterThan(streets!.x + streets!.width);
  expect(lone!.y).toBeGreaterThan(Math.max(houses!.y + houses!.height, streets!.y + streets!.height));
  expect(view!.y).toBeGreaterThan(lone!.y + lone!.height);
  expect(layout.sections.map(({ title }) => title)).toEqual(['No relationships', 'Views']);
});

test('views are among the tables if requested', () => {
  const schema = makeSchema('streets(id*)', 'LONG(street_id > streets)');
  expect(layOutAll(schema).layout.references).toEqual([]);
  const { layout } = layOutAll(schema, { columns: 'keys', views: 'among' });
  expect(layout.references.map(({ reference }) => reference.from)).toEqual(['LONG']);
  expect(layout.sections).toEqual([]);
});

test.each([60, 300, 1000])('of %i tables, no two boxes overlap, and the bounds contain all of them', (count) => {
  const { layout } = layOutAll(makeLarge(count));
  expect(layout.boxes).toHaveLength(count);
  expect(countOverlaps(layout)).toBe(0);
  const { x, y, width, height } = layout.bounds;
  const isWithin = ({ place }: { place: Rectangle }): boolean =>
    place.x >= x &&
    place.y >= y &&
    place.x + place.width <= x + width + 0.01 &&
    place.y + place.height <= y + height + 0.01;
  expect(layout.boxes.filter((each) => !isWithin(each))).toEqual([]);
  expect(width / height).toBeGreaterThan(0.4);
  expect(width / height).toBeLessThan(5);
});

test('each group of tables is laid out in a separate slice', () => {
  const { layout, slices } = layOutAll(makeSchema('a(id*, b > b)', 'b(id*)', 'c(id*, d > d)', 'd(id*)', 'e(id*)'));
  expect(slices).toBe(2);
  expect(countOverlaps(layout)).toBe(0);
});

test('a box lists keys or all columns, and the number of hidden ones', () => {
  const [table] = buildSchemaGraph(makeSchema('t(id*, a, b, c)')).tables;
  const keys = createBox(table!, 'keys');
  const all = createBox(table!, 'all');
  expect([keys.rows.map(({ name }) => name), keys.hidden]).toEqual([['id'], 3]);
  expect([all.rows.map(({ name }) => name), all.hidden]).toEqual([['id', 'a', 'b', 'c'], 0]);
  expect(all.height).toBeGreaterThan(keys.height);
  expect(rowMiddle(all, 'b') - rowMiddle(all, 'a')).toBe(20);
  expect(rowMiddle(keys, 'b')).toBe(15);
});

test('long names are truncated, and wide characters get more space', () => {
  const long = createBox(buildSchemaGraph(makeSchema(`${'x'.repeat(63)}(id*)`)).tables[0]!, 'all');
  expect(long.title).toBe(`${'x'.repeat(31)}…`);
  const wide = createBox(buildSchemaGraph(makeSchema('東京の家並みの表の名前です(id*)')).tables[0]!, 'all');
  const narrow = createBox(buildSchemaGraph(makeSchema('abcdefghijklm(id*)')).tables[0]!, 'all');
  expect(wide.width).toBeGreaterThan(narrow.width);
});

test('a saved file contains everything, with escaped text and colors', () => {
  const schema = makeSchema('<b>"x"&(id*)', 'it\'s(id*, b > <b>"x"&)');
  const drawing = draw(layOutAll(schema).layout);
  const text = renderSvgFile(drawing, 'api <1>');
  expect(text).toContain('<title>api &lt;1&gt;</title>');
  expect(text).toContain('>&lt;b&gt;&quot;x&quot;&amp;</text>');
  expect(text).toContain('>it&apos;s</text>');
  expect(text).not.toMatch(/class=|style=|var\(|href/u);
  expect(text.match(/<rect [^>]*fill="#/gu)).toHaveLength(3);
  const references = drawing.references.flatMap(({ nodes }) => nodes.filter(({ name }) => name === 'path'));
  // The line, the crow's foot, and two bars for "exactly one".
  expect(references).toHaveLength(4);
});

test('an optional reference has a ring instead of a second bar', () => {
  const { references } = draw(layOutAll(makeSchema('a(id*, b? > b)', 'b(id*)')).layout);
  expect(references[0]!.nodes.map(({ name }) => name)).toEqual(['path', 'path', 'circle', 'path', 'circle']);
});

test('a self-reference starts and ends on the right side', () => {
  const { layout } = layOutAll(makeSchema('parts(id*, part_id? > parts)'));
  const { width } = placeOf(layout, 'parts');
  const [line] = draw(layout).references[0]!.nodes;
  expect(line!.attributes['d']).toMatch(new RegExp(`^M${width} .*L${width} [\\d.]+$`, 'u'));
});

test('zooming keeps the point under the pointer, within limits', () => {
  const view = { x: 10, y: 20, zoom: 1 };
  const zoomed = zoomAt(view, 2, { x: 110, y: 220 });
  expect(zoomed).toEqual({ x: -90, y: -180, zoom: 2 });
  expect(zoomAt(view, 1000, { x: 0, y: 0 }).zoom).toBe(3);
  expect(zoomAt(view, 0.0001, { x: 0, y: 0 }).zoom).toBe(0.02);
});

test('fitting centers everything, without enlarging it', () => {
  const screen = { width: 800, height: 600 };
  expect(fit({ x: 0, y: 0, width: 100, height: 100 }, screen)).toEqual({ x: 350, y: 250, zoom: 1 });
  const { zoom } = fit({ x: 0, y: 0, width: 7520, height: 100 }, screen);
  expect(zoom).toBe(0.1);
  expect(center({ x: 100, y: 100, width: 0, height: 0 }, screen, 2)).toEqual({ x: 200, y: 100, zoom: 2 });
});
