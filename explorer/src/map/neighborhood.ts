// One table of the graph, with those that refer to it and those it refers to.
import type { SchemaGraph } from './schema-graph.ts';

/** Names, the table itself included. */
export function findNeighbors({ references }: SchemaGraph, name: string): ReadonlySet<string> {
  const found = new Set([name]);
  for (const { from, to } of references) {
    if (from === name) found.add(to);
    if (to === name) found.add(from);
  }
  return found;
}

/** What remains of the graph with these tables only. */
export function limitTo(graph: SchemaGraph, names: ReadonlySet<string>): SchemaGraph {
  return {
    tables: graph.tables.filter(({ name }) => names.has(name)),
    references: graph.references.filter(({ from, to }) => names.has(from) && names.has(to)),
  };
}

/** Tables whose names have the text in them, those that begin with it first. */
export function searchTables({ tables }: SchemaGraph, text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const rank = (name: string): number => name.toLowerCase().indexOf(wanted);
  const found = tables.map(({ name }) => name).filter((name) => rank(name) !== -1);
  return found.sort((a, b) => Math.min(1, rank(a)) - Math.min(1, rank(b)));
}
