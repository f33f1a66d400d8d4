// Writes rows with one JSON element each as a JSON array, in the format of PostgreSQL's json_agg.
import { NULL } from '../wire/read-message.ts';
import type { LineBuffer } from './line-buffer.ts';
import { COUNTED_HEAD_COLUMNS, returnTrue, type RowWriter } from './row-writer.ts';

const BRACKET: Buffer = Buffer.from('[');
const SEPARATOR: Buffer = Buffer.from(', \n ');
const END_BRACKET: Buffer = Buffer.from(']');

/** Creates a writer for rows whose last column is the element. */
export function createArrayWriter(lines: LineBuffer): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  const { begin, end } = delimitElements(lines);
  return {
    headColumns,
    isCounted: true,
    parts: { leading: undefined, begin, add: (piece) => lines.addPiece(piece), end: returnTrue },
    describe: returnTrue,
    add: (bytes, bounds) => {
      const from = bounds[2 * headColumns] ?? NULL;
      if (from === NULL) return true;
      begin();
      lines.addPart(bytes, from, bounds[2 * headColumns + 1] ?? from);
      return true;
    },
    end,
  };
}

interface Delimiters {
  /** Precedes each element. */
  readonly begin: () => void;
  /** Follows the last one, if there is one. */
  readonly end: () => void;
}

/** Writes what stands before, between and after the elements of an array. */
export function delimitElements(lines: LineBuffer): Delimiters {
  let isBegun = false;
  const begin = (): void => {
    lines.addAll(isBegun ? SEPARATOR : BRACKET);
    isBegun = true;
  };
  return {
    begin,
    end: () => {
      if (!isBegun) begin();
      lines.addAll(END_BRACKET);
    },
  };
}
