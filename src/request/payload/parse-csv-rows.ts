// A CSV body to the JSON array of objects that the database reads (`writing.md` §3.3), in one pass over its bytes.
import { sortedNames } from '../../contract/code-points.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Slices } from '../../contract/slices.ts';
import type { Pieces } from '../../contract/transaction.ts';
import { CsvScanner, LINE_FEED } from './csv-scanner.ts';
import { BYTES_PER_SLICE, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import { MAX_NAMES } from './payload.ts';
import { PieceWriter } from './piece-writer.ts';

export interface CsvRows {
  /** JSON array of objects. */
  readonly bytes: Pieces;
  /** Distinct names of the columns that the rows fill, in code-point order; empty without rows. */
  readonly keys: readonly string[];
}

const NOT_UTF8 = 'CSV is not valid UTF-8';
/**
 * Every row repeats the names of the header: a small body with long names could become more JSON than fits into memory.
 * With names no longer than PostgreSQL's (63 bytes) no body of empty fields comes near.
 */
const MAX_GROWTH = 100;
/** Bytes of JSON: PostgreSQL takes no longer value. */
const MAX_JSON_LENGTH = 1_073_741_823;

/** The error is the message for the client. */
export function* parseCsvRows(body: Uint8Array): Slices<Result<CsvRows, string>> {
  const scanner = new CsvScanner(body);
  const header = readHeader(body, scanner);
  if (!header.ok) return header;
  const rows = new RowWriter(body, header.value);
  const most = Math.min(MAX_GROWTH * body.length, MAX_JSON_LENGTH);
  while (scanner.findRecord()) {
    const problem = yield* rows.add(scanner);
    if (problem !== undefined) return fail(problem);
    if (rows.length > most) return fail('The CSV has too many rows for names of that length');
  }
  if (rows.isEmpty && body.at(-1) !== LINE_FEED) return fail('The header line of the CSV does not end');
  return ok(rows.finish());
}

function readHeader(body: Uint8Array, scanner: CsvScanner): Result<readonly string[], string> {
  if (!scanner.findRecord()) return fail('CSV has no header line');
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const names: string[] = [];
  do {
    const problem = scanner.scanField();
    if (problem !== undefined) return fail(problem);
    try {
      names.push(decoder.decode(body.subarray(scanner.start, scanner.end)).replaceAll('""', '"'));
    } catch {
      return fail(NOT_UTF8);
    }
    if (names.length > MAX_NAMES) return fail(`The CSV has more than ${MAX_NAMES} columns`);
  } while (!scanner.isRecordEnd);
  return ok(names);
}

const ENCODER = new TextEncoder();
const NULL = ENCODER.encode('null');
/** What stands for null, quoted or not. */
const NULL_FIELD = ENCODER.encode('NULL');

/** Writes each record as a JSON object. */
class RowWriter {
  isEmpty = true;
  readonly #body: Uint8Array;
  readonly #header: readonly string[];
  /** What stands before each value: `{"a":`, then `,"b":`. */
  readonly #prefixes: readonly Uint8Array[];
  readonly #writer: PieceWriter;
  /** Fields of the first row that have a header; every other row must have as many. */
  #width = 0;
  /** Bytes read and written at which the slice is over. */
  #sliceEnd = BYTES_PER_SLICE;

  constructor(body: Uint8Array, header: readonly string[]) {
    this.#body = body;
    this.#header = header;
    this.#prefixes = header.map((name, index) => ENCODER.encode(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#writer = new PieceWriter(4 * body.length);
    this.#writer.writeByte(OPEN_BRACKET);
  }

  /** Bytes of JSON. */
  get length(): number {
    return this.#writer.length;
  }

  /** Passes over one record. @returns what is wrong with it */
  *add(scanner: CsvScanner): Slices<string | undefined> {
    if (!this.isEmpty) this.#writer.writeByte(COMMA);
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
    if (this.isEmpty) this.#width = count;
    if (count !== this.#width) return 'All lines must have same number of fields';
    this.#writer.writeByte(CLOSE_BRACE);
    this.isEmpty = false;
    return undefined;
  }

  finish(): CsvRows {
    this.#writer.writeByte(CLOSE_BRACKET);
    return { bytes: this.#writer.finish(), keys: sortedNames(this.#header.slice(0, this.#width)) };
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
