// Describes a table and its links for screen readers.
import type { ElsewhereRelation, MapTable, SchemaGraph } from './schema-graph.ts';

const KINDS: Readonly<Record<MapTable['kind'], string>> = {
  table: 'table',
  view: 'view',
  materializedView: 'materialized view',
  foreignTable: 'foreign table',
};

export interface TableLinks {
  /** Distinct names. */
  readonly refersTo: readonly string[];
  readonly referredToBy: readonly string[];
}

export function findLinks({ references }: SchemaGraph, name: string): TableLinks {
  const refersTo = references.filter(({ from }) => from === name).map(({ to }) => to);
  const referredToBy = references.filter(({ to }) => to === name).map(({ from }) => from);
  return { refersTo: [...new Set(refersTo)], referredToBy: [...new Set(referredToBy)] };
}

export function describeKind({ kind, isJunction }: Pick<MapTable, 'kind' | 'isJunction'>): string {
  return isJunction ? 'junction table' : KINDS[kind];
}

/** `houses, table, refers to streets, referred to by residents, related to geo.places` */
export function describeTable(table: MapTable, { refersTo, referredToBy }: TableLinks): string {
  const parts = [table.name, describeKind(table)];
  if (refersTo.length > 0) parts.push(`references ${refersTo.join(' and ')}`);
  if (referredToBy.length > 0) parts.push(`referenced by ${referredToBy.join(' and ')}`);
  if (table.elsewhere.length > 0) parts.push(`related to ${table.elsewhere.map(nameWithSchema).join(' and ')}`);
  return parts.join(', ');
}

export function nameWithSchema({ schema, name }: ElsewhereRelation): string {
  return `${schema}.${name}`;
}
