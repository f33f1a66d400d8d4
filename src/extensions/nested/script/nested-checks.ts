// Decides from the number of rows that a statement returns whether a nested row was written as asked.
import { assertNever } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { RowAbsence } from '../nested-plan.ts';

export type RowFault =
  | { readonly kind: 'missing'; readonly pointer: string }
  | { readonly kind: 'nestedRow'; readonly pointer: string; readonly reason: string };

/**
 * @param count rows that the statement returned
 * @param pointerOf returns the place of the row
 */
export function checkRow(absence: RowAbsence, count: number, pointerOf: () => string): RowFault | undefined {
  switch (absence) {
    case 'accepted':
      return undefined;
    case 'missing':
      return count > 0 ? undefined : { kind: 'missing', pointer: pointerOf() };
    case 'dropped':
      return count > 0 ? undefined : faulty(pointerOf(), 'The database did not keep this row');
    case 'different':
      return count === 1 ? undefined : faulty(pointerOf(), 'A key differs from that of its related row');
    case 'ambiguous':
      return count === 1 ? undefined : faulty(pointerOf(), `The filters select ${count} rows instead of one`);
    default:
      return assertNever(absence);
  }
}

function faulty(pointer: string, reason: string): RowFault {
  return { kind: 'nestedRow', pointer, reason };
}

/** Missing rows are reported together, unless another fault comes before them. */
export function summarizeFaults(faults: readonly RowFault[]): ApiError | undefined {
  const [first] = faults;
  if (first === undefined) return undefined;
  if (first.kind !== 'missing') return first;
  const missing = faults.filter(({ kind }) => kind === 'missing').map(({ pointer }) => pointer);
  return { kind: 'rowsNotFound', count: missing.length, details: missing.join(', ') };
}
