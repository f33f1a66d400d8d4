// Writes rows with one line each as NDJSON. Long lines may arrive in parts.
import { NULL, readColumnBounds } from '../wire/read-message.ts';
import type { LineBuffer } from './line-buffer.ts';
import { doNothing, LINE_HEAD_COLUMNS, returnTrue, type RowWriter } from './row-writer.ts';

const NOTHING = Buffer.alloc(0);

/** Creates a writer for rows whose last column is the line, without its line feed. */
export function createNdjsonWriter(lines: LineBuffer): RowWriter {
  const headColumns = LINE_HEAD_COLUMNS;
  const bounds: number[] = [];
  return {
    headColumns,
    isCounted: false,
    parts: {
      leading: undefined,
      begin: returnTrue,
      add: (piece) => lines.addPiece(piece),
      end: () => {
        lines.add(NOTHING, 0, 0);
        return true;
      },
    },
    describe: returnTrue,
    add: (message) => {
      if (!readColumnBounds(message, bounds)) return 'malformed';
      const from = bounds[2 * headColumns] ?? NULL;
      if (from !== NULL) lines.add(message.bytes, from, bounds[2 * headColumns + 1] ?? from);
      return 'added';
    },
    end: doNothing,
  };
}
