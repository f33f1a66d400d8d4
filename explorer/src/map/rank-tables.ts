// Ranks connected tables by their distance to the one with the most references, for groups too large for dagre.
import type { Link } from './components.ts';

export function rankTables(names: readonly string[], links: readonly Link[]): readonly (readonly string[])[] {
  const neighbors = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const { from, to } of links) {
    neighbors.get(from)?.push(to);
    neighbors.get(to)?.push(from);
  }
  const columns: string[][] = [];
  const seen = new Set<string>();
  let column = names.toSorted((a, b) => countOf(neighbors, b) - countOf(neighbors, a)).slice(0, 1);
  while (column.length > 0) {
    for (const name of column) seen.add(name);
    columns.push(column);
    const next = column.flatMap((name) => neighbors.get(name) ?? []);
    column = [...new Set(next)].filter((name) => !seen.has(name));
  }
  return columns;
}

function countOf(neighbors: ReadonlyMap<string, readonly string[]>, name: string): number {
  return neighbors.get(name)?.length ?? 0;
}
