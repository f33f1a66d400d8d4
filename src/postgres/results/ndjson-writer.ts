// Rows of one line each → the lines, in parts where they are long.
import { NULL } from '../wire/read-message.ts';
import type { LineBuffer } from './line-buffer.ts';
import { doNothing, type RowWriter } from './row-writer.ts';

const NOTHING = Buffer.alloc(0);

/** The last column is a line without its end. */
export function createNdjsonWriter(lines: LineBuffer): RowWriter {
  const headColumns = 3;
  return {
    headColumns,
    isCounted: false,
    parts: { begin: doNothing, end: () => lines.add(NOTHING, 0, 0) },
    nameColumns: doNothing,
    add: (bytes, bounds) => {
      const from = bounds[2 * headColumns] ?? NULL;
      if (from !== NULL) lines.add(bytes, from, bounds[2 * headColumns + 1] ?? from);
    },
    end: doNothing,
  };
}
