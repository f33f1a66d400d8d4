// Scans CSV text (`writing.md` §3.3) in bytes, field by field, without building values.
import { BYTES_PER_SLICE, COMMA, QUOTE } from './json-scanner.ts';

export const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The problem of a field whose end may still arrive. */
export const UNFINISHED = 'A quoted field of the CSV does not end';

/** The problem of a field that is too long for one slice: the next call goes on with it. */
export const UNREAD = 'A field of the CSV is long';

export class CsvScanner {
  /** Where the next field or record begins. */
  position = 0;
  /** The latest field is `start` to `end`, without the enclosing quotes; a quote inside is doubled. */
  start = 0;
  end = 0;
  /** Whether that field was the last of its record. */
  isRecordEnd = false;
  readonly #bytes: Uint8Array;
  /** Where to go on with a field of several slices; before `position` in all others. */
  #resumeAt = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Skips blank lines between records, as many as fit into one slice. @returns whether there is another line */
  skipBlankLines(): boolean {
    const sliceEnd = this.position + BYTES_PER_SLICE;
    let width = this.#lineEndAt(this.position);
    while (width > 0 && this.position < sliceEnd) {
      this.position += width;
      width = this.#lineEndAt(this.position);
    }
    return this.position < this.#bytes.length;
  }

  /** Whether the line at `position` is blank, because there were too many for one slice. */
  get isAtBlankLine(): boolean {
    return this.#lineEndAt(this.position) > 0;
  }

  /** Scans the next field, or a slice of it. @returns its problem, if any, or `UNREAD` */
  scanField(): string | undefined {
    return this.#bytes[this.position] === QUOTE ? this.#scanQuoted() : this.#scanPlain();
  }

  #scanPlain(): string | undefined {
    const bytes = this.#bytes;
    this.start = this.position;
    let pos = Math.max(this.#resumeAt, this.start);
    const sliceEnd = Math.min(bytes.length, pos + BYTES_PER_SLICE);
    for (; pos < sliceEnd; pos++) {
      const byte = bytes[pos] ?? 0;
      // Special bytes are small and most others are not, so one comparison skips most of the text.
      if (byte > COMMA) continue;
      if (byte === COMMA || byte === LINE_FEED) break;
      if (byte === QUOTE) return 'A field of the CSV contains a quote and is not quoted';
    }
    if (pos === sliceEnd && pos < bytes.length) return this.#pauseAt(pos);
    const isAfterReturn = bytes[pos] === LINE_FEED && pos > this.start && bytes[pos - 1] === CARRIAGE_RETURN;
    this.end = isAfterReturn ? pos - 1 : pos;
    return this.#scanSeparator(this.end);
  }

  #scanQuoted(): string | undefined {
    const bytes = this.#bytes;
    this.start = this.position + 1;
    let pos = Math.max(this.#resumeAt, this.start);
    const sliceEnd = pos + BYTES_PER_SLICE;
    while (pos < bytes.length && (bytes[pos] !== QUOTE || bytes[pos + 1] === QUOTE)) {
      if (pos >= sliceEnd) return this.#pauseAt(pos);
      pos += bytes[pos] === QUOTE ? 2 : 1;
    }
    if (pos >= bytes.length) return UNFINISHED;
    this.end = pos;
    return this.#scanSeparator(pos + 1);
  }

  #pauseAt(pos: number): string {
    this.#resumeAt = pos;
    return UNREAD;
  }

  #scanSeparator(pos: number): string | undefined {
    const width = this.#lineEndAt(pos);
    const isComma = this.#bytes[pos] === COMMA;
    if (width === 0 && !isComma && pos < this.#bytes.length)
      return 'A field of the CSV goes on after its closing quote';
    this.isRecordEnd = !isComma;
    this.position = pos + (isComma ? 1 : width);
    return undefined;
  }

  /** @returns the length of the line end at `pos`, or 0 if there is none */
  #lineEndAt(pos: number): number {
    const byte = this.#bytes[pos];
    if (byte === LINE_FEED) return 1;
    return byte === CARRIAGE_RETURN && this.#bytes[pos + 1] === LINE_FEED ? 2 : 0;
  }
}
