// Records of CSV → JSON objects (`writing.md` §3.3), written without decoding their text.
import { sortedNames } from '../../contract/code-points.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { CsvScanner } from './csv-scanner.ts';
import { BYTES_PER_SLICE, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import { type Mark, PieceWriter } from './piece-writer.ts';

export const NOT_UTF8 = 'CSV is not valid UTF-8';
export const SLICE_OVER: unique symbol = Symbol('slice over');

const ENCODER = new TextEncoder();
const NULL = ENCODER.encode('null');
/** What stands for null, quoted or not. */
const NULL_FIELD = ENCODER.encode('NULL');

/** Writes each record as a JSON object. */
export class CsvRowWriter {
  readonly #header: readonly string[];
  /** What stands before each value: `{"a":`, then `,"b":`. */
  readonly #prefixes: readonly Uint8Array[];
  #body: Uint8Array = new Uint8Array();
  #writer = new PieceWriter(0);
  /** Whether nothing has been written since `begin`. */
  #isEmpty = true;
  /** Fields of the first row that have a header, which every other row must have as many of; undefined before it. */
  #width: number | undefined;
  /** Whether a record has begun and not ended. */
  #isWithin = false;
  /** Fields of the present record that have a header. */
  #count = 0;
  /** Bytes read and written at which the slice is over. */
  #sliceEnd = BYTES_PER_SLICE;

  constructor(header: readonly string[]) {
    this.#header = header;
    this.#prefixes = header.map((name, index) => ENCODER.encode(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  }

  get hasRows(): boolean {
    return this.#width !== undefined;
  }

  /** Distinct names of the columns that the rows fill, in code-point order; empty without rows. */
  get keys(): readonly string[] {
    return sortedNames(this.#header.slice(0, this.#width ?? 0));
  }

  /** Bytes of JSON since `begin`. */
  get length(): number {
    return this.#writer.length;
  }

  /** Begins an array with the records of these bytes. */
  begin(body: Uint8Array): void {
    this.#body = body;
    this.#writer = new PieceWriter(4 * body.length);
    this.#writer.writeByte(OPEN_BRACKET);
    this.#isEmpty = true;
    this.#isWithin = false;
    this.#sliceEnd = BYTES_PER_SLICE;
  }

  /**
   * Passes over one record, or goes on with the one under way: a generator for each would cost more than most records.
   * @returns what is wrong with it; `SLICE_OVER`: others shall have their turn before the next call
   */
  add(scanner: CsvScanner): string | typeof SLICE_OVER | undefined {
    if (!this.#isWithin) {
      if (this.#endSlice(scanner)) return SLICE_OVER;
      this.#beginRecord();
    }
    do {
      const problem = scanner.scanField();
      if (problem !== undefined) return problem;
      const prefix = this.#prefixes[this.#count];
      if (prefix !== undefined) {
        this.#writer.write(prefix);
        if (!this.#writeValue(scanner.start, scanner.end)) return NOT_UTF8;
        this.#count++;
      }
      if (scanner.isRecordEnd) return this.#endRecord();
    } while (!this.#endSlice(scanner));
    return SLICE_OVER;
  }

  mark(): Mark {
    return this.#writer.mark();
  }

  /** Takes back a record that could not be added whole. */
  reset(mark: Mark): void {
    this.#isWithin = false;
    this.#writer.reset(mark);
  }

  /** Ends the array. */
  finish(): Pieces {
    this.#writer.writeByte(CLOSE_BRACKET);
    return this.#writer.finish();
  }

  /** @returns whether the slice is over; then another one begins */
  #endSlice({ position }: CsvScanner): boolean {
    const work = position + this.#writer.length;
    if (work < this.#sliceEnd) return false;
    this.#sliceEnd = work + BYTES_PER_SLICE;
    return true;
  }

  #beginRecord(): void {
    if (!this.#isEmpty) this.#writer.writeByte(COMMA);
    this.#isWithin = true;
    this.#count = 0;
  }

  #endRecord(): string | undefined {
    this.#width ??= this.#count;
    if (this.#count !== this.#width) return 'All lines must have same number of fields';
    this.#writer.writeByte(CLOSE_BRACE);
    this.#isEmpty = false;
    this.#isWithin = false;
    return undefined;
  }

  #writeValue(start: number, end: number): boolean {
    if (this.#isNull(start, end)) {
      this.#writer.write(NULL);
      return true;
    }
    this.#writer.writeByte(QUOTE);
    const isText = this.#writer.writeField(this.#body, start, end);
    this.#writer.writeByte(QUOTE);
    return isText;
  }

  #isNull(start: number, end: number): boolean {
    if (end - start !== NULL_FIELD.length) return false;
    let index = 0;
    while (index < NULL_FIELD.length && this.#body[start + index] === NULL_FIELD[index]) index++;
    return index === NULL_FIELD.length;
  }
}
