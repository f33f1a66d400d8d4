// A drawing with its viewport: initially fitted, or at the center of the schema on a phone, then moved by buttons, keys and the focused table.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import { Button, IconButton } from '../ui/button.tsx';
import type { Drawing } from './drawing.ts';
import { boundsOf } from './geometry.ts';
import { MapCanvas } from './map-canvas.tsx';
import { MapLegend } from './map-legend.tsx';
import { findHub, findNeighbors } from './neighborhood.ts';
import type { Size } from './pack.ts';
import type { SchemaGraph } from './schema-graph.ts';
import { center, fit, isSeen, isTooSmall, READABLE_ZOOM, type Viewport, zoomAt } from './viewport.ts';

export interface MapDrawingProps {
  readonly graph: SchemaGraph;
  readonly drawing: Drawing;
  readonly focus: string | undefined;
  readonly onOpen: (name: string) => void;
}

const ZOOM_STEP = 1.3;

export function MapDrawing({ graph, drawing, focus, onOpen }: MapDrawingProps): VNode {
  const viewport = useSignal<Viewport>({ x: 0, y: 0, zoom: 1 });
  const marked = useSignal<string | undefined>(undefined);
  const element = useRef<SVGSVGElement>(null);
  const sizeOf = (): Size => element.current?.getBoundingClientRect() ?? { width: 800, height: 600 };
  const placeOf = (name: string): Drawing['tables'][number] | undefined =>
    drawing.tables.find(({ table }) => table.name === name);

  const showAll = (): void => {
    viewport.value = fit(drawing.bounds, sizeOf());
  };
  const showStart = (): void => {
    const hub = isTooSmall(drawing.bounds, sizeOf()) ? placeOf(findHub(graph) ?? '') : undefined;
    if (hub === undefined) showAll();
    else viewport.value = center(hub.place, sizeOf(), READABLE_ZOOM);
  };
  const zoom = (factor: number): void => {
    const { width, height } = sizeOf();
    viewport.value = zoomAt(viewport.peek(), factor, { x: width / 2, y: height / 2 });
  };
  const showFocus = (name: string): void => {
    const names = findNeighbors(graph, name);
    const near = drawing.tables.filter(({ table }) => names.has(table.name)).map(({ place }) => place);
    const target = placeOf(name);
    if (target === undefined) return showAll();
    const { zoom: fitting } = fit(boundsOf(near), sizeOf());
    viewport.value = center(target.place, sizeOf(), Math.max(READABLE_ZOOM, fitting));
    marked.value = name;
  };
  const reach = (name: string): void => {
    const target = placeOf(name);
    if (target === undefined || isSeen(target.place, viewport.peek(), sizeOf())) return;
    viewport.value = center(target.place, sizeOf(), Math.max(READABLE_ZOOM, viewport.peek().zoom));
  };
  const press = (key: string): boolean => {
    if (key === '+' || key === '=') zoom(ZOOM_STEP);
    else if (key === '-') zoom(1 / ZOOM_STEP);
    else if (key === '0') showAll();
    else return false;
    return true;
  };
  useEffect(() => {
    if (focus === undefined) showStart();
    else showFocus(focus);
  }, [drawing, focus]);

  return (
    <div class="map-drawing">
      <MapCanvas {...{ graph, drawing, viewport, marked, element, onOpen }} onKey={press} onReach={reach} />
      <p class="ui-unseen" id="map-keys">
        Arrow keys move between tables, Enter opens one. Plus and minus zoom, 0 shows all tables, Shift with arrow keys
        pans the map.
      </p>
      <MapLegend elsewhere={countElsewhere(graph)} />
      <div class="map-zoom" role="group" aria-label="Zoom">
        <IconButton icon="plus" label="Zoom in" size="small" onClick={() => zoom(ZOOM_STEP)} />
        <IconButton icon="minus" label="Zoom out" size="small" onClick={() => zoom(1 / ZOOM_STEP)} />
        <Button variant="quiet" size="small" onClick={showAll}>
          Fit
        </Button>
      </div>
    </div>
  );
}

function countElsewhere({ tables }: SchemaGraph): number {
  return new Set(tables.flatMap(({ elsewhere }) => elsewhere.map((one) => JSON.stringify(one)))).size;
}
