// The visible part of the map: a projected point is shown at `point * scale + offset`.
import type { Position } from './geojson.ts';
import type { Bounds } from './projection.ts';

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN_PX = 32;
/** For a single point, in units of the projection. */
const LEAST_EXTENT = 0.01;
/** Relative to the scale that shows everything. */
const [MIN_ZOOM, MAX_ZOOM] = [0.25, 20_000];

export function fitView({ left, top, width, height }: Bounds, size: Size): View {
  const scale = Math.min(
    Math.max(1, size.width - 2 * MARGIN_PX) / Math.max(LEAST_EXTENT, width),
    Math.max(1, size.height - 2 * MARGIN_PX) / Math.max(LEAST_EXTENT, height),
  );
  return {
    scale,
    x: size.width / 2 - (left + width / 2) * scale,
    y: size.height / 2 - (top + height / 2) * scale,
  };
}

export function moveView(view: View, by: { readonly x: number; readonly y: number }): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

interface Zoom {
  readonly factor: number;
  readonly pivot: { readonly x: number; readonly y: number };
  /** The scale that shows everything. */
  readonly whole: number;
}

/** Zooms so that the point under `pivot` stays in place. */
export function zoomView(view: View, { factor, pivot, whole }: Zoom): View {
  const scale = Math.min(whole * MAX_ZOOM, Math.max(whole * MIN_ZOOM, view.scale * factor));
  const change = scale / view.scale;
  return { scale, x: pivot.x - (pivot.x - view.x) * change, y: pivot.y - (pivot.y - view.y) * change };
}

export function toPlane(view: View, [x, y]: Position): Position {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

export function toScreen(view: View, [x, y]: Position): Position {
  return [x * view.scale + view.x, y * view.scale + view.y];
}
