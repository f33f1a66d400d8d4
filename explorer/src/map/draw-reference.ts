// Draws the line of a reference between two boxes. Marks at the ends show the cardinality: a crow's foot for many, a
// bar for one, a ring for zero.
import type { Point, Rectangle } from './geometry.ts';
import type { LaidOutBox, LaidOutReference } from './layout.ts';
import { LOOKS } from './palette.ts';
import type { SvgNode } from './svg-node.ts';
import { rowMiddle } from './table-box.ts';

/** The point at which a line leaves a box. */
export interface End extends Point {
  /** 1 for the right side. */
  readonly side: 1 | -1;
}

/** Length of the straight end, which has the marks. */
const STUB = 22;
/** About half the width of a box. */
const HALF_COLUMN = 80;

export function drawReference(
  { reference, route }: LaidOutReference,
  from: LaidOutBox,
  to: LaidOutBox,
): readonly SvgNode[] {
  const [ownColumn, targetColumn] = reference.columns[0] ?? [];
  const [fromSide, toSide] = chooseSides(from.place, to.place);
  const start = endAt(from, rowMiddle(from.box, ownColumn), fromSide);
  const end = endAt(to, rowMiddle(to.box, targetColumn), toSide);
  const isAhead = (end.x - start.x) * fromSide > 0 && fromSide !== toSide;
  // The routes of dagre start at the referenced table, on the left.
  const through = isAhead && fromSide === -1 ? route.toReversed().flatMap(routePast) : [];
  return [
    {
      name: 'path',
      attributes: { ...LOOKS.line, d: linePath([start, stub(start), ...through, stub(end), end], fromSide === toSide) },
    },
    ...drawEnd(reference.isUnique ? 'maybeOne' : 'many', start),
    ...drawEnd(reference.isOptional ? 'maybeOne' : 'one', end),
  ];
}

/** The cardinality of an end. */
export type EndKind = 'many' | 'maybeOne' | 'one';

export function drawEnd(kind: EndKind, end: End): readonly SvgNode[] {
  if (kind === 'many') return [drawFoot(end), drawRing(end)];
  return [drawBar(end, 8), kind === 'one' ? drawBar(end, 13) : drawRing(end)];
}

/** Passes a point horizontally, from right to left, between the boxes above and below. */
function routePast({ x, y }: Point): readonly Point[] {
  return [
    { x: x + HALF_COLUMN, y },
    { x: x - HALF_COLUMN, y },
  ];
}

/** Returns the facing sides; both right if the boxes overlap horizontally or are the same. */
function chooseSides(from: Rectangle, to: Rectangle): readonly [End['side'], End['side']] {
  if (to.x + to.width <= from.x) return [-1, 1];
  return from.x + from.width <= to.x ? [1, -1] : [1, 1];
}

function endAt({ place }: LaidOutBox, y: number, side: End['side']): End {
  return { x: side === 1 ? place.x + place.width : place.x, y: place.y + y, side };
}

function stub({ x, y, side }: End): Point {
  return { x: x + side * STUB, y };
}

/** Draws straight first and last segments, with curves in between. */
function linePath(points: readonly Point[], isLoop: boolean): string {
  const inner = points.slice(1, -1);
  const [start, first, last, end] = [points[0], inner[0], inner.at(-1), points.at(-1)];
  if (start === undefined || first === undefined || last === undefined || end === undefined) return '';
  return `M${at(start)}L${at(first)}${curve(inner, isLoop ? 2 * STUB : 0)}L${at(end)}`;
}

/** Each segment starts and ends horizontally. @param bend how far a loop extends to the right */
function curve(points: readonly Point[], bend: number): string {
  return points
    .slice(1)
    .map((point, index) => {
      const before = points[index] ?? point;
      const middle = round((before.x + point.x) / 2 + bend);
      return `C${middle} ${round(before.y)} ${middle} ${round(point.y)} ${at(point)}`;
    })
    .join('');
}

function drawFoot({ x, y, side }: End): SvgNode {
  const tip = round(x + side * 11);
  return mark(`M${round(x)} ${round(y - 6)}L${tip} ${round(y)}L${round(x)} ${round(y + 6)}`);
}

function drawBar({ x, y, side }: End, distance: number): SvgNode {
  return mark(`M${round(x + side * distance)} ${round(y - 5)}v10`);
}

function drawRing({ x, y, side }: End): SvgNode {
  return { name: 'circle', attributes: { ...LOOKS.ring, cx: round(x + side * 15), cy: round(y), r: 3.5 } };
}

function mark(d: string): SvgNode {
  return { name: 'path', attributes: { ...LOOKS.mark, d } };
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
