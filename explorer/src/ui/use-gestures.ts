// Translates wheel, drag and pinch gestures on a drawing into moves and zooms.
import { useEffect } from 'preact/hooks';
import type { RefObject } from 'preact';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Called with pixels of the screen. */
export interface Gestures {
  readonly onMove: (by: Point) => void;
  /** @param pivot stays in place */
  readonly onZoom: (factor: number, pivot: Point) => void;
}

/** Smaller movements count as a click. */
const DRAG_THRESHOLD = 4;
const WHEEL_SPEED = 0.0016;
const LINE_HEIGHT = 16;

export function useGestures(element: RefObject<SVGSVGElement | null>, gestures: Gestures): void {
  useEffect(() => {
    const svg = element.current;
    if (svg === null) return undefined;
    const control = new AbortController();
    const { signal } = control;
    listenToWheel(svg, gestures, signal);
    listenToPointers(svg, gestures, signal);
    return () => control.abort();
  }, [element, gestures]);
}

function listenToWheel(svg: SVGSVGElement, { onZoom }: Gestures, signal: AbortSignal): void {
  const zoom = (event: WheelEvent): void => {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_HEIGHT : event.deltaY;
    // Trackpads report pinches as small wheel steps.
    const factor = Math.exp(-pixels * WHEEL_SPEED * (event.ctrlKey ? 6 : 1));
    onZoom(factor, pointIn(svg, event));
  };
  svg.addEventListener('wheel', zoom, { passive: false, signal });
}

function listenToPointers(svg: SVGSVGElement, { onMove, onZoom }: Gestures, signal: AbortSignal): void {
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
    if (other === undefined) onMove({ x: now.x - before.x, y: now.y - before.y });
    // One finger stays and the other moves, so the drawing zooms around the first.
    else onZoom(distance(now, other) / distance(before, other), other);
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

function distance(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}

function pointIn(svg: SVGSVGElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = svg.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
