// Checks whether conditions identify rows by their primary key.
import type { Relation } from '../../catalog/schema-cache.ts';
import type { Condition, OperationPlan } from './read-plan.ts';
import type { Operation } from '../../request/query/query-params.ts';

/** Whether the conditions compare each column of the key to a value; there may be others. */
export function filtersByKey(where: readonly Condition[], key: readonly string[]): boolean {
  const isFixed = (column: string): boolean =>
    where.some((one) => one.kind === 'filter' && one.field.column === column && isPlainEquality(one));
  return key.length > 0 && key.every(isFixed);
}

/** Whether the conditions are the whole key of one row of a table and nothing else. */
export function isRowKey(
  where: readonly Condition[],
  { kind, primaryKey, hasInheritors }: Pick<Relation, 'kind' | 'primaryKey' | 'hasInheritors'>,
): boolean {
  const hasKey = (kind === 'table' || kind === 'partitionedTable') && !hasInheritors;
  return hasKey && where.length === primaryKey.length && filtersByKey(where, primaryKey);
}

/** A parsed or a planned filter. */
interface AnyFilter {
  readonly field: { readonly path: readonly unknown[]; readonly score?: unknown };
  readonly negated: boolean;
  readonly operation: Operation | OperationPlan;
}

/** Checks whether a filter compares a column, without a JSON path, to one value, as key filters do. */
export function isPlainEquality({ field, negated, operation }: AnyFilter): boolean {
  const isEquality = operation.kind === 'compare' && operation.operator === 'eq' && operation.quantifier === undefined;
  return isEquality && !negated && field.path.length === 0 && field.score === undefined;
}
