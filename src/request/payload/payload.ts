// What a request's body gives the database: rows or named arguments as JSON, arguments as text, or raw bytes.
import type { Pieces } from '../../contract/transaction.ts';
import type { FormFields } from './parse-form.ts';
import type { RowBatches } from './row-batch.ts';

/**
 * How many names of a body are looked at. No table has so many columns (1600), no function so many parameters (100): with
 * more names, one that nobody has is always among the first.
 */
export const MAX_NAMES = 10_000;

/** The database turns it into rows or named arguments. */
export interface JsonPayload {
  readonly kind: 'json';
  /** What the client sent, lines of JSON included. */
  readonly source: 'json' | 'csv' | 'form';
  /**
   * A JSON body untouched, even its white space; what was built from CSV or a form; `[]` for a JSON scalar. Not known to
   * be JSON when `columns` was given, and empty for an empty body of a function call.
   */
  readonly bytes: Pieces;
  /** For `json_to_recordset` rather than `json_to_record`. */
  readonly isArray: boolean;
  /**
   * Column set or argument names, distinct and in code-point order, up to `MAX_NAMES`: the `columns` parameter where it
   * was given.
   */
  readonly keys: readonly string[];
  /** Where the rows are read while they are inserted: `bytes` are those of the first batch. */
  readonly batches?: RowBatches | undefined;
}

export type Payload =
  | JsonPayload
  | { readonly kind: 'form'; /** Arguments as text, repeats kept. */ readonly fields: FormFields }
  | { readonly kind: 'raw'; readonly type: 'text' | 'xml' | 'bytea'; readonly bytes: Pieces };
