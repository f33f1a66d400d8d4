// Records of CSV, one by one (`writing.md` §3.3): which of their fields count, and what is wrong with them. Where the fields
// go is the writer's business.
import { sortedNames } from '../../util/code-points.ts';
import type { Slices } from '../../util/slices.ts';
import type { CsvScanner } from './csv-scanner.ts';
import { BYTES_PER_SLICE } from './json-scanner.ts';

export const NOT_UTF8 = 'CSV is not valid UTF-8';

/** What stands for null, quoted or not. */
const NULL_FIELD = new TextEncoder().encode('NULL');

/** The field that has been scanned last. */
export interface ScannedField {
  /** Where it is in the text, without the quotes around it; a quote within is doubled. */
  readonly start: number;
  readonly end: number;
}

/** Takes the fields of one record after the other. */
export interface RecordWriter {
  /** Bytes written so far, more or less. */
  readonly length: number;
  beginRecord(): void;
  /** @returns whether it is UTF-8 */
  writeField(index: number, field: ScannedField): boolean;
  endRecord(): void;
}

export class CsvRecords {
  readonly header: readonly string[];
  /** Fields of the first record that have a header, which every other one must have as many of; undefined before it. */
  #width: number | undefined;

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

  /**
   * Passes over records.
   * @param onRecord called after each with the place where it began; says whether to go on
   * @returns what is wrong with a record, before which the scanner stands then
   */
  *read(scanner: CsvScanner, writer: RecordWriter, onRecord: (start: number) => boolean): Slices<string | undefined> {
    const { length: named } = this.header;
    let sliceEnd = BYTES_PER_SLICE;
    while (scanner.findRecord()) {
      const start = scanner.position;
      let problem: string | undefined;
      let count = 0;
      writer.beginRecord();
      do {
        problem = scanner.scanField();
        if (problem !== undefined) break;
        if (count < named) {
          if (!writer.writeField(count, scanner)) problem = NOT_UTF8;
          count++;
        }
        const work = scanner.position + writer.length;
        if (work < sliceEnd) continue;
        yield;
        sliceEnd = work + BYTES_PER_SLICE;
      } while (!scanner.isRecordEnd && problem === undefined);
      if (problem === undefined && count !== (this.#width ??= count))
        problem = 'All lines must have same number of fields';
      if (problem !== undefined) {
        scanner.position = start;
        return problem;
      }
      writer.endRecord();
      if (!onRecord(start)) return undefined;
    }
    return undefined;
  }
}

export function isNullField(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== NULL_FIELD.length) return false;
  let index = 0;
  while (index < NULL_FIELD.length && bytes[start + index] === NULL_FIELD[index]) index++;
  return index === NULL_FIELD.length;
}
