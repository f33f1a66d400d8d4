// Collects JSON text in UTF-8 bytes, in pieces that are never joined.
import type { Pieces } from '../../contract/transaction.ts';
import { PLAIN, QUOTE } from './json-scanner.ts';
import { INVALID, skipMultibyte } from './utf8.ts';

const ENCODER = new TextEncoder();
const PIECE = 262_144;

/** How each character of ASCII is written within a JSON string. */
const ESCAPED: readonly Uint8Array[] = Array.from({ length: 128 }, (_, code) =>
  ENCODER.encode(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);
/** The longest of them is `\u0000`; characters have up to four bytes. */
const MAX_ESCAPE_LENGTH = 6;

/** A place in what is being written. */
export interface Mark {
  readonly pieces: number;
  readonly piece: Uint8Array;
  readonly used: number;
  readonly before: number;
}

export class PieceWriter {
  #pieces: Uint8Array[] = [];
  #piece: Uint8Array;
  /** Bytes in use of the piece. */
  #used = 0;
  #before = 0;

  /** @param expected bytes that will hardly be exceeded: most texts are short */
  constructor(expected: number) {
    this.#piece = new Uint8Array(Math.min(PIECE, expected + MAX_ESCAPE_LENGTH));
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#before + this.#used;
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
   * Writes `start` to `end` of the text of a CSV field, where quotes are doubled, as the inside of a JSON string.
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
        this.write(ESCAPED[byte] ?? ENCODER.encode());
        pos += byte === QUOTE ? 2 : 1;
      } else {
        const next = skipMultibyte(bytes, pos);
        if (next === INVALID) return false;
        while (pos < next) this.#piece[this.#used++] = bytes[pos++] ?? 0;
      }
    }
    return true;
  }

  mark(): Mark {
    return { pieces: this.#pieces.length, piece: this.#piece, used: this.#used, before: this.#before };
  }

  /** Takes back what was written after the mark. */
  reset({ pieces, piece, used, before }: Mark): void {
    this.#pieces.length = pieces;
    this.#piece = piece;
    this.#used = used;
    this.#before = before;
  }

  /** All that was written. */
  finish(): Pieces {
    this.#next(0);
    return this.#pieces;
  }

  /** The run of characters that stand for themselves, as far as there is room. @returns where it ends */
  #writePlain(bytes: Uint8Array, start: number, end: number): number {
    const piece = this.#piece;
    const room = Math.min(end, start + piece.length - this.#used);
    let used = this.#used;
    let pos = start;
    for (; pos < room; pos++) {
      const byte = bytes[pos] ?? 0;
      if (PLAIN[byte] !== 1) break;
      piece[used++] = byte;
    }
    this.#used = used;
    return pos;
  }

  #next(least: number): void {
    this.#pieces.push(this.#piece.subarray(0, this.#used));
    this.#before += this.#used;
    this.#piece = new Uint8Array(Math.max(PIECE, least));
    this.#used = 0;
  }
}
