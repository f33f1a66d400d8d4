// What a request body contributes to the database call: rows or named arguments as JSON, arguments as text, or raw
// bytes.
import type { Pieces } from '../../contract/transaction.ts';
import type { RawFormat } from '../../media/formats.ts';
import type { FormFields } from './parse-form.ts';
import type { RowBatches } from './row-batch.ts';

/**
 * Maximum number of names read from a body. No table has that many columns (1600) and no function that many parameters
 * (100), so among more names, the first ones always include an unknown one.
 */
export const MAX_NAMES = 10_000;
/** Maximum bytes of a name in a body, far more than PostgreSQL's names have (63). */
export const MAX_NAME_BYTES = 32_768;

/** How a PATCH combines a value with the stored one (`beyond.md` §2.6). */
export interface GivenOperation {
  /** `$add`; may be unknown. */
  readonly name: string;
  readonly operand: 'object' | 'array' | 'null' | 'other';
  /** For an object: the number of levels of objects that contain only objects. */
  readonly depth: number;
  /** The value of a merge patch: columns that are not JSON take it as it is. */
  readonly isImplied: boolean;
}

/** The elements of a PATCH that changes rows by their keys (`beyond.md` §2.3). */
export interface Elements {
  /** Keys that every element has. */
  readonly common: ReadonlySet<string>;
  /** Operations by their keys in `bytes`, which stand for a column and an operation on it. */
  readonly operations: ReadonlyMap<string, ElementOperation>;
}

export interface ElementOperation extends GivenOperation {
  readonly column: string;
}

/** JSON that the database turns into rows or named arguments. */
export interface JsonPayload {
  readonly kind: 'json';
  /** The format that the client sent; NDJSON counts as `json`. */
  readonly source: 'json' | 'csv' | 'form';
  /**
   * A JSON body unchanged, including white space; JSON built from CSV or a form; or `[]` for a JSON scalar. Not
   * validated if `columns` was given, and empty for a function call with an empty body.
   */
  readonly bytes: Pieces;
  /** Selects `json_to_recordset` instead of `json_to_record`. */
  readonly isArray: boolean;
  /**
   * Columns or argument names, distinct and in code-point order, up to `MAX_NAMES`; the `columns` parameter if it was
   * given.
   */
  readonly keys: readonly string[];
  /** Operations by column, for a PATCH in a format of operations; `bytes` then contains their operands. */
  readonly operations?: ReadonlyMap<string, GivenOperation> | undefined;
  /** Set if each element finds its rows by itself; `keys` may then be missing in some elements. */
  readonly elements?: Elements | undefined;
  /** Whether the objects may contain related rows; `bytes` is then one piece of valid JSON, whose keys the plan reads. */
  readonly isNested?: true;
  /** Set if rows are read while they are inserted; `bytes` then contains the first batch. */
  readonly batches?: RowBatches | undefined;
}

export type Payload =
  | JsonPayload
  | { readonly kind: 'form'; /** Arguments as text, repeats kept. */ readonly fields: FormFields }
  | { readonly kind: 'raw'; readonly format: RawFormat; readonly bytes: Pieces };
