// Reads the columns that precede the body columns in every row: counts and response settings. If rows are counted
// before the first one, these columns are the same in all rows; otherwise each row has the values known so far.
import type { DbOutcome } from '../../contract/transaction.ts';
import { type ColumnValue, NULL } from '../wire/read-message.ts';
import type { RowWriter } from './row-writer.ts';

export class RowHead {
  readonly #writer: Pick<RowWriter, 'headColumns' | 'isCounted'>;
  #texts: readonly (string | undefined)[] | undefined;

  constructor(writer: Pick<RowWriter, 'headColumns' | 'isCounted'>) {
    this.#writer = writer;
  }

  /** @param bounds of each column in `bytes` */
  note(bytes: Buffer, bounds: readonly number[]): void {
    const { headColumns, isCounted } = this.#writer;
    if (isCounted && this.#texts !== undefined) return;
    this.#texts = Array.from({ length: headColumns }, (_, index) => {
      const from = bounds[2 * index] ?? NULL;
      return from === NULL ? undefined : bytes.toString('utf8', from, bounds[2 * index + 1]);
    });
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
