// Writes CSV records as one array of values per column, in PostgreSQL's text format: `{"1",NULL,"a \"b\""}`. The input
// must not contain zero bytes, which that format cannot represent.
import type { Pieces } from '../../contract/transaction.ts';
import { isNullField, type RecordWriter, type ScannedField } from './csv-records.ts';
import { CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE } from './json-scanner.ts';
import { IN_ARRAY_ELEMENT, PieceWriter } from './piece-writer.ts';
import { INVALID, isUtf8 } from '../../util/utf8.ts';

const NULL = new TextEncoder().encode('NULL');
/** Bytes around a value: two quotes and a comma. */
const OVERHEAD_BYTES = 3;

export class CsvColumnWriter implements RecordWriter {
  readonly #columns: readonly PieceWriter[];
  #body: Uint8Array = new Uint8Array();
  /** Approximate number of bytes in all columns. */
  #length = 0;
  /** For each column, its length before the current record. */
  readonly #recordStarts: number[] = [];
  /** Number of fields written in the current record. */
  #fields = 0;
  /** Whether nothing has been written since `begin`. */
  #isEmpty = true;

  /** @param expected total bytes expected in all columns */
  constructor(width: number, expected: number) {
    this.#columns = Array.from({ length: width }, () => new PieceWriter((2 * expected) / width, IN_ARRAY_ELEMENT));
  }

  get length(): number {
    return this.#length;
  }

  /** Allocated bytes. */
  get capacity(): number {
    return this.#columns.reduce((sum, { capacity }) => sum + capacity, 0);
  }

  /**
   * Starts new arrays for the records of `body`. Reuses the memory of the previous arrays, which must no longer be in
   * use.
   */
  begin(body: Uint8Array): void {
    for (const column of this.#columns) {
      column.restart();
      column.writeByte(OPEN_BRACE);
    }
    this.#body = body;
    this.#length = 0;
    this.#isEmpty = true;
  }

  beginRecord(): void {
    this.#fields = 0;
  }

  writeField(index: number, field: ScannedField, from: number): number {
    const { start, end } = field;
    const column = this.#columns[index];
    // The record has too many fields; that is reported once they have been counted.
    if (column === undefined) return isUtf8(this.#body.subarray(start, end)) ? end : INVALID;
    if (from > start) return this.#writeText(column, from, end);
    this.#recordStarts[index] = column.length;
    this.#fields = index + 1;
    this.#length += end - start + OVERHEAD_BYTES;
    if (!this.#isEmpty) column.writeByte(COMMA);
    if (isNullField(this.#body, start, end)) {
      column.write(NULL);
      return end;
    }
    column.writeByte(QUOTE);
    return this.#writeText(column, start, end);
  }

  endRecord(): void {
    this.#isEmpty = false;
  }

  /** Discards a record that could not be written completely. */
  discardRecord(): void {
    for (let index = 0; index < this.#fields; index += 1)
      this.#columns[index]?.truncate(this.#recordStarts[index] ?? 0);
  }

  /** Closes the arrays and returns them. */
  finish(): readonly Pieces[] {
    return this.#columns.map((column) => {
      column.writeByte(CLOSE_BRACE);
      return column.finish();
    });
  }

  #writeText(column: PieceWriter, from: number, end: number): number {
    const next = column.writeField(this.#body, from, end);
    if (next === end) column.writeByte(QUOTE);
    return next;
  }
}
