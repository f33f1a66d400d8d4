// Tells whether a request returns grouped rows: columns to group by, and aggregates.
import type { SelectItem } from '../../../src/request/query/query-params.ts';
import { nameOfColumn } from '../url-state/levels.ts';
import type { QueryModel } from '../url-state/query-model.ts';

export interface GroupedColumns {
  /** Names in the response. */
  readonly groups: readonly string[];
  readonly measures: readonly string[];
}

/** Returns undefined without groups or without aggregates. */
export function groupedColumns({ params: { select } }: QueryModel): GroupedColumns | undefined {
  const measures = select.filter(isAggregate).map(nameOf);
  const groups = select.filter((item) => item.kind === 'column' && item.aggregate === undefined).map(nameOf);
  return measures.length > 0 && groups.length > 0 ? { groups, measures } : undefined;
}

function isAggregate(item: SelectItem): boolean {
  return item.kind === 'countRows' || (item.kind === 'column' && item.aggregate !== undefined);
}

function nameOf(item: SelectItem): string {
  if (item.kind === 'countRows') return item.alias ?? 'count';
  return item.kind === 'column' ? nameOfColumn(item) : '';
}
