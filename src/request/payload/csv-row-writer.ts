// Records of CSV → JSON objects (`writing.md` §3.3), written without decoding their text.
import { sortedNames } from '../../contract/code-points.ts';
import type { Slices } from '../../contract/slices.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { CsvScanner } from './csv-scanner.ts';
import { BYTES_PER_SLICE, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import { type Mark, PieceWriter } from './piece-writer.ts';

export const NOT_UTF8 = 'CSV is not valid UTF-8';

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
    this.#sliceEnd = BYTES_PER_SLICE;
  }

  /** Passes over one record. @returns what is wrong with it */
  *add(scanner: CsvScanner): Slices<string | undefined> {
    if (!this.#isEmpty) this.#writer.writeByte(COMMA);
    let count = 0;
    do {
      const problem = scanner.scanField();
      if (problem !== undefined) return problem;
      const prefix = this.#prefixes[count];
      if (prefix !== undefined) {
        this.#writer.write(prefix);
        if (!this.#writeValue(scanner)) return NOT_UTF8;
        count++;
      }
      const work = scanner.position + this.#writer.length;
      if (work >= this.#sliceEnd) {
        yield;
        this.#sliceEnd = work + BYTES_PER_SLICE;
      }
    } while (!scanner.isRecordEnd);
    this.#width ??= count;
    if (count !== this.#width) return 'All lines must have same number of fields';
    this.#writer.writeByte(CLOSE_BRACE);
    this.#isEmpty = false;
    return undefined;
  }

  mark(): Mark {
    return this.#writer.mark();
  }

  /** Takes back a record that could not be added whole. */
  reset(mark: Mark): void {
    this.#writer.reset(mark);
  }

  /** Ends the array. */
  finish(): Pieces {
    this.#writer.writeByte(CLOSE_BRACKET);
    return this.#writer.finish();
  }

  #writeValue({ start, end }: CsvScanner): boolean {
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
