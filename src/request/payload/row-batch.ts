// Rows of a body that are read one by one, in batches.
import type { Result } from '../../contract/result.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';

/** An array of JSON objects, or one array of values per column. */
export type RowForm = 'objects' | 'columns';

export interface RowBatch {
  /** Number of rows. */
  readonly count: number;
  /** Returns the first rows as an array of JSON objects. */
  objects(count: number): Pieces;
  /**
   * All rows: for each key of the framer, its values as a PostgreSQL array in text form. Set only on request, if
   * possible.
   */
  readonly columns?: readonly Pieces[];
  /** Call it once, after the database has answered: the batch's memory is then reused. */
  readonly release?: () => void;
  /** The line of the body on which a row begins, counted from 1. */
  readonly lineOf: (row: number) => number;
}

/** All rows of a body in order. */
export interface RowBatches {
  /** Has no rows if the body has none; always in the form `objects`. */
  readonly first: RowBatch;
  /** Whether `columns` may be requested. */
  readonly isTabular: boolean;
  /**
   * Call it again only after the previous call has resolved.
   * @returns undefined after the last batch; by then the body has arrived completely
   */
  next(form: RowForm): Promise<Result<RowBatch | undefined, ApiError>>;
  /** Whether the whole body has arrived. */
  readonly isComplete: boolean;
}
