// Frames CSV records that arrive in chunks (`beyond.md` §2.5): as arrays of JSON objects, like a body received whole,
// or as one array of values per column.
import { fail, ok, type Result } from '../../contract/result.ts';
import { CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE } from '../../request/payload/json-scanner.ts';
import { IN_ARRAY_ELEMENT, PieceWriter } from '../../request/payload/piece-writer.ts';
import { runSlices, type Slices } from '../../util/slices.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { CsvObjectWriter } from '../../request/payload/csv-object-writer.ts';
import { CsvRecords, isNullField, type RecordWriter, type ScannedField } from '../../request/payload/csv-records.ts';
import { CsvScanner, LINE_FEED, UNFINISHED } from '../../request/payload/csv-scanner.ts';
import { HEADER_UNFINISHED, NO_HEADER, readHeader } from '../../request/payload/parse-csv-rows.ts';
import { lineFault } from '../../request/payload/payload-errors.ts';
import type { RowBatch, RowForm } from '../../request/payload/row-batch.ts';
import { batchOfObjects, type Framed, NOTHING_FRAMED, type RowFramer } from './row-framer.ts';
import { INVALID, isUtf8 } from '../../util/utf8.ts';

/** Size in bytes that ends a batch: in JSON, every row repeats the names of the header, which may be long. */
const MAX_BATCH_BYTES = 524_288;

/** Errors that more input may resolve: the header may still begin or continue. */
const MAY_BE_UNFINISHED: ReadonlySet<string> = new Set([NO_HEADER, UNFINISHED]);

export class CsvFramer implements RowFramer {
  /** Undefined before the header. */
  #parts: Parts | undefined;
  /** Writers of released batches. */
  readonly #free: CsvColumnWriter[] = [];
  /** Number of the next line. */
  #line = 1;
  /** Whether the consumed bytes end with a line end. */
  #isAtLineEnd = false;

  get keys(): readonly string[] {
    return this.#parts?.records.keys ?? [];
  }

  /** False if two columns share a name: the last one wins, as in an object. */
  get isTabular(): boolean {
    return this.keys.length > 0 && this.keys.length === this.#parts?.records.columns.length;
  }

  *frame(bytes: Uint8Array, isLast: boolean, form: RowForm = 'objects'): Slices<Result<Framed, ApiError>> {
    // Excludes the last line, which may continue, so that no field ends merely because the chunk does.
    const known = isLast ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
    const scanner = new CsvScanner(known);
    if (this.#parts === undefined) {
      const header = yield* readHeader(known, scanner);
      if (!header.ok && !isLast && MAY_BE_UNFINISHED.has(header.error)) return ok(NOTHING_FRAMED);
      if (!header.ok) return fail(lineFault(this.#line, header.error));
      this.#parts = {
        records: new CsvRecords(header.value),
        objects: new CsvObjectWriter(header.value),
      };
    }
    return yield* this.#frameRows(this.#parts, scanner, known, isLast, form);
  }

  *#frameRows(
    parts: Parts,
    scanner: CsvScanner,
    known: Uint8Array,
    isLast: boolean,
    form: RowForm,
  ): Slices<Result<Framed, ApiError>> {
    const { records } = parts;
    // Array text cannot contain zero bytes; the JSON form reports them as an error.
    const isColumns = form === 'columns' && this.isTabular && !known.includes(0);
    const columns = isColumns
      ? (this.#free.pop() ?? new CsvColumnWriter(records.columns.length, known.length))
      : undefined;
    const writer = columns ?? parts.objects;
    const first = this.#line;
    const starts: number[] = [];
    const ends: number[] = [];
    writer.begin(known);
    const problem = yield* records.read(scanner, writer, (start) => {
      starts.push(start);
      ends.push(writer.length);
      return writer.length < MAX_BATCH_BYTES;
    });
    const isUnfinished = problem === UNFINISHED && !isLast;
    if (isUnfinished) writer.discardRecord();
    else if (problem !== undefined) return fail(lineFault(first + countLines(known, scanner.position), problem));
    const isAtLineEnd = known.length === 0 ? this.#isAtLineEnd : known.at(-1) === LINE_FEED;
    if (isLast && !records.hasRows && !isAtLineEnd) return fail(lineFault(first, HEADER_UNFINISHED));
    const consumed = scanner.position;
    if (consumed > 0) this.#isAtLineEnd = known[consumed - 1] === LINE_FEED;
    this.#line += countLines(known, consumed);
    const lineOf = (row: number): number => first + countLines(known, starts[row] ?? 0);
    const batch =
      columns === undefined
        ? batchOfObjects(parts.objects.finish(), ends, lineOf)
        : {
            ...batchOfColumns(columns, records, known.subarray(starts[0] ?? 0), starts.length, lineOf),
            release: () => this.#giveBack(columns),
          };
    return ok({ batch, consumed });
  }

  /** Does not keep memory that has grown, because a different column may be long next time. */
  #giveBack(columns: CsvColumnWriter): void {
    if (columns.capacity <= MAX_BATCH_BYTES) this.#free.push(columns);
  }
}

