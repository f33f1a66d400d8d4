// The visible part of the map: zooming, panning and centering.
import { middleOf, type Point, type Rectangle } from './geometry.ts';
import type { Size } from './pack.ts';

/** A point of the map is shown at `point * zoom + offset`. */
export interface Viewport extends Point {
  readonly zoom: number;
}

const MIN_ZOOM = 0.02;
const MAX_ZOOM = 3;
const NARROW = 640;
/** Minimum zoom at which the names of columns are readable: 11 px. */
export const READABLE_ZOOM = 0.92;
/** A part of the width or height of the screen, on each side. */
const MARGIN = 0.03;

/** Zooms so that the point under `pivot`, in screen coordinates, stays in place. */
export function zoomAt(view: Viewport, factor: number, pivot: Point): Viewport {
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, view.zoom * factor));
  const scale = zoom / view.zoom;
  return { zoom, x: pivot.x - (pivot.x - view.x) * scale, y: pivot.y - (pivot.y - view.y) * scale };
}

export function pan(view: Viewport, by: Point): Viewport {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** Fits `bounds` into the screen, centered, without enlarging it. */
export function fit(bounds: Rectangle, screen: Size): Viewport {
  const wanted = Math.min(
    (screen.width * (1 - 2 * MARGIN)) / Math.max(1, bounds.width),
    (screen.height * (1 - 2 * MARGIN)) / Math.max(1, bounds.height),
  );
  return center(bounds, screen, Math.min(1, Math.max(MIN_ZOOM, wanted)));
}

/** Whether names are too small to read where `bounds` are fitted into a narrow screen, such as that of a phone. */
export function isTooSmall(bounds: Rectangle, screen: Size): boolean {
  return screen.width < NARROW && fit(bounds, screen).zoom < READABLE_ZOOM;
}

/** Centers `place` on the screen. */
export function center(place: Rectangle, screen: Size, zoom: number): Viewport {
  const { x, y } = middleOf(place);
  return { zoom, x: screen.width / 2 - x * zoom, y: screen.height / 2 - y * zoom };
}

/** Returns whether all of `place` is visible. */
export function isSeen(place: Rectangle, view: Viewport, screen: Size): boolean {
  const [left, top] = [place.x * view.zoom + view.x, place.y * view.zoom + view.y];
  const [right, bottom] = [left + place.width * view.zoom, top + place.height * view.zoom];
  return left >= 0 && top >= 0 && right <= screen.width && bottom <= screen.height;
}
