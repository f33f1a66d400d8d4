// The drawing on the page, with pan and zoom by pointer, wheel and keys. Each table can be focused and opened.
import { useComputed, type Signal } from '@preact/signals';
import { useCallback, useMemo, useRef } from 'preact/hooks';
import type { RefObject, VNode } from 'preact';
import { type Gestures, useGestures } from '../ui/use-gestures.ts';
import { describeTable, findLinks } from './describe-table.ts';
import type { DrawnTable, Drawing } from './drawing.ts';
import { findNext } from './find-next.ts';
import { findNeighbors } from './neighborhood.ts';
import type { SchemaGraph } from './schema-graph.ts';
import { SvgContent } from './svg-content.tsx';
import { pan, type Viewport, zoomAt } from './viewport.ts';

export interface MapCanvasProps {
  readonly graph: SchemaGraph;
  readonly drawing: Drawing;
  readonly viewport: Signal<Viewport>;
  /** The highlighted table, which is hovered, focused or found. */
  readonly marked: Signal<string | undefined>;
  readonly element: RefObject<SVGSVGElement | null>;
  readonly onOpen: (name: string) => void;
  readonly onKey: (key: string) => boolean;
  /** Scrolls a table into view. */
  readonly onReach: (name: string) => void;
}

const STEP = 60;
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

export function MapCanvas(props: MapCanvasProps): VNode {
  const { graph, drawing, viewport, marked, element, onKey } = props;
  const change = useCallback(
    (next: (view: Viewport) => Viewport) => {
      viewport.value = next(viewport.peek());
    },
    [viewport],
  );
  const gestures = useMemo<Gestures>(
    () => ({
      onMove: (by) => change((view) => pan(view, by)),
      onZoom: (factor, pivot) => change((view) => zoomAt(view, factor, pivot)),
    }),
    [change],
  );
  useGestures(element, gestures);
  const transform = useComputed(() => {
    const { x, y, zoom } = viewport.value;
    return `translate(${x} ${y}) scale(${zoom})`;
  });
  const press = (event: KeyboardEvent): void => {
    const move = event.shiftKey ? MOVES[event.key] : undefined;
    if (move !== undefined) change((view) => pan(view, { x: move[0], y: move[1] }));
    else if (event.ctrlKey || event.metaKey || event.altKey || !onKey(event.key)) return;
    event.preventDefault();
  };
  const name = marked.value;
  const neighbors = useMemo(() => (name === undefined ? undefined : findNeighbors(graph, name)), [graph, name]);
  return (
    <svg
      ref={element}
      class="map-canvas"
      role="group"
      aria-label={`Map of ${drawing.tables.length} tables and views`}
      aria-describedby="map-keys"
      onKeyDown={press}
    >
      <g transform={transform}>
        <Lines drawing={drawing} name={name} />
        <SvgContent nodes={drawing.titles} />
        <Tables {...props} neighbors={neighbors} />
      </g>
    </svg>
  );
}

function Lines({ drawing, name }: { readonly drawing: Drawing; readonly name: string | undefined }): VNode {
  const contents = useMemo(() => drawing.references.map(({ nodes }) => <SvgContent nodes={nodes} />), [drawing]);
  return (
    <g aria-hidden="true">
      {drawing.references.map(({ reference }, index) => {
        const isNear = reference.from === name || reference.to === name;
        const state = name === undefined ? '' : isNear ? ' map-near' : ' map-faded';
        return (
          <g key={reference.id} class={`map-reference${state}`}>
            {contents[index]}
          </g>
        );
      })}
    </g>
  );
}

interface TablesProps extends MapCanvasProps {
  readonly neighbors: ReadonlySet<string> | undefined;
}

function Tables({ graph, drawing, marked, neighbors, onOpen, onReach }: TablesProps): VNode {
  const list = useRef<SVGGElement>(null);
  const contents = useMemo(
    () =>
      drawing.tables.map(({ table, nodes }) => ({
        label: describeTable(table, findLinks(graph, table.name)),
        nodes: (
          <g aria-hidden="true">
            <SvgContent nodes={nodes} />
          </g>
        ),
      })),
    [drawing, graph],
  );
  const stop = drawing.tables.some(({ table }) => table.name === marked.value)
    ? marked.value
    : drawing.tables[0]?.table.name;
  const press = (event: KeyboardEvent, { table }: DrawnTable): void => {
    if (event.key === 'Enter' || event.key === ' ') onOpen(table.name);
    else {
      const next = event.shiftKey ? undefined : findNext(drawing.tables, table.name, event.key);
      if (next === undefined) return;
      const element = list.current?.children.item(drawing.tables.indexOf(next));
      if (element instanceof SVGElement) element.focus({ preventScroll: true });
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <g ref={list}>
      {drawing.tables.map((drawn, index) => {
        const { name } = drawn.table;
        const { x, y } = drawn.place;
        const state = neighbors === undefined ? '' : neighbors.has(name) ? ' map-near' : ' map-faded';
        return (
          <g
            key={name}
            class={`map-table${state}${name === marked.value ? ' map-marked' : ''}`}
            transform={`translate(${x} ${y})`}
            role="link"
            tabindex={name === stop ? 0 : -1}
            onClick={() => onOpen(name)}
            onKeyDown={(event) => press(event, drawn)}
            onFocus={() => {
              marked.value = name;
              onReach(name);
            }}
            onPointerEnter={(event) => {
              if (event.pointerType === 'mouse') marked.value = name;
            }}
            onPointerLeave={(event) => {
              if (event.pointerType === 'mouse') marked.value = undefined;
            }}
          >
            <title>{contents[index]?.label}</title>
            {contents[index]?.nodes}
          </g>
        );
      })}
    </g>
  );
}