interface Parts {
  readonly records: CsvRecords;
  readonly objects: CsvObjectWriter;
}

/** Builds objects from the rows only if the database has rejected one of them. */
function batchOfColumns(
  columns: CsvColumnWriter,
  records: CsvRecords,
  rows: Uint8Array,
  count: number,
  lineOf: (row: number) => number,
): RowBatch {
  const arrays = columns.finish();
  const byName = new Map(records.columns.map((name, index) => [name, arrays[index] ?? []]));
  return {
    count,
    columns: records.keys.map((name) => byName.get(name) ?? []),
    objects: (rowCount) => writeObjects(records.header, rows, rowCount),
    lineOf,
  };
}

function writeObjects(header: readonly string[], rows: Uint8Array, count: number): Pieces {
  const objects = new CsvObjectWriter(header);
  objects.begin(rows);
  let left = count;
  if (left > 0) runSlices(new CsvRecords(header).read(new CsvScanner(rows), objects, () => (left -= 1) > 0));
  return objects.finish();
}

/** Counts the line ends before a position. */
function countLines(bytes: Uint8Array, end: number): number {
  let count = 0;
  let pos = bytes.indexOf(LINE_FEED);
  for (; pos !== -1 && pos < end; pos = bytes.indexOf(LINE_FEED, pos + 1)) count += 1;
  return count;
}

const NULL = new TextEncoder().encode('NULL');
/** Bytes around a value: two quotes and a comma. */
const OVERHEAD_BYTES = 3;

/**
 * Writes CSV records as one array of values per column, in PostgreSQL's text format: `{"1",NULL,"a \"b\""}`. The input
 * must not contain zero bytes, which that format cannot represent.
 */
class CsvColumnWriter implements RecordWriter {
  readonly #columns: readonly PieceWriter[];
  #body: Uint8Array = new Uint8Array();
  /** Approximate number of bytes in all columns. */
  #length = 0;
  /** For each column, its length before the current record. */
  readonly #recordStarts: number[] = [];
  /** Number of fields written in the current record. */
  #fields = 0;
  /** Whether nothing has been written since `begin`. */
  #isEmpty = true;

  /** @param expected total bytes expected in all columns */
  constructor(width: number, expected: number) {
    this.#columns = Array.from({ length: width }, () => new PieceWriter((2 * expected) / width, IN_ARRAY_ELEMENT));
  }

  get length(): number {
    return this.#length;
  }

  /** Allocated bytes. */
  get capacity(): number {
    return this.#columns.reduce((sum, { capacity }) => sum + capacity, 0);
  }

  /**
   * Starts new arrays for the records of `body`. Reuses the memory of the previous arrays, which must no longer be in
   * use.
   */
  begin(body: Uint8Array): void {
    for (const column of this.#columns) {
      column.restart();
      column.writeByte(OPEN_BRACE);
    }
    this.#body = body;
    this.#length = 0;
    this.#isEmpty = true;
  }

  beginRecord(): void {
    this.#fields = 0;
  }

  writeField(index: number, field: ScannedField, from: number): number {
    const { start, end } = field;
    const column = this.#columns[index];
    // The record has too many fields; that is reported once they have been counted.
    if (column === undefined) return isUtf8(this.#body.subarray(start, end)) ? end : INVALID;
    if (from > start) return this.#writeText(column, from, end);
    this.#recordStarts[index] = column.length;
    this.#fields = index + 1;
    this.#length += end - start + OVERHEAD_BYTES;
    if (!this.#isEmpty) column.writeByte(COMMA);
    if (isNullField(this.#body, start, end)) {
      column.write(NULL);
      return end;
    }
    column.writeByte(QUOTE);
    return this.#writeText(column, start, end);
  }

  endRecord(): void {
    this.#isEmpty = false;
  }

  /** Discards a record that could not be written completely. */
  discardRecord(): void {
    for (let index = 0; index < this.#fields; index += 1)
      this.#columns[index]?.truncate(this.#recordStarts[index] ?? 0);
  }

  /** Closes the arrays and returns them. */
  finish(): readonly Pieces[] {
    return this.#columns.map((column) => {
      column.writeByte(CLOSE_BRACE);
      return column.finish();
    });
  }

  #writeText(column: PieceWriter, from: number, end: number): number {
    const next = column.writeField(this.#body, from, end);
    if (next === end) column.writeByte(QUOTE);
    return next;
  }
}
