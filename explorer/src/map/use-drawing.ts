// A graph and how it is to be shown → its drawing, as soon as it has been laid out. The layout library is loaded with the
// first map, and large schemas are laid out in slices, so that the page stays responsive.
import { useEffect, useState } from 'preact/hooks';
import { draw, type Drawing } from './drawing.ts';
import type { LayoutOptions } from './layout.ts';
import type { SchemaGraph } from './schema-graph.ts';

/** Slices run until so much time is gone. */
const TURN_MS = 30;

/** @returns undefined while it is being made */
export function useDrawing(graph: SchemaGraph, { columns, views }: LayoutOptions): Drawing | undefined {
  const [drawing, setDrawing] = useState<Drawing>();
  useEffect(() => {
    let isWanted = true;
    const make = async (): Promise<void> => {
      const made = await layOutInTurns(graph, { columns, views }, () => isWanted);
      if (isWanted) setDrawing(made);
    };
    void make();
    return () => {
      isWanted = false;
    };
  }, [graph, columns, views]);
  return drawing;
}

async function layOutInTurns(
  graph: SchemaGraph,
  options: LayoutOptions,
  isWanted: () => boolean,
): Promise<Drawing | undefined> {
  const { layOut } = await import('./layout.ts');
  const run = layOut(graph, options);
  let turnEnd = performance.now() + TURN_MS;
  while (isWanted()) {
    const step = run.next();
    if (step.done === true) return draw(step.value);
    if (performance.now() < turnEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turnEnd = performance.now() + TURN_MS;
  }
  return undefined;
}
