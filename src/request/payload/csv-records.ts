// Reads CSV records one by one (`writing.md` §3.3), validates them and passes their fields to a writer.
import { sortedNames } from '../../util/code-points.ts';
import type { Slices } from '../../util/slices.ts';
import { INVALID } from '../../util/utf8.ts';
import { type CsvScanner, UNREAD } from './csv-scanner.ts';
import { BYTES_PER_SLICE } from './json-scanner.ts';

export const NOT_UTF8 = 'CSV is not valid UTF-8';

/** The text that means null, quoted or not. */
const NULL_FIELD = new TextEncoder().encode('NULL');

/** The field scanned last. */
export interface ScannedField {
  /** Position of its text without the enclosing quotes; a quote inside is doubled. */
  readonly start: number;
  readonly end: number;
}

/** Receives the fields of one record after another. */
export interface RecordWriter {
  /** Approximate number of bytes written so far. */
  readonly length: number;
  beginRecord(): void;
  /**
   * Writes a field from `from`, or a slice of it.
   * @returns where to go on, the end of the field after the last slice, or `INVALID` if the field is not UTF-8
   */
  writeField(index: number, field: ScannedField, from: number): number;
  endRecord(): void;
}

export class CsvRecords {
  readonly header: readonly string[];
  /** Number of named fields in the first record, which every other record must match; undefined before it. */
  #width: number | undefined;

  constructor(header: readonly string[]) {
    this.header = header;
  }

  get hasRows(): boolean {
    return this.#width !== undefined;
  }

  /** The columns that the records fill, in header order; empty without records. */
  get columns(): readonly string[] {
    return this.header.slice(0, this.#width ?? 0);
  }

  /** The distinct column names in code-point order. */
  get keys(): readonly string[] {
    return sortedNames(this.columns);
  }

  /**
   * Reads records until one has a problem, `onRecord` returns false, or none is left.
   * @param onRecord called after each record with its start; returns whether to continue
   * @returns the problem of a record; the scanner is then at its start
   */
  *read(scanner: CsvScanner, writer: RecordWriter, onRecord: (start: number) => boolean): Slices<string | undefined> {
    const { length: named } = this.header;
    let sliceEnd = BYTES_PER_SLICE;
    while (scanner.skipBlankLines()) {
      if (scanner.isAtBlankLine) {
        yield;
        continue;
      }
      const start = scanner.position;
      let problem: string | undefined;
      let count = 0;
      writer.beginRecord();
      do {
        while ((problem = scanner.scanField()) === UNREAD) yield;
        if (problem !== undefined) break;
        if (count < named) {
          let pos = writer.writeField(count, scanner, scanner.start);
          for (; pos !== INVALID && pos < scanner.end; pos = writer.writeField(count, scanner, pos)) yield;
          if (pos === INVALID) problem = NOT_UTF8;
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
