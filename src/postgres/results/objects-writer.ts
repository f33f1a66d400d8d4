// Writes rows of values as JSON objects, in the format of PostgreSQL's json_agg or one on each line
// (`docs/decisions/row-form.md`).
import type { SpelledDelivery } from '../../contract/delivery.ts';
import { type ColumnValue, readColumns } from '../wire/read-message.ts';
import { type Delimiters, delimitElements } from './array-writer.ts';
import type { LineBuffer } from './line-buffer.ts';
import { readLayout, type RowLayout } from './row-layout.ts';
import { RowSpeller } from './row-speller.ts';
import { COUNTED_HEAD_COLUMNS, doNothing, LINE_HEAD_COLUMNS, type RowWriter } from './row-writer.ts';
import { viewOf } from './spell-value.ts';

const ZERO = 0x30;
const IS_TRUE = 0x74;
const NOTHING = viewOf(Buffer.alloc(0));
const LINE_DELIMITERS: Delimiters = { next: () => NOTHING, following: viewOf(Buffer.from('\n')), end: doNothing };

/** Creates a writer for rows whose values follow the columns about the result, and one about the style of dates. */
export function createObjectsWriter(lines: LineBuffer, delivery: SpelledDelivery): RowWriter {
  const isCounted = delivery.kind === 'countedRows';
  const headColumns = 1 + (isCounted ? COUNTED_HEAD_COLUMNS : LINE_HEAD_COLUMNS);
  const delimiters = isCounted ? delimitElements(lines) : LINE_DELIMITERS;
  const isEmpty = isCounted ? hasCountZero : hasNoStyle;
  let layout: RowLayout | undefined;
  /** Set when it is certain that the server can spell all rows. */
  let speller: RowSpeller | undefined;
  const createSpeller = (columns: readonly ColumnValue[]): RowSpeller | undefined =>
    layout !== undefined && layout.isComplete && (!layout.hasDates || columns[layout.first - 1]?.[0] === IS_TRUE)
      ? new RowSpeller(layout, lines, delimiters)
      : undefined;
  return {
    headColumns,
    isCounted,
    parts: {
      leading: headColumns,
      begin: (columns) => {
        // A row that is long although it is empty has a long head.
        if (!isEmpty(columns)) speller ??= createSpeller(columns);
        speller?.begin();
        return speller !== undefined;
      },
      add: (piece) => speller?.addPart(piece) === true,
      end: () => speller?.end() === true,
    },
    describe: (message) => {
      layout = readLayout(message, delivery, headColumns);
      return layout !== undefined;
    },
    add: (message) => {
      if (speller === undefined) {
        const columns = readColumns(message);
        if (columns === undefined) return 'malformed';
        if (isEmpty(columns)) return 'added';
        speller = createSpeller(columns);
      }
      return speller?.addRow(message) ?? 'unspelled';
    },
    end: delimiters.end,
  };
}

function hasCountZero([count]: readonly ColumnValue[]): boolean {
  return count?.[0] === ZERO;
}

function hasNoStyle(columns: readonly ColumnValue[]): boolean {
  return columns[LINE_HEAD_COLUMNS] === null;
}
