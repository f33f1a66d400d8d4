// How the rows of a main statement become the response body: chosen in `plan/`, carried by the statement, read by
// `postgres/`.

/** Formats made of rows of the statement, and what each row brings: an element as text, or a value for each column. */
export const ROW_CONTENTS = { array: 'element', csv: 'values' } as const;

export type RowsFormat = keyof typeof ROW_CONTENTS;

/**
 * The shape of a main statement's rows. Columns travel as text unless stated otherwise.
 *
 * - `value`: one row with the columns page_rows, total, response_headers, response_status, optionally inserted and location,
 *   and the body (see `DbOutcome`), which may be long. `binary` when the body is a bytea whose raw bytes are the response:
 *   every column then travels in binary, so counts have to be int4 or int8, and texts text, varchar or json (jsonb puts a
 *   version byte first).
 * - `singleRow`: no row, or one whose only column is the body; without a row the body is the empty array.
 * - `countedRows`: one row per row of the body, or one for none; the first six columns of a `value` with all of them, then
 *   what the format takes of the row (`ROW_CONTENTS`).
 * - `ndjson`: one row per line, or one for none: total, response_headers and response_status as known so far, and the line.
 * - `explain`: any number of rows of one text column.
 */
export type Delivery =
  | { readonly kind: 'value'; readonly encoding: 'text' | 'binary' }
  | { readonly kind: 'singleRow' }
  | { readonly kind: 'countedRows'; readonly format: RowsFormat }
  | { readonly kind: 'ndjson' }
  | { readonly kind: 'explain' };

/** The deliveries that assemble the body from several rows. */
export type RowsDelivery = Extract<Delivery, { kind: 'countedRows' | 'ndjson' }>;
