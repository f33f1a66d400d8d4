// In: the rows of a statement whose rows make the body, as they lie in received messages. Out: the bytes of the body.
import type { RowsDelivery } from '../../contract/delivery.ts';
import { addCsvLine } from './csv-line.ts';
import type { LineBuffer } from './line-buffer.ts';
import { NULL } from '../wire/read-message.ts';

export interface RowWriter {
  /** Columns before those that make the body. */
  readonly headColumns: number;
  /** The rows are counted before the first: the head is the same in all of them. */
  readonly isCounted: boolean;
  /** Rows may come in parts: this stands before and behind them. */
  readonly parts: { readonly begin: () => void; readonly end: () => void } | undefined;
  /** @param names of all columns */
  nameColumns(names: readonly Buffer[]): void;
  /** @param bounds where each column starts and ends, those of the head too */
  add(bytes: Buffer, bounds: readonly number[]): void;
  /** There are no more rows. */
  end(): void;
}

export function createRowWriter(delivery: RowsDelivery, lines: LineBuffer): RowWriter {
  if (delivery.kind === 'ndjson') return createLineWriter(lines);
  return delivery.format === 'csv' ? createCsvWriter(lines) : createArrayWriter(lines);
}

const NOTHING = Buffer.alloc(0);
function nothing(): void {}

/** The last column is a line without its end. */
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

/** As of an `outcome`. */
const COUNTED_HEAD_COLUMNS = 6;

const BRACKET = Buffer.from('[');
/** As PostgreSQL writes it between the rows of an array. */
const SEPARATOR = Buffer.from(', \n ');
const END_BRACKET = Buffer.from(']');

/** The last column is an element. */
function createArrayWriter(lines: LineBuffer): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  let isBegun = false;
  const begin = (): void => {
    lines.addAll(isBegun ? SEPARATOR : BRACKET);
    isBegun = true;
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
      if (!isBegun) begin();
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
  let isBegun = false;
  return {
    headColumns,
    isCounted: true,
    parts: undefined,
    nameColumns: (all) => {
      // The message is not to be kept.
      names = all.slice(headColumns).map((name) => Buffer.from(name));
    },
    add: (bytes, bounds) => {
      if (bytes[bounds[0] ?? 0] === ZERO) return;
      if (!isBegun) names.forEach((name, index) => lines.addAll(index === 0 ? name : Buffer.concat([COMMA, name])));
      isBegun = true;
      lines.addAll(LINE_FEED);
      addCsvLine(lines, bytes, bounds, headColumns);
    },
    end: () => {
      if (!isBegun) lines.addAll(LINE_FEED);
    },
  };
}
