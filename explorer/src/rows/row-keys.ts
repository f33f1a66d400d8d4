// Addresses rows of a relation by their primary keys.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Filter, LogicGroup, LogicNode, Operation } from '../../../src/request/query/query-params.ts';
import type { RowKey } from './row-links.ts';
import { createModel, type ModelParams } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';

type Conditions = Pick<ModelParams, 'filters' | 'logic'>;

/** Returns conditions that match these rows of the relation. */
export function whereKeys({ key: columns }: DescribedRelation, keys: readonly RowKey[]): Conditions {
  const [first = [], ...others] = keys;
  const [column] = columns;
  if (others.length === 0) return { filters: equalities(columns, first).map(atTop), logic: [] };
  if (columns.length === 1 && column !== undefined)
    return { filters: [atTop(filterOn(column, { kind: 'in', values: keys.flat() }))], logic: [] };
  const rows = keys.map((key) => group('and', equalities(columns, key)));
  return { filters: [], logic: [atTop(group('or', rows))] };
}

/** `/houses?id=in.(3,5)` */
export function urlOfKeys(relation: DescribedRelation, keys: readonly RowKey[]): string {
  const model = createModel({ kind: 'relation', name: relation.name });
  return renderUrl({ ...model, params: { ...model.params, ...whereKeys(relation, keys) } });
}

function equalities(columns: readonly string[], key: RowKey): readonly Filter[] {
  return columns.map((column, index) =>
    filterOn(column, { kind: 'compare', operator: 'eq', quantifier: undefined, value: key[index] ?? '' }),
  );
}

function filterOn(column: string, operation: Operation): Filter {
  return { kind: 'filter', field: { column, path: [] }, negated: false, operation };
}

function group(operator: LogicGroup['operator'], members: readonly LogicNode[]): LogicGroup {
  return { kind: 'group', operator, negated: false, members };
}

function atTop<T>(value: T): { readonly path: readonly string[]; readonly value: T } {
  return { path: [], value };
}
