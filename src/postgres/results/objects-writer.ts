// Writes rows of values as a JSON array of objects, in the format of PostgreSQL's json_agg (`docs/decisions/row-form.md`).
import type { SpelledDelivery } from '../../contract/delivery.ts';
import { delimitElements } from './array-writer.ts';
import type { LineBuffer } from './line-buffer.ts';
import { readLayout } from './row-layout.ts';
import { RowSpeller } from './row-speller.ts';
import { COUNTED_HEAD_COLUMNS, type RowWriter } from './row-writer.ts';

const ZERO = 0x30;
/** Where the first value of a row begins: after the number of columns and its own length. */
const FIRST_VALUE = 6;

/** Creates a writer for rows whose first column is the number of rows. */
export function createObjectsWriter(lines: LineBuffer, delivery: SpelledDelivery): RowWriter {
  const headColumns = COUNTED_HEAD_COLUMNS;
  let speller: RowSpeller | undefined;
  const { next, end } = delimitElements(lines);
  return {
    headColumns,
    isCounted: true,
    parts: {
      leading: headColumns,
      begin: () => {
        lines.addText(next());
        speller?.begin();
      },
      add: (piece) => speller?.addPart(piece) === true,
      end: () => speller?.end() === true,
    },
    describe: (message) => {
      const layout = readLayout(message, delivery, headColumns);
      if (layout?.isComplete === true) speller = new RowSpeller(layout, lines);
      return layout !== undefined;
    },
    add: (message) => {
      // The only row of an empty result.
      if (message.bytes[message.start + FIRST_VALUE] === ZERO) return 'added';
      return speller?.addRow(next(), message) ?? 'unspelled';
    },
    end,
  };
}
