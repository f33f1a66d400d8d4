// A CSV body to the JSON array of objects that the database reads (`writing.md` §3.3): one record in memory at a time.
import { parse as parseRecords } from 'csv-parse/sync';
import { sortedNames } from '../../contract/code-points.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isUtf8 } from './utf8.ts';
import { Utf8Writer } from './utf8-writer.ts';

export interface CsvRows {
  /** JSON array of objects. */
  readonly bytes: Uint8Array;
  /** Distinct names of the columns that the rows fill, in code-point order; empty without rows. */
  readonly keys: readonly string[];
}

const LINE_FEED = 0x0a;

/** The error is the message for the client. */
export function parseCsvRows(body: Uint8Array): Result<CsvRows, string> {
  if (!isUtf8(body)) return fail('CSV is not valid UTF-8');
  const rows = new RowWriter();
  try {
    parseRecords(body, {
      bom: false,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      // Returning nothing keeps the parser from collecting the records.
      on_record: (record: readonly string[]): undefined => rows.add(record),
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  if (rows.header === undefined) return fail('CSV has no header line');
  if (rows.count === 0 && body.at(-1) !== LINE_FEED) return fail('The header line of the CSV does not end');
  return ok({ bytes: rows.finish(), keys: sortedNames(rows.header.slice(0, rows.width)) });
}

/** Takes the header, then rows; writes each row as a JSON object. */
class RowWriter {
  header: readonly string[] | undefined;
  count = 0;
  /** Fields of the first row that have a header; every other row must have as many. */
  width = 0;
  readonly #writer = new Utf8Writer();
  /** What stands before each value: `{"a":`, then `,"b":`. */
  #prefixes: readonly string[] = [];

  add(record: readonly string[]): undefined {
    if (this.header === undefined) {
      this.header = record;
      this.#prefixes = record.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
      return;
    }
    const width = Math.min(record.length, this.header.length);
    if (this.count === 0) this.width = width;
    // The one way to stop the parser from within; parseCsvRows turns it into a value.
    if (width !== this.width) throw new Error('All lines must have same number of fields');
    let row = this.count === 0 ? '[' : ',';
    for (let index = 0; index < width; index++) {
      const field = record[index];
      row += `${this.#prefixes[index]}${field === 'NULL' ? 'null' : JSON.stringify(field)}`;
    }
    this.#writer.write(`${row}}`);
    this.count++;
  }

  finish(): Uint8Array {
    this.#writer.write(this.count === 0 ? '[]' : ']');
    return this.#writer.finish();
  }
}
