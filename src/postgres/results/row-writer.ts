// The interface of writers that assemble the response body from the rows of a statement.

export interface RowWriter {
  /** Number of columns before the body columns. */
  readonly headColumns: number;
  /** Whether rows are counted before the first one, so that the head is the same in all rows. */
  readonly isCounted: boolean;
  /** Called before and after a row that arrives in pieces; undefined if the writer needs whole rows. */
  readonly parts: { readonly begin: () => void; readonly end: () => void } | undefined;
  /** @param names of all columns */
  nameColumns(names: readonly Buffer[]): void;
  /** @param bounds of all columns, including the head */
  add(bytes: Buffer, bounds: readonly number[]): void;
  /** Called after the last row. */
  end(): void;
}

/** Columns before the values of a row in a format that counts its rows first (`contract/delivery.ts`). */
export const COUNTED_HEAD_COLUMNS = 6;

export function doNothing(): void {}
