// Checks whether a filter compares a column, without a JSON path, to one value, as key filters do.
import type { Operation } from '../../request/query/query-params.ts';
import type { OperationPlan } from './read-plan.ts';

/** A parsed or a planned filter. */
interface AnyFilter {
  readonly field: { readonly path: readonly unknown[]; readonly score?: unknown };
  readonly negated: boolean;
  readonly operation: Operation | OperationPlan;
}

export function isPlainEquality({ field, negated, operation }: AnyFilter): boolean {
  const isEquality = operation.kind === 'compare' && operation.operator === 'eq' && operation.quantifier === undefined;
  return isEquality && !negated && field.path.length === 0 && field.score === undefined;
}
