// Finds the neighbors of a table, and searches tables by name.
import type { SchemaGraph } from './schema-graph.ts';

/** Returns names, including that of the table itself. */
export function findNeighbors({ references }: SchemaGraph, name: string): ReadonlySet<string> {
  const found = new Set([name]);
  for (const { from, to } of references) {
    if (from === name) found.add(to);
    if (to === name) found.add(from);
  }
  return found;
}

/** Returns the table with the most references, or the first one; undefined for an empty graph. */
export function findHub({ tables, references }: SchemaGraph): string | undefined {
  const count = (name: string): number => references.filter(({ from, to }) => from === name || to === name).length;
  const counted = tables.map(({ name }) => ({ name, links: count(name) }));
  return counted.sort((a, b) => b.links - a.links)[0]?.name;
}

/** Returns the subgraph of these tables. */
export function limitTo(graph: SchemaGraph, names: ReadonlySet<string>): SchemaGraph {
  return {
    tables: graph.tables.filter(({ name }) => names.has(name)),
    references: graph.references.filter(({ from, to }) => names.has(from) && names.has(to)),
  };
}

/** Finds tables whose names contain the text; those that start with it come first. */
export function searchTables({ tables }: SchemaGraph, text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const rank = (name: string): number => name.toLowerCase().indexOf(wanted);
  const found = tables.map(({ name }) => name).filter((name) => rank(name) !== -1);
  return found.sort((a, b) => Math.min(1, rank(a)) - Math.min(1, rank(b)));
}
