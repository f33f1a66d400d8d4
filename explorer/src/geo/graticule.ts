// The lines of a map at round coordinates, with their labels.
import type { Projection } from './projection.ts';
import { type Size, toPlane, toScreen, type View } from './view.ts';

export interface GridLine {
  /** In pixels of the screen. */
  readonly at: number;
  readonly label: string;
}

export interface Graticule {
  readonly vertical: readonly GridLine[];
  readonly horizontal: readonly GridLine[];
}

/** Approximate distance between two lines. */
const GAP_PX = 110;
const MAX_LINES = 40;

export function drawGraticule(projection: Projection, view: View, size: Size): Graticule {
  const { project, unproject, isGeographic } = projection;
  const [west, north] = unproject(toPlane(view, [0, 0]));
  const [east, south] = unproject(toPlane(view, [size.width, size.height]));
  const vertical = listSteps(west, east, size.width).map((x) => ({
    at: toScreen(view, project([x, 0]))[0],
    label: isGeographic ? renderDegrees(x, 'E', 'W') : renderNumber(x),
  }));
  const horizontal = listSteps(south, north, size.height).map((y) => ({
    at: toScreen(view, project([0, y]))[1],
    label: isGeographic ? renderDegrees(y, 'N', 'S') : renderNumber(y),
  }));
  return { vertical, horizontal };
}

/** Returns multiples of 1, 2 or 5 times a power of ten. */
function listSteps(from: number, to: number, sizePx: number): readonly number[] {
  const wanted = ((to - from) * GAP_PX) / Math.max(1, sizePx);
  if (!(wanted > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = (([1, 2, 5] as const).find((factor) => factor * power >= wanted) ?? 10) * power;
  const first = Math.ceil(from / step);
  const count = Math.min(MAX_LINES, Math.max(0, Math.floor(to / step) - first + 1));
  return Array.from({ length: count }, (_, index) => round((first + index) * step));
}

/** Removes the noise of binary fractions. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

function renderDegrees(value: number, positive: string, negative: string): string {
  const side = value === 0 ? '' : value > 0 ? ` ${positive}` : ` ${negative}`;
  return `${renderNumber(Math.abs(value))}°${side}`;
}

function renderNumber(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 10 });
}
