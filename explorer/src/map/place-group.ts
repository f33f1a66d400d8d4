// Places connected tables in columns from left to right, referenced tables first. Uses dagre, or a simpler algorithm
// for large groups.
import { type Edge, graphlib, layout } from '@dagrejs/dagre';
import type { Link } from './components.ts';
import { boundsOf, middleOf, type Point, type Rectangle } from './geometry.ts';
import { rankTables } from './rank-tables.ts';
import { COLUMN_GAP, type Places, ROW_GAP, stackColumns, suitableHeight } from './stack.ts';
import type { TableBox } from './table-box.ts';

export interface PlacedGroup {
  readonly places: Places;
  /** Points that route lines around other boxes, by link. */
  readonly routes: ReadonlyMap<string, readonly Point[]>;
}

const LINE_GAP = 14;
/** dagre is too slow for more boxes. */
const MAX_FOR_DAGRE = 400;
/** Maximum height, as a multiple of the height that suits a screen. */
const MAX_HEIGHT_RATIO = 2;

/** @param links from the table with the foreign key to the referenced table */
export function placeGroup(boxes: readonly TableBox[], links: readonly Link[]): PlacedGroup {
  const names = boxes.map(({ table }) => table.name);
  if (boxes.length > MAX_FOR_DAGRE) return stack(boxes, rankTables(names, links));
  const placed = layOutWithDagre(boxes, links);
  const { height } = boundsOf([...placed.places.values()]);
  return height <= MAX_HEIGHT_RATIO * suitableHeight(boxes) + 400 ? placed : stack(boxes, readColumns(placed.places));
}

function stack(boxes: readonly TableBox[], columns: readonly (readonly string[])[]): PlacedGroup {
  const byName = new Map(boxes.map((box) => [box.table.name, box]));
  const found = columns.map((names) => names.flatMap((name) => byName.get(name) ?? []));
  return { places: stackColumns(found), routes: new Map() };
}

function layOutWithDagre(boxes: readonly TableBox[], links: readonly Link[]): PlacedGroup {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: ROW_GAP, edgesep: LINE_GAP, ranksep: COLUMN_GAP, ranker: 'tight-tree' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { table, width, height } of boxes) graph.setNode(table.name, { width, height });
  for (const { id, from, to } of links) if (from !== to) graph.setEdge(to, from, {}, id);
  layout(graph);
  const places = boxes.map(({ table, width, height }) => {
    const { x, y } = graph.node(table.name);
    return [table.name, { x: x - width / 2, y: y - height / 2, width, height }] as const;
  });
  // Every second point is between two columns, where there is no box to avoid.
  const routes = graph.edges().map((edge: Edge) => {
    const points: readonly Point[] = graph.edge(edge).points;
    return [edge.name ?? '', points.filter((_, index) => index % 2 === 0).slice(1, -1)] as const;
  });
  return { places: new Map(places), routes: new Map(routes) };
}

/** Boxes of the same rank have the same horizontal center. */
function readColumns(places: Places): readonly (readonly string[])[] {
  const columns = new Map<number, (readonly [name: string, place: Rectangle])[]>();
  for (const entry of places) {
    const x = Math.round(middleOf(entry[1]).x);
    columns.set(x, [...(columns.get(x) ?? []), entry]);
  }
  return [...columns]
    .sort(([a], [b]) => a - b)
    .map(([, entries]) => entries.sort(([, a], [, b]) => a.y - b.y).map(([name]) => name));
}
