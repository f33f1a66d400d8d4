// Decides from the number of rows that a statement returns whether a nested row was written as asked.
import { assertNever } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { TaskRow } from '../plan/actions/nested-plan.ts';

export type RowFault =
  | { readonly kind: 'missing'; readonly pointer: string }
  | { readonly kind: 'nestedRow'; readonly pointer: string; readonly reason: string };

/** @param count rows that the statement returned */
export function checkRow({ absence, pointer }: TaskRow, count: number): RowFault | undefined {
  switch (absence) {
    case 'accepted':
      return undefined;
    case 'missing':
      return count > 0 ? undefined : { kind: 'missing', pointer };
    case 'dropped':
      return count > 0 ? undefined : { kind: 'nestedRow', pointer, reason: 'The database did not keep this row' };
    case 'different':
      return count === 1
        ? undefined
        : { kind: 'nestedRow', pointer, reason: 'A key differs from that of its related row' };
    case 'ambiguous': {
      const reason = `The filters select ${count} rows instead of one`;
      return count === 1 ? undefined : { kind: 'nestedRow', pointer, reason };
    }
    default:
      return assertNever(absence);
  }
}

/** Columns that are null refer to no row, although the body has one. */
export function nestedOrphan({ pointer }: TaskRow): ApiError {
  return { kind: 'nestedRow', pointer, reason: 'The key of its related row is null' };
}

/** Missing rows are reported together, unless another fault comes before them. */
export function summarizeFaults(faults: readonly RowFault[]): ApiError | undefined {
  const [first] = faults;
  if (first === undefined) return undefined;
  if (first.kind !== 'missing') return first;
  const missing = faults.filter(({ kind }) => kind === 'missing').map(({ pointer }) => pointer);
  return { kind: 'rowsNotFound', count: missing.length, details: missing.join(', ') };
}
