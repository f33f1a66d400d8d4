// Rows of a body that is used while it arrives, in batches: what the framers of the formats give, and who asks for them.
import type { Result } from '../../contract/result.ts';
import type { Slices } from '../../util/slices.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';

/** An array of JSON objects, or an array of values for each column. */
export type RowForm = 'objects' | 'columns';

export interface RowBatch {
  /** Rows. */
  readonly count: number;
  /** The first rows as an array of JSON objects. */
  objects(count: number): Pieces;
  /** All rows: for each key of the framer the values in the text of a PostgreSQL array. Only where asked for, not always. */
  readonly columns?: readonly Pieces[];
  /** To be called when the database has answered, and once: the memory of the batch is used again. */
  readonly release?: () => void;
  /** The line of the body, from 1, on which a row begins. */
  readonly lineOf: (row: number) => number;
}

/** All rows of a body in order. */
export interface RowBatches {
  /** Without rows where the body has none; in objects. */
  readonly first: RowBatch;
  /** Whether there is a use in asking for columns. */
  readonly isTabular: boolean;
  /**
   * To be called again when the call before has been answered.
   * @returns undefined after the last batch, which has come then: nothing more is expected of the client
   */
  next(form: RowForm): Promise<Result<RowBatch | undefined, ApiError>>;
  /** Whether the whole body has come. */
  readonly isComplete: boolean;
}

export interface Framed {
  readonly batch: RowBatch;
  /** Bytes that the batch covers, from the beginning. */
  readonly consumed: number;
}

const OPEN = new TextEncoder().encode('[');
const CLOSE = new TextEncoder().encode(']');

/** What there is of a first row does not reach to its end. */
export const NOTHING_FRAMED: Framed = {
  batch: { count: 0, objects: () => [OPEN, CLOSE], lineOf: () => 1 },
  consumed: 0,
};

/** Cuts the text of one body into rows; called with its bytes in order. */
export interface RowFramer {
  /** The columns that the rows fill, in code-point order; known with the first row. */
  readonly keys: readonly string[];
  /** Whether it can give columns. */
  readonly isTabular: boolean;
  /**
   * @param bytes what has not been consumed before and what has come since; they belong to the framer from then on
   * @param isLast whether the body ends with them; then a call without rows has consumed all
   * @param form default: objects
   */
  frame(bytes: Uint8Array, isLast: boolean, form?: RowForm): Slices<Result<Framed, ApiError>>;
}

interface Objects {
  /** JSON array of all rows. */
  readonly bytes: Pieces;
  /** Of each row: bytes of that array up to the row's end. */
  readonly ends: readonly number[];
  readonly lineOf: (row: number) => number;
}

export function batchOfObjects({ bytes, ends, lineOf }: Objects): RowBatch {
  const objects = (count: number): Pieces => (count === ends.length ? bytes : takeRows(bytes, ends[count - 1]));
  return { count: ends.length, objects, lineOf };
}

/** @param end of the last row; default: none is taken */
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
