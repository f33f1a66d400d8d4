// Writes rows with one JSON element each as a JSON array, in the format of PostgreSQL's json_agg.
import { NULL } from '../wire/read-message.ts';
import type { LineBuffer } from './line-buffer.ts';
import { COUNTED_HEAD_COLUMNS, doNothing, type RowWriter } from './row-writer.ts';

const BRACKET = Buffer.from('[');
const SEPARATOR = Buffer.from(', \n ');
const END_BRACKET = Buffer.from(']');

/** Creates a writer for rows whose last column is the element. */
export function createArrayWriter(lines: LineBuffer): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  let isBegun = false;
  const begin = (): void => {
    lines.addAll(isBegun ? SEPARATOR : BRACKET);
    isBegun = true;
  };
  return {
    headColumns,
    isCounted: true,
    parts: { begin, end: doNothing },
    nameColumns: doNothing,
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
