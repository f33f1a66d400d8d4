// Places the names of the rows beside their shapes, as many as fit without covering each other.
import type { Position, Shape } from './geojson.ts';
import type { MapRow } from './map-rows.ts';
import { boundsOf, type Projection } from './projection.ts';
import { type Size, toScreen, type View } from './view.ts';

/** Where the name of a row is, on the plane of the projection. */
export interface LabeledRow {
  readonly label: string;
  readonly at: Position;
  /** Beside a point; in the middle of anything else. */
  readonly isBeside: boolean;
}

export interface PlacedLabel {
  readonly text: string;
  /** In pixels of the screen. */
  readonly x: number;
  readonly y: number;
  readonly isBeside: boolean;
}

/** The names of more rows would only be noise. */
const MAX_ROWS = 200;
const MAX_CHARACTERS = 28;
const [CHARACTER_PX, HEIGHT_PX, GAP_PX] = [7, 16, 9];

export function listLabeledRows(rows: readonly MapRow[], projection: Projection): readonly LabeledRow[] {
  if (rows.length > MAX_ROWS) return [];
  return rows.flatMap(({ shapes: [shape], label }) => {
    const at = shape && middleOf(shape, projection);
    return shape === undefined || at === undefined ? [] : [{ label, at, isBeside: shape.kind === 'point' }];
  });
}

function middleOf(shape: Shape, projection: Projection): Position | undefined {
  const line = shape.kind === 'line' ? (shape.parts[0] ?? []) : [];
  const half = (line.length - 1) / 2;
  const around = shape.kind === 'line' ? line.slice(Math.floor(half), Math.ceil(half) + 1) : undefined;
  const bounds = boundsOf(around === undefined ? [shape] : [{ kind: 'line', parts: [around] }], projection);
  return bounds && [bounds.left + bounds.width / 2, bounds.top + bounds.height / 2];
}

export function placeLabels(rows: readonly LabeledRow[], view: View, size: Size): readonly PlacedLabel[] {
  const placed: (PlacedLabel & { readonly left: number; readonly right: number })[] = [];
  for (const { label, at, isBeside } of rows) {
    const text = label.length > MAX_CHARACTERS ? `${label.slice(0, MAX_CHARACTERS - 1)}…` : label;
    const [x, y] = toScreen(view, at);
    const widthPx = text.length * CHARACTER_PX;
    const left = isBeside ? x + GAP_PX : x - widthPx / 2;
    const right = left + widthPx;
    const isOutside = left < 0 || right > size.width || y < HEIGHT_PX || y > size.height - HEIGHT_PX;
    const isCovered = placed.some(
      (other) => left < other.right && right > other.left && Math.abs(other.y - y) < HEIGHT_PX,
    );
    if (isOutside || isCovered) continue;
    placed.push({ text, x: isBeside ? left : x, y, isBeside, left, right });
  }
  return placed;
}
