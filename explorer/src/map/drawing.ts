// Converts a layout into the drawing of the map, for the page and for a saved file.
import { drawBox } from './draw-box.ts';
import { drawReference } from './draw-reference.ts';
import type { Point, Rectangle } from './geometry.ts';
import type { MapLayout } from './layout.ts';
import { LOOKS } from './palette.ts';
import type { MapReference, MapTable } from './schema-graph.ts';
import type { SvgNode } from './svg-node.ts';

export interface DrawnTable {
  readonly table: MapTable;
  readonly place: Rectangle;
  /** Relative to the upper left corner of `place`. */
  readonly nodes: readonly SvgNode[];
}

export interface DrawnReference {
  readonly reference: MapReference;
  readonly nodes: readonly SvgNode[];
}

export interface Drawing {
  /** In keyboard order: from left to right and top to bottom. */
  readonly tables: readonly DrawnTable[];
  readonly references: readonly DrawnReference[];
  readonly titles: readonly SvgNode[];
  readonly bounds: Rectangle;
}

export function draw({ boxes, references, sections, bounds }: MapLayout): Drawing {
  const byName = new Map(boxes.map((each) => [each.box.table.name, each]));
  return {
    tables: boxes
      .map(({ box, place }) => ({ table: box.table, place, nodes: drawBox(box) }))
      .sort((a, b) => readingOrder(a.place, b.place)),
    references: references.flatMap((each) => {
      const [from, to] = [byName.get(each.reference.from), byName.get(each.reference.to)];
      if (from === undefined || to === undefined) return [];
      return [{ reference: each.reference, nodes: drawReference(each, from, to) }];
    }),
    titles: sections.map(({ title, place }) => ({
      name: 'text',
      attributes: { ...LOOKS.section, x: place.x, y: place.y + place.height - 16 },
      text: title,
    })),
    bounds,
  };
}

function readingOrder(a: Point, b: Point): number {
  return a.x - b.x || a.y - b.y;
}
