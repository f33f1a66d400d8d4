// Collects text in UTF-8 bytes, in pieces that are never joined.
import type { Pieces } from '../../contract/transaction.ts';
import { BACKSLASH, PLAIN, QUOTE } from './json-scanner.ts';
import { INVALID, skipMultibyte } from './utf8.ts';

const ENCODER = new TextEncoder();
const PIECE = 262_144;
/** Texts that follow each other are of much the same length. */
const MARGIN = 1.25;

/** How text stands between the quotes of another text. */
export interface Quoting {
  /** 1 for each byte that stands for itself. */
  readonly plain: Uint8Array;
  /** How each character of ASCII is written. */
  readonly escaped: readonly Uint8Array[];
}

export const IN_JSON_STRING: Quoting = {
  plain: PLAIN,
  escaped: escapeEach((character) => JSON.stringify(character).slice(1, -1)),
};

/** A quoted element of a PostgreSQL array. */
export const IN_ARRAY_ELEMENT: Quoting = {
  plain: Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0)),
  escaped: escapeEach((character) => character.replace(/["\\]/u, '\\$&')),
};

/** The longest is `\u0000`; characters have up to four bytes. */
const MAX_ESCAPE_LENGTH = 6;

function escapeEach(escape: (character: string) => string): readonly Uint8Array[] {
  return Array.from({ length: 128 }, (_, code) => ENCODER.encode(escape(String.fromCharCode(code))));
}

export class PieceWriter {
  readonly #quoting: Quoting;
  #pieces: Uint8Array[] = [];
  #piece: Uint8Array;
  /** Bytes in use of the piece. */
  #used = 0;
  #before = 0;

  /** @param expected bytes that will hardly be exceeded: most texts are short */
  constructor(expected: number, quoting: Quoting) {
    this.#quoting = quoting;
    this.#piece = new Uint8Array(Math.min(PIECE, Math.ceil(expected) + MAX_ESCAPE_LENGTH));
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#before + this.#used;
  }

  /** Bytes of memory. */
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
   * Writes `start` to `end` of the text of a CSV field, where quotes are doubled, as it stands between the quotes.
   * @returns whether it is UTF-8
   */
  writeField(bytes: Uint8Array, start: number, end: number): boolean {
    let pos = start;
    while (pos < end) {
      pos = this.#writePlain(bytes, pos, end);
      if (pos === end) return true;
      if (this.#used + MAX_ESCAPE_LENGTH > this.#piece.length) this.#next(MAX_ESCAPE_LENGTH);
      const byte = bytes[pos] ?? 0;
      if (byte < 0x80) {
        this.write(this.#quoting.escaped[byte] ?? ENCODER.encode());
        pos += byte === QUOTE ? 2 : 1;
      } else {
        const next = skipMultibyte(bytes, pos);
        if (next === INVALID) return false;
        while (pos < next) this.#piece[this.#used++] = bytes[pos++] ?? 0;
      }
    }
    return true;
  }

  /** Takes back all but the first bytes. */
  truncate(length: number): void {
    while (length < this.#before) {
      this.#piece = this.#pieces.pop() ?? new Uint8Array();
      this.#before -= this.#piece.length;
    }
    this.#used = length - this.#before;
  }

  /** All that was written. */
  finish(): Pieces {
    return [...this.#pieces, this.#piece.subarray(0, this.#used)];
  }

  /** Begins again in the same memory: nobody needs what was written before. */
  restart(): void {
    // What did not fit into one piece does next time.
    if (this.#pieces.length > 0) this.#piece = new Uint8Array(Math.ceil(this.length * MARGIN));
    this.#pieces = [];
    this.#used = 0;
    this.#before = 0;
  }

  /** The run of characters that stand for themselves, as far as there is room. @returns where it ends */
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

  #next(least: number): void {
    this.#pieces.push(this.#piece.subarray(0, this.#used));
    this.#before += this.#used;
    this.#piece = new Uint8Array(Math.max(Math.min(PIECE, this.#before), least));
    this.#used = 0;
  }
}
