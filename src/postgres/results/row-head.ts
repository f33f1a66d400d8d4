// Reads the columns that precede the body columns in every row: counts and response settings. If rows are counted
// before the first one, these columns are the same in all rows; otherwise each row has the values known so far.
import type { DbOutcome } from '../../contract/transaction.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { type ColumnValue, NULL, readColumnBounds } from '../wire/read-message.ts';
import type { RowWriter } from './row-writer.ts';

export class RowHead {
  readonly #writer: Pick<RowWriter, 'headColumns' | 'isCounted'>;
  readonly #bounds: number[] = [];
  #texts: readonly (string | undefined)[] | undefined;

  constructor(writer: Pick<RowWriter, 'headColumns' | 'isCounted'>) {
    this.#writer = writer;
  }

  /** @returns false if the row is malformed */
  note(message: ServerMessage): boolean {
    const { headColumns, isCounted } = this.#writer;
    if (isCounted && this.#texts !== undefined) return true;
    const bounds = this.#bounds;
    if (!readColumnBounds(message, bounds) || bounds.length < 2 * headColumns) return false;
    this.#texts = Array.from({ length: headColumns }, (_, index) => {
      const from = bounds[2 * index] ?? NULL;
      return from === NULL ? undefined : message.bytes.toString('utf8', from, bounds[2 * index + 1]);
    });
    return true;
  }

  /** @returns whether the columns are those of the head */
  take(columns: readonly ColumnValue[]): boolean {
    if (columns.length !== this.#writer.headColumns) return false;
    this.#texts = columns.map((column) => column?.toString('utf8'));
    return true;
  }

  read(): Omit<DbOutcome, 'body' | 'plannedTotal'> {
    const texts = this.#texts ?? [];
    const [pageRows, total, settingHeaders, settingStatus, inserted, location] = this.#writer.isCounted
      ? texts
      : [undefined, ...texts];
    return {
      pageRows: readNumber(pageRows),
      total: readNumber(total),
      settingHeaders,
      settingStatus,
      inserted: readNumber(inserted),
      location,
    };
  }
}

function readNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
