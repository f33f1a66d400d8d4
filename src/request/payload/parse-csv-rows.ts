// Converts a CSV body to the JSON array of objects that the database reads (`writing.md` §3.3), in one pass.
import { fail, ok, type Result } from '../../contract/result.ts';
import { SliceMeter, type Slices } from '../../util/slices.ts';
import type { Pieces } from '../../contract/transaction.ts';
import { CsvObjectWriter } from './csv-object-writer.ts';
import { CsvRecords, NOT_UTF8 } from './csv-records.ts';
import { CsvScanner, LINE_FEED, UNREAD } from './csv-scanner.ts';
import { MAX_NAME_BYTES, MAX_NAMES } from './payload.ts';

export interface CsvRows {
  /** JSON array of objects. */
  readonly bytes: Pieces;
  /** Distinct names of the columns that the rows fill, in code-point order; empty without rows. */
  readonly keys: readonly string[];
}

/**
 * Every row repeats the names of the header, so a small body with long names could become more JSON than fits into
 * memory. With names no longer than PostgreSQL's (63 bytes), even a body of empty fields stays far below this.
 */
const MAX_GROWTH = 100;
/** Bytes of JSON; PostgreSQL accepts no longer value. */
const MAX_JSON_LENGTH = 1_073_741_823;

export const NO_HEADER = 'CSV has no header line';
export const HEADER_UNFINISHED = 'The header line of the CSV does not end';

/** The error is the message for the client. */
export function* parseCsvRows(body: Uint8Array): Slices<Result<CsvRows, string>> {
  const scanner = new CsvScanner(body);
  const header = yield* readHeader(body, scanner);
  if (!header.ok) return header;
  const records = new CsvRecords(header.value);
  const rows = new CsvObjectWriter(header.value);
  rows.begin(body);
  const maxLength = Math.min(MAX_GROWTH * body.length, MAX_JSON_LENGTH);
  const problem = yield* records.read(scanner, rows, () => rows.length <= maxLength);
  if (problem !== undefined) return fail(problem);
  if (rows.length > maxLength) return fail('The CSV has too many rows for names of that length');
  if (!records.hasRows && body.at(-1) !== LINE_FEED) return fail(HEADER_UNFINISHED);
  return ok({ bytes: rows.finish(), keys: records.keys });
}

/** The error is the message for the client. */
export function* readHeader(body: Uint8Array, scanner: CsvScanner): Slices<Result<readonly string[], string>> {
  while (scanner.skipBlankLines() && scanner.isAtBlankLine) yield;
  if (scanner.position === body.length) return fail(NO_HEADER);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const names: string[] = [];
  const meter = new SliceMeter();
  do {
    const problem = scanner.scanField();
    if (problem === UNREAD) return fail(`The CSV has a column with a name of more than ${MAX_NAME_BYTES} bytes`);
    if (problem !== undefined) return fail(problem);
    try {
      names.push(decoder.decode(body.subarray(scanner.start, scanner.end)).replaceAll('""', '"'));
    } catch {
      return fail(NOT_UTF8);
    }
    if (names.length > MAX_NAMES) return fail(`The CSV has more than ${MAX_NAMES} columns`);
    if (meter.add(scanner.end - scanner.start)) yield;
  } while (!scanner.isRecordEnd);
  return ok(names);
}
