// Translates wheel, drag and pinch gestures into viewport changes.
import { useEffect } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Point } from './geometry.ts';
import { pan, type Viewport, zoomAt } from './viewport.ts';

type Change = (change: (view: Viewport) => Viewport) => void;

/** Smaller movements count as a click. */
const DRAG_THRESHOLD = 4;
const WHEEL_SPEED = 0.0016;
const LINE_HEIGHT = 16;

export function useGestures(element: RefObject<SVGSVGElement | null>, change: Change): void {
  useEffect(() => {
    const svg = element.current;
    if (svg === null) return undefined;
    const control = new AbortController();
    const { signal } = control;
    listenToWheel(svg, change, signal);
    listenToPointers(svg, change, signal);
    return () => control.abort();
  }, [element, change]);
}

function listenToWheel(svg: SVGSVGElement, change: Change, signal: AbortSignal): void {
  const zoom = (event: WheelEvent): void => {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_HEIGHT : event.deltaY;
    // Trackpads report pinches as small wheel steps.
    const factor = Math.exp(-pixels * WHEEL_SPEED * (event.ctrlKey ? 6 : 1));
    change((view) => zoomAt(view, factor, pointIn(svg, event)));
  };
  svg.addEventListener('wheel', zoom, { passive: false, signal });
}

function listenToPointers(svg: SVGSVGElement, change: Change, signal: AbortSignal): void {
  const pointers = new Map<number, Point>();
  let moved = 0;
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, pointIn(svg, event));
  };
  const move = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = pointIn(svg, event);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (moved < DRAG_THRESHOLD) return;
    svg.setPointerCapture(event.pointerId);
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.set(event.pointerId, now);
    const by = { x: now.x - before.x, y: now.y - before.y };
    change((view) => (other === undefined ? pan(view, by) : pinch(view, { other, before, now })));
  };
  const up = (event: PointerEvent): void => void pointers.delete(event.pointerId);
  const click = (event: MouseEvent): void => {
    // A click at the end of a drag must not open anything.
    if (moved >= DRAG_THRESHOLD && event.detail > 0) event.stopPropagation();
  };
  svg.addEventListener('pointerdown', down, { signal });
  svg.addEventListener('pointermove', move, { signal });
  svg.addEventListener('pointerup', up, { signal });
  svg.addEventListener('pointercancel', up, { signal });
  svg.addEventListener('click', click, { signal, capture: true });
}

/** One finger stays and the other moves, so the map zooms around the first. */
function pinch(
  view: Viewport,
  { other, before, now }: { readonly other: Point; readonly before: Point; readonly now: Point },
): Viewport {
  const distance = (point: Point): number => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
  return zoomAt(view, distance(now) / distance(before), other);
}

function pointIn(svg: SVGSVGElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = svg.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
