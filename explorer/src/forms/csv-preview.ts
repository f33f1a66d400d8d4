// Parses the header and first rows of a CSV text with the server's scanner, and finds columns that do not match.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { CsvScanner, UNREAD } from '../../../src/request/payload/csv-scanner.ts';

export interface CsvPreview {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly hasMore: boolean;
}

const SHOWN_ROWS = 5;
/** Limit of the preview; the upload sends the whole file. */
const READ_CHARACTERS = 200_000;

/** The error is the message the server would send. */
export function previewCsv(text: string): Result<CsvPreview, string> {
  const isCut = text.length > READ_CHARACTERS;
  const bytes = new TextEncoder().encode(text.slice(0, READ_CHARACTERS));
  const scanner = new CsvScanner(bytes);
  const records: (readonly string[])[] = [];
  while (records.length <= SHOWN_ROWS && findRecord(scanner)) {
    const record = readRecord(scanner, bytes);
    if (!record.ok) {
      if (isCut && records.length > 0) break;
      return record;
    }
    records.push(record.value);
  }
  const [header, ...rows] = records;
  if (header === undefined) return fail('CSV has no header line');
  return ok({ header, rows, hasMore: isCut || findRecord(scanner) });
}

function findRecord(scanner: CsvScanner): boolean {
  while (scanner.skipBlankLines()) if (!scanner.isAtBlankLine) return true;
  return false;
}

function readRecord(scanner: CsvScanner, bytes: Uint8Array): Result<readonly string[], string> {
  const fields: string[] = [];
  do {
    let problem = scanner.scanField();
    while (problem === UNREAD) problem = scanner.scanField();
    if (problem !== undefined) return fail(problem);
    fields.push(new TextDecoder().decode(bytes.subarray(scanner.start, scanner.end)).replaceAll('""', '"'));
  } while (!scanner.isRecordEnd);
  return ok(fields);
}

/** Returns sentences about unknown columns of the file and required columns that are missing from it. */
export function findColumnMismatches(header: readonly string[], { columns }: DescribedRelation): readonly string[] {
  const writable = new Set(columns.filter(({ may }) => may.insert).map(({ name }) => name));
  const unknown = header.filter((name) => !writable.has(name));
  const missing = columns
    .filter((column) => column.may.insert && !column.isNullable && column.default === undefined)
    .map(({ name }) => name)
    .filter((name) => !header.includes(name));
  return [
    ...(unknown.length === 0 ? [] : [`Unknown columns: ${unknown.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`Required, but not in the file: ${missing.join(', ')}`]),
  ];
}
