// Lays out the boxes of a schema graph: tables with references by those references, the others in a grid below, and
// views below that. Runs in slices, so that the browser can do other work in between.
import { findComponents } from './components.ts';
import { boundsOf, type Point, type Rectangle } from './geometry.ts';
import { packRows } from './pack.ts';
import { placeGroup } from './place-group.ts';
import { isView, type MapReference, type SchemaGraph } from './schema-graph.ts';
import { type ColumnChoice, createBox, type TableBox } from './table-box.ts';

export interface LaidOutBox {
  readonly box: TableBox;
  readonly place: Rectangle;
}

export interface LaidOutReference {
  readonly reference: MapReference;
  /** Points between the ends. */
  readonly route: readonly Point[];
}

export interface MapSection {
  readonly title: string;
  readonly place: Rectangle;
}

export interface MapLayout {
  readonly boxes: readonly LaidOutBox[];
  readonly references: readonly LaidOutReference[];
  readonly sections: readonly MapSection[];
  readonly bounds: Rectangle;
}

export interface LayoutOptions {
  readonly columns: ColumnChoice;
  /** `apart` puts views below the tables, without lines. */
  readonly views: 'apart' | 'among';
}

/** Connected boxes and lines, with positions relative to the block. */
interface Block extends Rectangle {
  readonly boxes: readonly LaidOutBox[];
  readonly references: readonly LaidOutReference[];
}

const GROUP_GAP = 72;
const GRID_GAP = 28;
const TITLE_HEIGHT = 40;

export function* layOut(graph: SchemaGraph, { columns, views }: LayoutOptions): Generator<undefined, MapLayout> {
  const boxes = new Map(graph.tables.map((table) => [table.name, createBox(table, columns)]));
  const find = (names: readonly string[]): readonly TableBox[] => names.flatMap((name) => boxes.get(name) ?? []);
  const apart = new Set(graph.tables.filter((table) => views === 'apart' && isView(table)).map(({ name }) => name));
  const names = graph.tables.map(({ name }) => name).filter((name) => !apart.has(name));
  const links = graph.references.filter(({ from, to }) => !apart.has(from) && !apart.has(to));
  const { groups, loners } = findComponents(names, links);
  const blocks: Block[] = [];
  for (const group of groups) {
    yield;
    const members = new Set(group);
    blocks.push(
      layOutGroup(
        find(group),
        links.filter(({ from }) => members.has(from)),
      ),
    );
  }
  const packed = packRows(blocks, GROUP_GAP).map(([block, place]) => moveBlock(block, place));
  return appendGrids(packed, [
    { title: 'No relationships', boxes: find(loners) },
    { title: 'Views', boxes: find([...apart]) },
  ]);
}

function layOutGroup(boxes: readonly TableBox[], references: readonly MapReference[]): Block {
  const { places, routes } = placeGroup(boxes, references);
  return {
    ...boundsOf([...places.values()]),
    boxes: boxes.flatMap((box) => {
      const place = places.get(box.table.name);
      return place === undefined ? [] : [{ box, place }];
    }),
    references: references.map((reference) => ({ reference, route: routes.get(reference.id) ?? [] })),
  };
}

function moveBlock(block: Block, to: Point): Block {
  const move = <T extends Point>(point: T): T => ({
    ...point,
    x: point.x - block.x + to.x,
    y: point.y - block.y + to.y,
  });
  return {
    ...move(block),
    boxes: block.boxes.map(({ box, place }) => ({ box, place: move(place) })),
    references: block.references.map(({ reference, route }) => ({
      reference,
      route: route.map((point) => move(point)),
    })),
  };
}

interface Grid {
  readonly title: string;
  readonly boxes: readonly TableBox[];
}

/** Appends grids below the blocks, each with a title. */
function appendGrids(blocks: readonly Block[], grids: readonly Grid[]): MapLayout {
  const boxes = blocks.flatMap((block) => block.boxes);
  const sections: MapSection[] = [];
  const { width } = boundsOf(blocks);
  for (const grid of grids.filter((each) => each.boxes.length > 0)) {
    const { y, height } = boundsOf(boxes.map(({ place }) => place));
    const top = y + height + TITLE_HEIGHT;
    sections.push({ title: grid.title, place: { x: 0, y: top, width: 1, height: TITLE_HEIGHT } });
    for (const [box, place] of packRows(grid.boxes, GRID_GAP, width))
      boxes.push({ box, place: { ...place, y: place.y + top + TITLE_HEIGHT } });
  }
  const bounds = boundsOf([...boxes, ...sections].map(({ place }) => place));
  return { boxes, references: blocks.flatMap((block) => block.references), sections, bounds };
}
