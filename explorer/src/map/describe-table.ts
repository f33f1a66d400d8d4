// A table → its name for screen readers, with what it is linked to.
import type { ElsewhereRelation, MapTable, SchemaGraph } from './schema-graph.ts';

const KINDS: Readonly<Record<MapTable['kind'], string>> = {
  table: 'table',
  view: 'view',
  materializedView: 'materialized view',
  foreignTable: 'foreign table',
};

export interface TableLinks {
  /** Names, each once. */
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
  if (refersTo.length > 0) parts.push(`refers to ${refersTo.join(' and ')}`);
  if (referredToBy.length > 0) parts.push(`referred to by ${referredToBy.join(' and ')}`);
  if (table.elsewhere.length > 0) parts.push(`related to ${table.elsewhere.map(nameWithSchema).join(' and ')}`);
  return parts.join(', ');
}

export function nameWithSchema({ schema, name }: ElsewhereRelation): string {
  return `${schema}.${name}`;
}
