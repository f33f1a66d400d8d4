// Cuts the text of a body into rows: the interface between framers and their readers.
import type { Result } from '../../contract/result.ts';
import type { Slices } from '../../util/slices.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RowBatch, RowForm } from '../../request/payload/row-batch.ts';

export interface Framed {
  readonly batch: RowBatch;
  /** Number of leading bytes that the batch covers. */
  readonly consumed: number;
}

const OPEN = new TextEncoder().encode('[');
const CLOSE = new TextEncoder().encode(']');

/** The bytes do not contain a complete first row. */
export const NOTHING_FRAMED: Framed = {
  batch: { count: 0, objects: () => [OPEN, CLOSE], lineOf: () => 1 },
  consumed: 0,
};

/** Cuts the text of one body into rows; called with its bytes in order. */
export interface RowFramer {
  /** The columns that the rows fill, in code-point order; known once the first row is. */
  readonly keys: readonly string[];
  /** Whether it can produce columns. */
  readonly isTabular: boolean;
  /**
   * @param bytes the bytes not yet consumed and those that have arrived since; the framer owns them from now on
   * @param isLast whether the body ends with them; a call without rows has then consumed everything
   * @param form defaults to `objects`
   */
  frame(bytes: Uint8Array, isLast: boolean, form?: RowForm): Slices<Result<Framed, ApiError>>;
}

export function batchOfObjects(bytes: Pieces, ends: readonly number[], lineOf: (row: number) => number): RowBatch {
  const objects = (count: number): Pieces => (count === ends.length ? bytes : takeRows(bytes, ends[count - 1]));
  return { count: ends.length, objects, lineOf };
}

/** @param end where the last row ends; by default, no row is included */
function takeRows(bytes: Pieces, end: number = OPEN.length): Pieces {
  let room = end;
  const pieces: Uint8Array[] = [];
  for (const piece of bytes) {
    if (room === 0) break;
    pieces.push(piece.subarray(0, room));
    room -= Math.min(room, piece.length);
  }
  return [...pieces, CLOSE];
}
