// How the rows of a main statement become the response body: chosen in `plan/`, carried by the statement, read by
// `postgres/`.

/**
 * The shape of a main statement's rows. Columns travel as text unless stated otherwise.
 *
 * - `value`: one row with the columns page_rows, total, response_headers, response_status, optionally inserted and
 *   location, and the body (see `DbOutcome`), which may be long. `binary` if the body is a bytea whose raw bytes are
 *   the response. Every column is then sent in binary, so counts must be int4 or int8, and texts text, varchar or json
 *   (jsonb starts with a version byte).
 * - `singleRow`: at most one row, whose only column is the body; without a row the body is the empty array.
 * - `countedRows`: one row per row of the body, or one row if the body has none; the first six columns are those of a
 *   `value`, then follows the element (`array`) or the row's values (`csv`).
 * - `ndjson`: one row per line, or one row if there are none: total, response_headers and response_status as known so
 *   far, and the line.
 * - `explain`: any number of rows with one text column.
 */
export type Delivery =
  | { readonly kind: 'value'; readonly encoding: 'text' | 'binary' }
  | { readonly kind: 'singleRow' }
  | { readonly kind: 'countedRows'; readonly format: 'array' | 'csv' }
  | { readonly kind: 'ndjson' }
  | { readonly kind: 'explain' };

/** The deliveries that assemble the body from several rows. */
export type RowsDelivery = Extract<Delivery, { kind: 'countedRows' | 'ndjson' }>;
