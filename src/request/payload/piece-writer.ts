// Collects UTF-8 text in pieces that are never joined.
import type { Pieces } from '../../contract/transaction.ts';
import { BACKSLASH, BYTES_PER_SLICE, PLAIN, QUOTE } from './json-scanner.ts';
import { INVALID, skipMultibyte } from '../../util/utf8.ts';

const ENCODER = new TextEncoder();
const PIECE_BYTES = 262_144;
/** Extra capacity, since consecutive texts have similar lengths. */
const HEADROOM = 1.25;

/** How to escape text inside quotes. */
export interface Quoting {
  /** 1 for each byte that needs no escaping. */
  readonly plain: Uint8Array;
  /** The escaped form of each ASCII character. */
  readonly escaped: readonly Uint8Array[];
}

export const IN_JSON_STRING: Quoting = {
  plain: PLAIN,
  escaped: escapeEach((character) => JSON.stringify(character).slice(1, -1)),
};

/** Inside a quoted element of a PostgreSQL array. */
export const IN_ARRAY_ELEMENT: Quoting = {
  plain: Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0)),
  escaped: escapeEach((character) => character.replace(/["\\]/u, '\\$&')),
};

/** The longest escape is `\u0000`; an unescaped character takes up to four bytes. */
const MAX_ESCAPE_LENGTH = 6;

function escapeEach(escape: (character: string) => string): readonly Uint8Array[] {
  return Array.from({ length: 128 }, (_, code) => ENCODER.encode(escape(String.fromCharCode(code))));
}

export class PieceWriter {
  readonly #quoting: Quoting;
  #pieces: Uint8Array[] = [];
  #piece: Uint8Array;
  /** Bytes used in the current piece. */
  #used = 0;
  #before = 0;

  /** @param expected rarely exceeded number of bytes; avoids allocating a full piece for short text */
  constructor(expected: number, quoting: Quoting) {
    this.#quoting = quoting;
    this.#piece = new Uint8Array(Math.min(PIECE_BYTES, Math.ceil(expected) + MAX_ESCAPE_LENGTH));
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#before + this.#used;
  }

  /** Allocated bytes. */
  get capacity(): number {
    return this.#before + this.#piece.length;
  }

  writeByte(byte: number): void {
    if (this.#used === this.#piece.length) this.#next(1);
    this.#piece[this.#used++] = byte;
  }

  write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#piece.length) this.#next(bytes.length);
    this.#piece.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /**
   * Writes the text of a CSV field from `start` to `end`, in which quotes are doubled, escaped for use inside quotes, or
   * its first slice.
   * @returns the end of what it has written, or `INVALID` if that is not UTF-8
   */
  writeField(bytes: Uint8Array, start: number, end: number): number {
    const sliceEnd = Math.min(end, start + BYTES_PER_SLICE);
    let pos = start;
    while (pos < sliceEnd) {
      pos = this.#writePlain(bytes, pos, sliceEnd);
      if (pos === sliceEnd) return pos;
      if (this.#used + MAX_ESCAPE_LENGTH > this.#piece.length) this.#next(MAX_ESCAPE_LENGTH);
      const byte = bytes[pos] ?? 0;
      if (byte < 0x80) {
        this.write(this.#quoting.escaped[byte] ?? ENCODER.encode());
        pos += byte === QUOTE ? 2 : 1;
      } else {
        const next = skipMultibyte(bytes, pos);
        if (next === INVALID) return INVALID;
        while (pos < next) this.#piece[this.#used++] = bytes[pos++] ?? 0;
      }
    }
    return pos;
  }

  /** Discards everything after the first `length` bytes. */
  truncate(length: number): void {
    while (length < this.#before) {
      this.#piece = this.#pieces.pop() ?? new Uint8Array();
      this.#before -= this.#piece.length;
    }
    this.#used = length - this.#before;
  }

  /** Returns everything written. */
  finish(): Pieces {
    return [...this.#pieces, this.#piece.subarray(0, this.#used)];
  }

  /** Starts over in the same memory; the text returned before must no longer be in use. */
  restart(): void {
    // Text that did not fit into one piece will fit next time.
    if (this.#pieces.length > 0) this.#piece = new Uint8Array(Math.ceil(this.length * HEADROOM));
    this.#pieces = [];
    this.#used = 0;
    this.#before = 0;
  }

  /** Copies characters that need no escaping, as far as there is room. @returns where they end */
  #writePlain(bytes: Uint8Array, start: number, end: number): number {
    const piece = this.#piece;
    const { plain } = this.#quoting;
    const room = Math.min(end, start + piece.length - this.#used);
    let used = this.#used;
    let pos = start;
    for (; pos < room; pos++) {
      const byte = bytes[pos] ?? 0;
      if (plain[byte] !== 1) break;
      piece[used++] = byte;
    }
    this.#used = used;
    return pos;
  }

  #next(minimum: number): void {
    this.#pieces.push(this.#piece.subarray(0, this.#used));
    this.#before += this.#used;
    this.#piece = new Uint8Array(Math.max(Math.min(PIECE_BYTES, this.#before), minimum));
    this.#used = 0;
  }
}
