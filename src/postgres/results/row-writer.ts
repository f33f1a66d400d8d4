// What makes the body of the rows of a statement. In: rows as they lie in received messages. Out: the bytes of the body.

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

const NOTHING = Buffer.alloc(0);
function nothing(): void {}

/** The last column is a line without its line feed. */
function createLineWriter(lines: LineBuffer): RowWriter {
  const headColumns = 3;
  return {
    headColumns,
    isCounted: false,
    parts: { begin: nothing, end: () => lines.add(NOTHING, 0, 0) },
    nameColumns: nothing,
    add: (bytes, bounds) => {
      const from = bounds[2 * headColumns] ?? NULL;
      if (from !== NULL) lines.add(bytes, from, bounds[2 * headColumns + 1] ?? from);
    },
    end: nothing,
  };
}

/** Same columns as an `outcome`. */
const COUNTED_HEAD_COLUMNS = 6;

const BRACKET = Buffer.from('[');
/** PostgreSQL writes this separator between rows of an array. */
const SEPARATOR = Buffer.from(', \n ');
const END_BRACKET = Buffer.from(']');

/** The last column is an array element. */
function createArrayWriter(lines: LineBuffer): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  let hasStarted = false;
  const begin = (): void => {
    lines.addAll(hasStarted ? SEPARATOR : BRACKET);
    hasStarted = true;
  };
  return {
    headColumns,
    isCounted: true,
    parts: { begin, end: nothing },
    nameColumns: nothing,
    add: (bytes, bounds) => {
      const from = bounds[2 * headColumns] ?? NULL;
      if (from === NULL) return;
      begin();
      lines.addPart(bytes, from, bounds[2 * headColumns + 1] ?? from);
    },
    end: () => {
      if (!hasStarted) begin();
      lines.addAll(END_BRACKET);
    },
  };
}

const LINE_FEED = Buffer.from('\n');
const COMMA = Buffer.from(',');
const ZERO = 0x30;

/** The first column is the number of rows. */
function createCsvWriter(lines: LineBuffer): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  let names: readonly Buffer[] = [];
  let hasStarted = false;
  return {
    headColumns,
    isCounted: true,
    parts: undefined,
    nameColumns: (all) => {
      // The message buffer may be reused.
      names = all.slice(headColumns).map((name) => Buffer.from(name));
    },
    add: (bytes, bounds) => {
      if (bytes[bounds[0] ?? 0] === ZERO) return;
      if (!hasStarted) names.forEach((name, index) => lines.addAll(index === 0 ? name : Buffer.concat([COMMA, name])));
      hasStarted = true;
      lines.addAll(LINE_FEED);
      addCsvLine(lines, bytes, bounds, headColumns);
    },
    end: () => {
      if (!hasStarted) lines.addAll(LINE_FEED);
    },
  };
}
