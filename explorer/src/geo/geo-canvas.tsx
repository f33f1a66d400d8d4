// The drawing of the rows with pan and zoom by pointer, wheel, keys and buttons. Each row is a link to its page.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RefObject, VNode } from 'preact';
import { IconButton } from '../ui/button.tsx';
import { type Gestures, useGestures } from '../ui/use-gestures.ts';
import { GeoGrid, GeoTexts } from './geo-texts.tsx';
import type { MapRow } from './map-rows.ts';
import type { Bounds, Projection } from './projection.ts';
import { renderPath } from './shape-path.ts';
import { fitView, moveView, type Size, toScreen, type View, zoomView } from './view.ts';

interface GeoCanvasProps {
  readonly rows: readonly MapRow[];
  readonly projection: Projection;
  readonly bounds: Bounds;
  readonly column: string;
}

const [STEP_PX, ZOOM_STEP] = [60, 1.5];
/** Above it, the table is the way to the rows by keyboard. */
const MAX_TAB_STOPS = 100;
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP_PX, 0],
  ArrowRight: [-STEP_PX, 0],
  ArrowUp: [0, STEP_PX],
  ArrowDown: [0, -STEP_PX],
};

export function GeoCanvas({ rows, projection, bounds, column }: GeoCanvasProps): VNode {
  const svg = useRef<SVGSVGElement>(null);
  const size = useSize(svg);
  const [hint, setHint] = useState<Hint | undefined>(undefined);
  const { view, gestures, zoom, reset } = useView(bounds, size, svg);
  const press = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (move !== undefined) gestures.onMove({ x: move[0], y: move[1] });
    else if (event.key === '+' || event.key === '=') zoom(ZOOM_STEP);
    else if (event.key === '-') zoom(1 / ZOOM_STEP);
    else if (event.key === '0') reset();
    else return;
    event.preventDefault();
  };
  return (
    <div class="geo-canvas">
      <svg
        ref={svg}
        role="group"
        tabindex={0}
        aria-label={`Map of ${rows.length} rows by ${column}. Arrow keys move it, + and - zoom, 0 shows everything.`}
        onKeyDown={press}
      >
        {view === undefined ? null : (
          <>
            <GeoGrid {...{ projection, view, size }} />
            <g transform={transformOf(view, bounds)}>
              <Rows {...{ rows, projection, bounds }} onHint={setHint} />
            </g>
            <GeoTexts {...{ rows, projection, view, size }} />
          </>
        )}
      </svg>
      {hint === undefined ? null : (
        <div class="geo-hint" aria-hidden="true" style={{ left: `${hint.x}px`, top: `${hint.y}px` }}>
          <bdi>{hint.label}</bdi>
        </div>
      )}
      <div class="ui-stack ui-gap-2 geo-buttons">
        <IconButton icon="plus" label="Zoom in" variant="default" onClick={() => zoom(ZOOM_STEP)} />
        <IconButton icon="minus" label="Zoom out" variant="default" onClick={() => zoom(1 / ZOOM_STEP)} />
        <IconButton icon="fit" label="Show everything" variant="default" onClick={reset} />
      </div>
    </div>
  );
}

/** The label of the row under the pointer, at a place of the drawing. */
interface Hint {
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

/** Paths are relative to the corner of the bounds. */
function transformOf(view: View, { left, top }: Bounds): string {
  const [x, y] = toScreen(view, [left, top]);
  return `translate(${x} ${y}) scale(${view.scale})`;
}

interface ViewControl {
  /** Undefined until the size is known. */
  readonly view: View | undefined;
  readonly gestures: Gestures;
  /** Zooms around the middle. */
  readonly zoom: (factor: number) => void;
  readonly reset: () => void;
}

function useView(bounds: Bounds, size: Size, svg: RefObject<SVGSVGElement | null>): ViewControl {
  const [moved, setMoved] = useState<View | undefined>(undefined);
  const whole = useMemo(() => (size.width === 0 ? undefined : fitView(bounds, size)), [bounds, size]);
  const change = useCallback(
    (next: (view: View, whole: View) => View) =>
      setMoved((before) => (whole === undefined ? undefined : next(before ?? whole, whole))),
    [whole],
  );
  const gestures = useMemo<Gestures>(
    () => ({
      onMove: (by) => change((view) => moveView(view, by)),
      onZoom: (factor, pivot) => change((view, { scale }) => zoomView(view, { factor, pivot, whole: scale })),
    }),
    [change],
  );
  useGestures(svg, gestures);
  return {
    view: moved ?? whole,
    gestures,
    zoom: (factor) => gestures.onZoom(factor, { x: size.width / 2, y: size.height / 2 }),
    reset: () => setMoved(undefined),
  };
}

function useSize(element: RefObject<SVGSVGElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      setSize({ width, height });
    });
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

interface RowsProps extends Pick<GeoCanvasProps, 'rows' | 'projection' | 'bounds'> {
  readonly onHint: (hint: Hint | undefined) => void;
}

/** Drawn once: pan and zoom change only the transformation around it. */
function Rows({ rows, projection, bounds, onHint }: RowsProps): VNode {
  return useMemo(() => {
    const tabIndex = rows.length > MAX_TAB_STOPS ? -1 : 0;
    const point = (label: string, event: PointerEvent): void => {
      const box = event.currentTarget instanceof SVGElement ? event.currentTarget.ownerSVGElement : null;
      const { left = 0, top = 0 } = box?.getBoundingClientRect() ?? {};
      onHint({ label, x: event.clientX - left, y: event.clientY - top });
    };
    return (
      <>
        {rows.map((row, index) => {
          const own = {
            class: 'geo-row',
            'aria-label': row.label,
            onPointerMove: (event: PointerEvent) => point(row.label, event),
            onPointerLeave: () => onHint(undefined),
            onPointerDown: () => onHint(undefined),
          };
          const paths = row.shapes.map((shape, place) => (
            <path
              key={place}
              class={`geo-${shape.kind}`}
              d={renderPath(shape, projection, [bounds.left, bounds.top])}
            />
          ));
          return row.href === undefined ? (
            <g key={index} {...own} role="img">
              {paths}
            </g>
          ) : (
            <a key={index} {...own} href={row.href} tabindex={tabIndex}>
              {paths}
            </a>
          );
        })}
      </>
    );
  }, [rows, projection, bounds, onHint]);
}
