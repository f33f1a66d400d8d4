// The columns that precede those of the body in every row: counts, and what the database has set for the response. Where
// the rows are counted before the first, all rows have the same; otherwise each has them as known so far.
import type { DbOutcome } from '../../contract/transaction.ts';
import { type ColumnValue, NULL } from '../wire/read-message.ts';
import type { RowWriter } from './row-writer.ts';

export class RowHead {
  readonly #writer: Pick<RowWriter, 'headColumns' | 'isCounted'>;
  #texts: readonly (string | undefined)[] | undefined;

  constructor(writer: Pick<RowWriter, 'headColumns' | 'isCounted'>) {
    this.#writer = writer;
  }

  /** @param bounds where each column of a row starts and ends in `bytes` */
  note(bytes: Buffer, bounds: readonly number[]): void {
    const { headColumns, isCounted } = this.#writer;
    if (isCounted && this.#texts !== undefined) return;
    this.#texts = Array.from({ length: headColumns }, (_, index) => {
      const from = bounds[2 * index] ?? NULL;
      return from === NULL ? undefined : bytes.toString('utf8', from, bounds[2 * index + 1]);
    });
  }

  /** @returns whether a row begins with these columns */
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
