// How the rows of a main statement become the response body. `plan/` chooses the delivery, the statement carries it,
// and `postgres/` reads the rows accordingly.

/**
 * Formats that the server assembles from rows. Each row contains one element as text, or one value per column. `objects`
 * is an array of JSON objects, like `array`.
 */
export const ROW_CONTENTS = { array: 'element', csv: 'values', objects: 'values' } as const;

export type RowsFormat = keyof typeof ROW_CONTENTS;

/**
 * The shape of a main statement's rows. Columns travel as text unless stated otherwise.
 *
 * - `value`: one row with the columns page_rows, total, response_headers, response_status, optionally inserted and
 *   location, and the body (see `DbOutcome`), which may be long. `binary` if the body is a bytea whose bytes are the
 *   response: every column is then sent in binary, so counts must be int4 or int8, and texts must be text, varchar or
 *   json (jsonb begins with a version byte).
 * - `singleRow`: no row, or one whose only column is the body. Without a row, the body is an empty array.
 * - `countedRows`: one row per row of the body, but at least one, unless the number of rows is null in all of them: then
 *   there are as many as come. The first six columns are those of a `value`, with
 *   inserted and location; the others contain the row as `ROW_CONTENTS` specifies. Before the values of `objects`, there
 *   is one more: whether dates have the style ISO.
 * - `ndjson`: one row per line, and usually at least one, with the total, the response_headers and response_status known so
 *   far, and the line; or, with `spelledTypes`, whether dates have the style ISO, and the values. Without a line, or
 *   values, these are null.
 * - `affected`: no rows. The tag of the command says how many rows are written, and nothing else is known.
 * - `explain`: the lines of an execution plan, one row each.
 * - `lines`: zero or more rows of one text column.
 */
export type Delivery =
  | { readonly kind: 'value'; readonly encoding: 'text' | 'binary' }
  | { readonly kind: 'singleRow' }
  | { readonly kind: 'countedRows'; readonly format: Exclude<RowsFormat, 'objects'> }
  | SpelledArrayDelivery
  | { readonly kind: 'ndjson' }
  | SpelledLinesDelivery
  | { readonly kind: 'affected' }
  | { readonly kind: 'explain' }
  | { readonly kind: 'lines' };

/** Rows whose values the server writes as JSON (`docs/decisions/row-form.md`). */
interface Spelled {
  /** OIDs of the types that the server can spell. If a column has another type, the general statement runs instead. */
  readonly spelledTypes: ReadonlySet<number>;
}

export interface SpelledLinesDelivery extends Spelled {
  readonly kind: 'ndjson';
}

export interface SpelledArrayDelivery extends Spelled {
  readonly kind: 'countedRows';
  readonly format: 'objects';
  /** Whether the body is likely to be long, and is therefore streamed early. */
  readonly isLong: boolean;
}

export type SpelledDelivery = SpelledArrayDelivery | SpelledLinesDelivery;

/** The deliveries that assemble the body from several rows. */
export type RowsDelivery = Extract<Delivery, { kind: 'countedRows' | 'ndjson' }>;
