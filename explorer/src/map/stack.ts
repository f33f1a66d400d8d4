// Stacks boxes in columns from left to right, splitting columns that are too tall.
import type { Rectangle } from './geometry.ts';
import type { TableBox } from './table-box.ts';

export type Places = ReadonlyMap<string, Rectangle>;

export const ROW_GAP = 28;
export const COLUMN_GAP = 84;
/** Ratio of width to height. */
const SHAPE = 1.6;

/** Aims for the aspect ratio of a screen. */
export function stackColumns(columns: readonly (readonly TableBox[])[]): Places {
  const tallest = suitableHeight(columns.flat());
  const places = new Map<string, Rectangle>();
  let x = 0;
  for (const column of columns.flatMap((boxes) => breakColumn(boxes, tallest))) {
    const width = Math.max(...column.map((box) => box.width));
    let y = 0;
    for (const box of column) {
      places.set(box.table.name, { x: x + (width - box.width) / 2, y, width: box.width, height: box.height });
      y += box.height + ROW_GAP;
    }
    x += width + COLUMN_GAP;
  }
  return places;
}

export function suitableHeight(boxes: readonly TableBox[]): number {
  const area = boxes.reduce((sum, { width, height }) => sum + (width + COLUMN_GAP) * (height + ROW_GAP), 0);
  return Math.sqrt(area / SHAPE);
}

function breakColumn(boxes: readonly TableBox[], tallest: number): readonly (readonly TableBox[])[] {
  const parts: TableBox[][] = [];
  let height = Infinity;
  for (const box of boxes) {
    if (height + box.height > tallest) {
      parts.push([]);
      height = 0;
    }
    parts.at(-1)?.push(box);
    height += box.height + ROW_GAP;
  }
  return parts;
}
