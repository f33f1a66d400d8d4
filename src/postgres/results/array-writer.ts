// Writes rows with one JSON element each as a JSON array, in the format of PostgreSQL's json_agg.
import { NULL, readColumnBounds } from '../wire/read-message.ts';
import type { LineBuffer } from './line-buffer.ts';
import { COUNTED_HEAD_COLUMNS, returnTrue, type RowWriter } from './row-writer.ts';
import { viewOf } from './spell-value.ts';

const BRACKET = viewOf(Buffer.from('['));
const SEPARATOR = viewOf(Buffer.from(', \n '));
const END_BRACKET = viewOf(Buffer.from(']'));
const NOTHING = viewOf(Buffer.alloc(0));

/** Creates a writer for rows whose last column is the element. */
export function createArrayWriter(lines: LineBuffer): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  const { next, end } = delimitElements(lines);
  const begin = (): void => lines.addText(next());
  const bounds: number[] = [];
  return {
    headColumns,
    isCounted: true,
    parts: {
      leading: undefined,
      begin: () => {
        begin();
        return true;
      },
      add: (piece) => lines.addPiece(piece),
      end: returnTrue,
    },
    describe: returnTrue,
    add: (message) => {
      if (!readColumnBounds(message, bounds)) return 'malformed';
      const from = bounds[2 * headColumns] ?? NULL;
      if (from === NULL) return 'added';
      begin();
      lines.addPart(message.bytes, from, bounds[2 * headColumns + 1] ?? from);
      return 'added';
    },
    end,
  };
}

export interface Delimiters {
  /** Returns what precedes the next element. */
  readonly next: () => DataView;
  /** What follows each element. */
  readonly following: DataView;
  /** Writes what follows the last one, if there is one. */
  readonly end: () => void;
}

/** What stands before, between and after the elements of an array. */
export function delimitElements(lines: LineBuffer): Delimiters {
  let following = BRACKET;
  const next = (): DataView => {
    const before = following;
    following = SEPARATOR;
    return before;
  };
  return {
    next,
    following: NOTHING,
    end: () => {
      if (following === BRACKET) lines.addText(BRACKET);
      lines.addText(END_BRACKET);
    },
  };
}
