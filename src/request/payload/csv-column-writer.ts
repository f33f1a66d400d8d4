// Records of CSV → an array of values for each column, in the text that PostgreSQL reads: `{"1",NULL,"a \"b\""}`. Their
// bytes hold no zero, which no such text can have.
import type { Pieces } from '../../contract/transaction.ts';
import { isNullField, type RecordWriter } from './csv-records.ts';
import { CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE } from './json-scanner.ts';
import { IN_ARRAY_ELEMENT, PieceWriter } from './piece-writer.ts';

const NULL = new TextEncoder().encode('NULL');
/** How much longer than expected a column may become before it needs another piece. */
const MARGIN = 1.25;

export class CsvColumnWriter implements RecordWriter {
  readonly #width: number;
  #body: Uint8Array = new Uint8Array();
  #columns: readonly PieceWriter[] = [];
  /** Bytes of all columns. */
  #length = 0;
  /** Of each column: its bytes before the record that is being written. */
  readonly #recordStarts: number[] = [];
  /** Fields of that record so far. */
  #fields = 0;
  /** Whether nothing has been written since `begin`. */
  #isEmpty = true;

  constructor(width: number) {
    this.#width = width;
  }

  get length(): number {
    return this.#length;
  }

  /** Begins arrays with the records of these bytes. */
  begin(body: Uint8Array): void {
    const average = (2 * body.length) / this.#width;
    // Batches are much alike.
    const expected = (index: number): number => (this.#columns[index]?.length ?? average) * MARGIN;
    this.#columns = Array.from({ length: this.#width }, (_, at) => new PieceWriter(expected(at), IN_ARRAY_ELEMENT));
    for (const column of this.#columns) column.writeByte(OPEN_BRACE);
    this.#body = body;
    this.#length = 0;
    this.#isEmpty = true;
  }

  beginRecord(): void {
    this.#fields = 0;
  }

  writeField(index: number, start: number, end: number): boolean {
    const column = this.#columns[index];
    if (column === undefined) return true;
    const before = column.length;
    this.#recordStarts[index] = before;
    this.#fields = index + 1;
    if (!this.#isEmpty) column.writeByte(COMMA);
    const isText = this.#writeValue(column, start, end);
    this.#length += column.length - before;
    return isText;
  }

  endRecord(): void {
    this.#isEmpty = false;
  }

  /** Takes back a record that could not be written whole. */
  takeBack(): void {
    for (let index = 0; index < this.#fields; index += 1)
      this.#columns[index]?.truncate(this.#recordStarts[index] ?? 0);
  }

  /** Ends the arrays. */
  finish(): readonly Pieces[] {
    return this.#columns.map((column) => {
      column.writeByte(CLOSE_BRACE);
      return column.finish();
    });
  }

  #writeValue(column: PieceWriter, start: number, end: number): boolean {
    if (isNullField(this.#body, start, end)) {
      column.write(NULL);
      return true;
    }
    column.writeByte(QUOTE);
    const isText = column.writeField(this.#body, start, end);
    column.writeByte(QUOTE);
    return isText;
  }
}
