// Writes CSV records as an array of JSON objects (`writing.md` §3.3) without decoding their text.
import type { Pieces } from '../../contract/transaction.ts';
import { isNullField, type RecordWriter, type ScannedField } from './csv-records.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import { IN_JSON_STRING, PieceWriter } from './piece-writer.ts';

const ENCODER = new TextEncoder();
const NULL = ENCODER.encode('null');

export class CsvObjectWriter implements RecordWriter {
  /** The text before each value: `{"a":`, then `,"b":`. */
  readonly #prefixes: readonly Uint8Array[];
  #body: Uint8Array = new Uint8Array();
  #writer = new PieceWriter(0, IN_JSON_STRING);
  /** Length before the current record. */
  #recordStart = 0;
  /** Whether nothing has been written since `begin`. */
  #isEmpty = true;

  constructor(header: readonly string[]) {
    this.#prefixes = header.map((name, index) => ENCODER.encode(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  }

  get length(): number {
    return this.#writer.length;
  }

  /** Starts an array for the records of these bytes. */
  begin(body: Uint8Array): void {
    this.#body = body;
    this.#writer = new PieceWriter(4 * body.length, IN_JSON_STRING);
    this.#writer.writeByte(OPEN_BRACKET);
    this.#isEmpty = true;
  }

  beginRecord(): void {
    this.#recordStart = this.#writer.length;
    if (!this.#isEmpty) this.#writer.writeByte(COMMA);
  }

  writeField(index: number, { start, end }: ScannedField, from: number): number {
    if (from === start) {
      const prefix = this.#prefixes[index];
      if (prefix !== undefined) this.#writer.write(prefix);
      if (isNullField(this.#body, start, end)) {
        this.#writer.write(NULL);
        return end;
      }
      this.#writer.writeByte(QUOTE);
    }
    const next = this.#writer.writeField(this.#body, from, end);
    if (next === end) this.#writer.writeByte(QUOTE);
    return next;
  }

  endRecord(): void {
    this.#writer.writeByte(CLOSE_BRACE);
    this.#isEmpty = false;
  }

  /** Discards a record that could not be written completely. */
  discardRecord(): void {
    this.#writer.truncate(this.#recordStart);
  }

  /** Closes the array and returns it. */
  finish(): Pieces {
    this.#writer.writeByte(CLOSE_BRACKET);
    return this.#writer.finish();
  }
}
