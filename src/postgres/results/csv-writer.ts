// Writes rows as CSV with a header line (`writing.md` §15.4).
import { addCsvLine } from './csv-line.ts';
import { readColumnBounds, readDescribedColumns } from '../wire/read-message.ts';
import type { LineBuffer } from './line-buffer.ts';
import { COUNTED_HEAD_COLUMNS, type RowWriter } from './row-writer.ts';
import { viewOf } from './spell-value.ts';

const LINE_FEED = viewOf(Buffer.from('\n'));
const COMMA = Buffer.from(',');
const ZERO = 0x30;

/** Creates a writer for rows whose first column is the number of rows. */
export function createCsvWriter(lines: LineBuffer): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  let names: readonly DataView[] = [];
  let isBegun = false;
  const bounds: number[] = [];
  return {
    headColumns,
    isCounted: true,
    parts: undefined,
    describe: (message) => {
      const columns = readDescribedColumns(message);
      // Copied, because the buffer of the message is reused.
      names = (columns ?? [])
        .slice(headColumns)
        .map(({ name }, index) => viewOf(Buffer.concat(index === 0 ? [name] : [COMMA, name])));
      return columns !== undefined;
    },
    add: (message) => {
      if (!readColumnBounds(message, bounds)) return 'malformed';
      const { bytes } = message;
      if (bytes[bounds[0] ?? 0] === ZERO) return 'added';
      if (!isBegun) for (const name of names) lines.addText(name);
      isBegun = true;
      lines.addText(LINE_FEED);
      addCsvLine(lines, bytes, bounds, headColumns);
      return 'added';
    },
    end: () => {
      if (!isBegun) lines.addText(LINE_FEED);
    },
  };
}
