// Records of CSV that arrive piece by piece → arrays of JSON objects (`beyond.md` §2.5), as of a body that is there whole.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Slices } from '../../contract/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { CsvRowWriter } from './csv-row-writer.ts';
import { CsvScanner, LINE_FEED, UNFINISHED } from './csv-scanner.ts';
import { HEADER_UNFINISHED, NO_HEADER, readHeader } from './parse-csv-rows.ts';
import { lineFault } from './payload-errors.ts';
import { type Framed, NOTHING_FRAMED, type RowFramer } from './row-batch.ts';

/** Bytes of JSON after which a batch ends: every row repeats the names of the header, which may be long. */
const MOST_JSON = 524_288;

/** Where more comes, a header may still begin or go on. */
const MAY_BE_UNFINISHED: ReadonlySet<string> = new Set([NO_HEADER, UNFINISHED]);

export class CsvFramer implements RowFramer {
  /** Undefined before the header. */
  #rows: CsvRowWriter | undefined;
  /** Number of the line that comes next. */
  #line = 1;
  /** Whether what has been consumed ends with a line. */
  #isAtLineEnd = false;

  get keys(): readonly string[] {
    return this.#rows?.keys ?? [];
  }

  *frame(bytes: Uint8Array, isLast: boolean): Slices<Result<Framed, ApiError>> {
    // Without the line that may still go on, no field ends only because the bytes do.
    const known = isLast ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
    const scanner = new CsvScanner(known);
    if (this.#rows === undefined) {
      const header = readHeader(known, scanner);
      if (!header.ok && !isLast && MAY_BE_UNFINISHED.has(header.error)) return ok(NOTHING_FRAMED);
      if (!header.ok) return fail(lineFault(this.#line, header.error));
      this.#rows = new CsvRowWriter(header.value);
    }
    return yield* this.#frameRows(this.#rows, scanner, { known, isLast });
  }

  *#frameRows(rows: CsvRowWriter, scanner: CsvScanner, { known, isLast }: Known): Slices<Result<Framed, ApiError>> {
    const first = this.#line;
    const starts: number[] = [];
    const ends: number[] = [];
    rows.begin(known);
    while (rows.length < MOST_JSON && scanner.findRecord()) {
      const start = scanner.position;
      const before = rows.mark();
      const problem = yield* rows.add(scanner);
      if (problem === UNFINISHED && !isLast) {
        rows.reset(before);
        scanner.position = start;
        break;
      }
      if (problem !== undefined) return fail(lineFault(first + countLines(known, start), problem));
      starts.push(start);
      ends.push(rows.length);
    }
    const isAtLineEnd = known.length === 0 ? this.#isAtLineEnd : known.at(-1) === LINE_FEED;
    if (isLast && !rows.hasRows && !isAtLineEnd) return fail(lineFault(first, HEADER_UNFINISHED));
    const consumed = scanner.position;
    if (consumed > 0) this.#isAtLineEnd = known[consumed - 1] === LINE_FEED;
    this.#line += countLines(known, consumed);
    const lineOf = (row: number): number => first + countLines(known, starts[row] ?? 0);
    return ok({ batch: { bytes: rows.finish(), ends, lineOf }, consumed });
  }
}

interface Known {
  readonly known: Uint8Array;
  readonly isLast: boolean;
}

/** Line ends before a position. */
function countLines(bytes: Uint8Array, end: number): number {
  let count = 0;
  let pos = bytes.indexOf(LINE_FEED);
  for (; pos !== -1 && pos < end; pos = bytes.indexOf(LINE_FEED, pos + 1)) count += 1;
  return count;
}
