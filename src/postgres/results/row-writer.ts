// The interface of writers that assemble the response body from the rows of a statement.
import type { ServerMessage } from '../wire/decoder.ts';
import type { ColumnValue } from '../wire/read-message.ts';

export interface RowPartsWriter {
  /** Number of columns that come as a whole; undefined: all but the last. */
  readonly leading: number | undefined;
  /** @param columns the leading ones @returns false if the writer cannot write the row */
  begin(columns: readonly ColumnValue[]): boolean;
  /** @param piece of what follows the leading columns; if that is only one, of its value */
  add(piece: Buffer): boolean;
  /** @returns false if the writer cannot write the row, as `begin` and `add` do */
  end(): boolean;
}

/** `unspelled`: the server does not know how to write a value. */
export type RowAdding = 'added' | 'malformed' | 'unspelled';

export interface RowWriter {
  /** Number of columns before the body columns. */
  readonly headColumns: number;
  /** Whether rows are counted before the first one, so that the head is the same in all rows. */
  readonly isCounted: boolean;
  /** Takes rows that arrive in pieces; undefined if the writer needs whole rows. */
  readonly parts: RowPartsWriter | undefined;
  /** @returns whether the RowDescription is well-formed */
  describe(message: ServerMessage): boolean;
  /** @param message a DataRow, including the columns of the head */
  add(message: ServerMessage): RowAdding;
  /** Called after the last row. */
  end(): void;
}

/** Columns about the result, which precede those of a row: in a format that counts its rows first, and in NDJSON. */
export const COUNTED_HEAD_COLUMNS = 6;
export const LINE_HEAD_COLUMNS = 3;

export function doNothing(): void {}

export function returnTrue(): boolean {
  return true;
}
