// Hook that lays out a graph and returns its drawing. Loads the layout library on first use, and lays out large schemas
// in slices, so that the page stays responsive.
import { useEffect, useState } from 'preact/hooks';
import { draw, type Drawing } from './drawing.ts';
import type { LayoutOptions } from './layout.ts';
import type { SchemaGraph } from './schema-graph.ts';

/** Maximum time per slice. */
const SLICE_MS = 30;

/** @returns undefined until the layout is complete */
export function useDrawing(graph: SchemaGraph, { columns, views }: LayoutOptions): Drawing | undefined {
  const [drawing, setDrawing] = useState<Drawing>();
  useEffect(() => {
    let isWanted = true;
    const make = async (): Promise<void> => {
      const made = await layOutInSlices(graph, { columns, views }, () => isWanted);
      if (isWanted) setDrawing(made);
    };
    void make();
    return () => {
      isWanted = false;
    };
  }, [graph, columns, views]);
  return drawing;
}

async function layOutInSlices(
  graph: SchemaGraph,
  options: LayoutOptions,
  isWanted: () => boolean,
): Promise<Drawing | undefined> {
  const { layOut } = await import('./layout.ts');
  const run = layOut(graph, options);
  let turnEnd = performance.now() + SLICE_MS;
  while (isWanted()) {
    const step = run.next();
    if (step.done === true) return draw(step.value);
    if (performance.now() < turnEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turnEnd = performance.now() + SLICE_MS;
  }
  return undefined;
}
