// Filter → whether it asks that the column itself equals one value, as the filters of a key do.
import type { Operation } from '../../request/query/query-params.ts';

/** As it was asked for, or as it was planned. */
interface AnyFilter {
  readonly field: { readonly path: readonly unknown[] };
  readonly negated: boolean;
  readonly operation: Operation;
}

export function isPlainEquality({ field, negated, operation }: AnyFilter): boolean {
  const isEquality = operation.kind === 'compare' && operation.operator === 'eq' && operation.quantifier === undefined;
  return isEquality && !negated && field.path.length === 0;
}
