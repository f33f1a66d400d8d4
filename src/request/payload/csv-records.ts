// Records of CSV, one by one (`writing.md` §3.3): which of their fields count, and what is wrong with them. Where the fields
// go is the writer's business.
import { sortedNames } from '../../contract/code-points.ts';
import type { Slices } from '../../contract/slices.ts';
import type { CsvScanner } from './csv-scanner.ts';
import { BYTES_PER_SLICE } from './json-scanner.ts';

export const NOT_UTF8 = 'CSV is not valid UTF-8';

/** What stands for null, quoted or not. */
const NULL_FIELD = new TextEncoder().encode('NULL');

/** Takes the fields of one record after the other. */
export interface RecordWriter {
  /** Bytes written so far. */
  readonly length: number;
  beginRecord(): void;
  /** The field is from `start` to `end` of the text. @returns whether it is UTF-8 */
  writeField(index: number, start: number, end: number): boolean;
  endRecord(): void;
}

export class CsvRecords {
  readonly header: readonly string[];
  /** Fields of the first record that have a header, which every other one must have as many of; undefined before it. */
  #width: number | undefined;
  /** Bytes read and written at which the slice is over. */
  #sliceEnd = BYTES_PER_SLICE;

  constructor(header: readonly string[]) {
    this.header = header;
  }

  get hasRows(): boolean {
    return this.#width !== undefined;
  }

  /** The columns that the records fill, in their order; empty without records. */
  get columns(): readonly string[] {
    return this.header.slice(0, this.#width ?? 0);
  }

  /** Distinct names of these, in code-point order. */
  get keys(): readonly string[] {
    return sortedNames(this.columns);
  }

  /** To be called before the first record of other bytes. */
  begin(): void {
    this.#sliceEnd = BYTES_PER_SLICE;
  }

  /** Passes over one record. @returns what is wrong with it */
  *read(scanner: CsvScanner, writer: RecordWriter): Slices<string | undefined> {
    writer.beginRecord();
    let count = 0;
    do {
      const problem = scanner.scanField();
      if (problem !== undefined) return problem;
      if (count < this.header.length) {
        if (!writer.writeField(count, scanner.start, scanner.end)) return NOT_UTF8;
        count++;
      }
      const work = scanner.position + writer.length;
      if (work >= this.#sliceEnd) {
        yield;
        this.#sliceEnd = work + BYTES_PER_SLICE;
      }
    } while (!scanner.isRecordEnd);
    this.#width ??= count;
    if (count !== this.#width) return 'All lines must have same number of fields';
    writer.endRecord();
    return undefined;
  }
}

export function isNullField(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== NULL_FIELD.length) return false;
  let index = 0;
  while (index < NULL_FIELD.length && bytes[start + index] === NULL_FIELD[index]) index++;
  return index === NULL_FIELD.length;
}
