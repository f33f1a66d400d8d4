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
  const label = ({ value, decimals }: Step, sides: readonly [string, string]): string =>
    isGeographic ? renderDegrees(value, decimals, sides) : renderNumber(value, decimals);
  const vertical = listSteps(west, east, size.width).map((step) => ({
    at: toScreen(view, project([step.value, 0]))[0],
    label: label(step, ['E', 'W']),
  }));
  const horizontal = listSteps(south, north, size.height).map((step) => ({
    at: toScreen(view, project([0, step.value]))[1],
    label: label(step, ['N', 'S']),
  }));
  return { vertical, horizontal };
}

interface Step {
  readonly value: number;
  /** The same for all lines, so that their labels compare. */
  readonly decimals: number;
}

/** Returns multiples of 1, 2 or 5 times a power of ten. */
function listSteps(from: number, to: number, sizePx: number): readonly Step[] {
  const wanted = ((to - from) * GAP_PX) / Math.max(1, sizePx);
  if (!(wanted > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = (([1, 2, 5] as const).find((factor) => factor * power >= wanted) ?? 10) * power;
  const first = Math.ceil(from / step);
  const count = Math.min(MAX_LINES, Math.max(0, Math.floor(to / step) - first + 1));
  const decimals = Math.max(0, -Math.floor(Math.log10(round(step))));
  return Array.from({ length: count }, (_, index) => ({ value: round((first + index) * step), decimals }));
}

/** Removes the noise of binary fractions. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

function renderDegrees(value: number, decimals: number, [positive, negative]: readonly [string, string]): string {
  if (value === 0) return '0°';
  return `${renderNumber(Math.abs(value), decimals)}° ${value > 0 ? positive : negative}`;
}

function renderNumber(value: number, decimals: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
