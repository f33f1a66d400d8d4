// Frames lines of JSON objects as the JSON array that the database reads (`beyond.md` §2.5). Passes their text on
// unchanged, except that the line ends between them become commas, in place.
import { sortedNames } from '../../util/code-points.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Slices } from '../../util/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { LINE_FEED } from '../../request/payload/csv-scanner.ts';
import { ElementScanner } from '../../request/payload/element-scanner.ts';
import { findJsonFault } from '../../request/payload/json-fault.ts';
import {
  BYTES_PER_SLICE,
  COMMA,
  isNestedDeeper,
  isWhitespace,
  OPEN_BRACE,
  scanContainer,
  skipWhitespace,
} from '../../request/payload/json-scanner.ts';
import { lineFault, NAME_TOO_LONG, tooDeep } from '../../request/payload/payload-errors.ts';
import { batchOfObjects, type Framed, type RowFramer } from './row-framer.ts';
import { INVALID } from '../../util/utf8.ts';

export interface NdjsonSettings {
  /** The `columns` parameter; if present, objects may have any keys. */
  readonly columns: readonly string[] | undefined;
  readonly maxJsonDepth: number;
  /** Whether errors contain the position at which the JSON becomes invalid. */
  readonly hasHints: boolean;
}

const OPEN = new TextEncoder().encode('[');
const CLOSE = new TextEncoder().encode(']');
const BLANK = 0x20;
/** Bytes; a longer line is scanned in slices. */
const LONG_LINE = 1_048_576;

interface Line {
  readonly start: number;
  /** Position of its line feed, or the end of the body. */
  readonly end: number;
}

export class NdjsonFramer implements RowFramer {
  readonly isTabular = false;
  readonly #settings: NdjsonSettings;
  readonly #objects: ElementScanner;
  /** Number of the next line. */
  #line = 1;

  constructor(settings: NdjsonSettings) {
    this.#settings = settings;
    this.#objects = new ElementScanner(settings.maxJsonDepth);
  }

  get keys(): readonly string[] {
    const { columns } = this.#settings;
    return columns === undefined ? this.#objects.keys : sortedNames(columns);
  }

  *frame(bytes: Uint8Array, isLast: boolean): Slices<Result<Framed, ApiError>> {
    const consumed = isLast ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    const ends: number[] = [];
    const lines: number[] = [];
    let rowsEnd = 0;
    let sliceEnd = BYTES_PER_SLICE;
    for (let pos = 0; pos < consumed; this.#line += 1) {
      const lineEnd = findLineEnd(bytes, pos);
      const line = { start: skipBlanks(bytes, pos, lineEnd), end: lineEnd };
      const isBlank = line.start === line.end;
      if (!isBlank) {
        const end = yield* this.#scan(bytes, line);
        if (end === INVALID) return fail(yield* this.#explain(bytes.subarray(pos, line.end)));
        rowsEnd = end;
        ends.push(OPEN.length + end);
        lines.push(this.#line);
      }
      if (line.end < bytes.length) bytes[line.end] = isBlank ? BLANK : COMMA;
      pos = line.end + 1;
      if (pos < sliceEnd) continue;
      yield;
      sliceEnd = pos + BYTES_PER_SLICE;
    }
    const pieces = rowsEnd === 0 ? [OPEN, CLOSE] : [OPEN, bytes.subarray(0, rowsEnd), CLOSE];
    return ok({ batch: batchOfObjects(pieces, ends, (row) => lines[row] ?? 0), consumed });
  }

  /** @returns the end of the line's only object, or `INVALID` */
  *#scan(bytes: Uint8Array, { start, end }: Line): Slices<number> {
    const isShort = end - start < LONG_LINE;
    let pos = isShort && this.#settings.columns === undefined ? this.#objects.scanKnownOrder(bytes, start) : INVALID;
    // What follows the line must not count as part of its object, which would change the error.
    if (pos === INVALID) pos = yield* this.#scanAny(bytes.subarray(0, end), start);
    return pos !== INVALID && pos <= end && skipBlanks(bytes, pos, end) === end ? pos : INVALID;
  }

  *#scanAny(bytes: Uint8Array, start: number): Slices<number> {
    if (bytes[start] !== OPEN_BRACE) return INVALID;
    const { columns, maxJsonDepth } = this.#settings;
    if (columns !== undefined) return yield* scanContainer(bytes, start, maxJsonDepth);
    const end = yield* this.#objects.scan(bytes, start);
    return this.#objects.isUniform ? end : INVALID;
  }

  *#explain(line: Uint8Array): Slices<ApiError> {
    const { maxJsonDepth, hasHints } = this.#settings;
    if (yield* isNestedDeeper(line, maxJsonDepth)) return tooDeep(maxJsonDepth, this.#line);
    if (this.#objects.hasLongName) return NAME_TOO_LONG;
    if (!this.#objects.isUniform) return lineFault(this.#line, 'All object keys must match');
    const hasPlace = hasHints && line[skipWhitespace(line, 0)] === OPEN_BRACE;
    const place = hasPlace ? { ...(yield* findJsonFault(line)), line: this.#line } : undefined;
    return lineFault(this.#line, 'Not a JSON object', place);
  }
}

/** Stays within the line; otherwise the cost of many blank lines would be quadratic. */
function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let pos = start;
  while (pos < end && isWhitespace(bytes[pos] ?? 0)) pos++;
  return pos;
}

function findLineEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(LINE_FEED, start);
  return end === -1 ? bytes.length : end;
}
