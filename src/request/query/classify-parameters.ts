// Sorts decoded parameters by purpose, which their name alone determines (`reading.md` §2.2, §2.3).
import type { Parameter } from './split-query.ts';

export type GivenParameter = Parameter & { readonly value: string };

export interface ClassifiedParameters {
  /** For `select`, `columns` and `on_conflict`, the first occurrence wins. */
  readonly select: string | undefined;
  readonly columns: string | undefined;
  readonly onConflict: string | undefined;
  readonly orders: readonly GivenParameter[];
  readonly logic: readonly GivenParameter[];
  readonly ranges: readonly GivenParameter[];
  readonly filters: readonly GivenParameter[];
}

/** Parameters without `=` count as absent. */
export function classifyParameters(parameters: readonly Parameter[]): ClassifiedParameters {
  const orders: GivenParameter[] = [];
  const logic: GivenParameter[] = [];
  const ranges: GivenParameter[] = [];
  const filters: GivenParameter[] = [];
  let select: string | undefined;
  let columns: string | undefined;
  let onConflict: string | undefined;
  for (const { name, value } of parameters) {
    if (value === undefined) continue;
    if (name === 'select') select ??= value;
    else if (name === 'columns') columns ??= value;
    else if (name === 'on_conflict') onConflict ??= value;
    else {
      // The quotes in `"order"` keep it from matching the keyword.
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (last === 'order') orders.push({ name, value });
      else if (last === 'and' || last === 'or') logic.push({ name, value });
      else if (last === 'limit' || last === 'offset') ranges.push({ name, value });
      else filters.push({ name, value });
    }
  }
  return { select, columns, onConflict, orders, logic, ranges, filters };
}
