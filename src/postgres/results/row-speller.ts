// Writes rows as JSON objects, from the bytes of their DataRow messages, byte for byte as PostgreSQL's row_to_json does.
// Short rows are read and written in one pass, without an object for a row or a value; long rows, and rows that arrive in
// parts, are written value by value and part by part.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
import type { ServerMessage } from '../wire/decoder.ts';
import { NULL } from '../wire/read-message.ts';
import type { Delimiters } from './array-writer.ts';
import type { LineBuffer } from './line-buffer.ts';
import type { RowLayout } from './row-layout.ts';
import type { RowAdding } from './row-writer.ts';
import {
  copyBytes,
  copyLine,
  escapeText,
  MAX_ADDED,
  MAX_GROWTH,
  SPELLING,
  type Spelling,
  spellValue,
  UNSPELLED,
  viewOf,
} from './spell-value.ts';

const BRACE = viewOf(Buffer.from('{'));
const END_BRACE = viewOf(Buffer.from('}'));
const NULL_WORD = viewOf(Buffer.from('null'));
const QUOTE = viewOf(Buffer.from('"'));

/** Rows that may become longer are written part by part. Not more than `LineBuffer.open` provides. */
const MAX_WHOLE = 16 * 1024;
/** Bytes of a long string that are written at once. */
const MAX_PART = 2 * 1024;
/** Shorter values are written when they are complete. */
const MAX_HELD = 64;
const MAY_BE_LONG: ReadonlySet<Spelling> = new Set([SPELLING.text, SPELLING.json, SPELLING.line, SPELLING.number]);
const LENGTH_SIZE = 4;
/** Bytes before and after a row. */
const MAX_DELIMITERS = 5;

export class RowSpeller {
  readonly #layout: RowLayout;
  readonly #lines: LineBuffer;
  readonly #delimiters: Delimiters;
  /** The bytes of a length, or of a short value, that have arrived. */
  readonly #held: Buffer = Buffer.alloc(MAX_HELD);
  readonly #heldView: DataView = viewOf(this.#held);
  #heldSize = 0;
  /** Index of the current value; -1 before the first. */
  #column = -1;
  /** Bytes of the current value that have not arrived; undefined between two values. */
  #missing: number | undefined;
  #isHeld = false;
  /** The received bytes of the latest row, which many rows share. */
  #source: Buffer = this.#held;
  #sourceView: DataView = this.#heldView;

  constructor(layout: RowLayout, lines: LineBuffer, delimiters: Delimiters) {
    this.#layout = layout;
    this.#lines = lines;
    this.#delimiters = delimiters;
  }

  /**
   * Writes a whole row, with its delimiters.
   *
   * @returns whether it is added; if not, what has been written is of no use
   */
  addRow({ bytes, start, end }: ServerMessage): RowAdding {
    const { first, keys, spellings, fixedSize } = this.#layout;
    const source = this.#viewOf(bytes);
    if (end - start < 2 || source.getUint16(start) !== first + keys.length) return 'malformed';
    let from = start + 2;
    for (let column = 0; column < first; column += 1) {
      if (from + LENGTH_SIZE > end) return 'malformed';
      from += LENGTH_SIZE + Math.max(0, source.getInt32(from));
    }
    const most = MAX_DELIMITERS + fixedSize + MAX_GROWTH * (end - from);
    if (most > MAX_WHOLE) return this.#addLong(bytes.subarray(from, end)) ? 'added' : 'unspelled';
    const lines = this.#lines;
    let at = lines.open(most);
    const target = lines.view;
    const preceding = this.#delimiters.next();
    at = copyBytes(target, at, preceding, 0, preceding.byteLength);
    target.setUint8(at++, 0x7b);
    for (let column = 0; column < keys.length; column += 1) {
      const key = keys[column] ?? preceding;
      at = copyBytes(target, at, key, 0, key.byteLength);
      if (from + LENGTH_SIZE > end) return 'malformed';
      const length = source.getInt32(from);
      from += LENGTH_SIZE;
      if (length === NULL) {
        at = copyBytes(target, at, NULL_WORD, 0, 4);
        continue;
      }
      if (length < 0 || from + length > end) return 'malformed';
      at = spellValue(spellings[column] ?? SPELLING.unknown, target, at, source, from, from + length);
      if (at === UNSPELLED) return 'unspelled';
      from += length;
    }
    target.setUint8(at++, 0x7d);
    const { following } = this.#delimiters;
    lines.close(copyBytes(target, at, following, 0, following.byteLength));
    return from === end ? 'added' : 'malformed';
  }

  /** Call before the parts of a row. */
  begin(): void {
    this.#column = -1;
    this.#heldSize = 0;
    this.#missing = undefined;
    this.#lines.addText(this.#delimiters.next());
    this.#lines.addText(BRACE);
  }

  /**
   * Writes a part of a row, which may begin and end at any byte.
   *
   * @param bytes of the lengths and values of the columns that belong to the object
   * @returns false if the server cannot spell it
   */
  addPart(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      const end = Math.min(bytes.length, at + (this.#missing ?? LENGTH_SIZE - this.#heldSize));
      if (this.#missing === undefined || this.#isHeld) {
        this.#heldSize += bytes.copy(this.#held, this.#heldSize, at, end);
      } else this.#writePart(bytes, at, end);
      if (this.#missing !== undefined) this.#missing -= end - at;
      at = end;
      if (this.#missing === undefined ? this.#heldSize === LENGTH_SIZE && !this.#beginValue() : !this.#endValue())
        return false;
    }
    return true;
  }

  /** Call after the last part of a row. @returns false if the row has other columns than its description */
  end(): boolean {
    this.#lines.addText(END_BRACE);
    this.#lines.addText(this.#delimiters.following);
    const isComplete = this.#missing === undefined && this.#heldSize === 0;
    return isComplete && this.#column === this.#layout.keys.length - 1;
  }

  #viewOf(bytes: Buffer): DataView {
    if (bytes !== this.#source) {
      this.#source = bytes;
      this.#sourceView = viewOf(bytes);
    }
    return this.#sourceView;
  }

  #addLong(bytes: Buffer): boolean {
    this.begin();
    return this.addPart(bytes) && this.end();
  }

  /** The length of a value is complete. */
  #beginValue(): boolean {
    const lines = this.#lines;
    const length = this.#held.readInt32BE(0);
    this.#heldSize = 0;
    this.#column += 1;
    const key = this.#layout.keys[this.#column];
    if (key === undefined) return false;
    lines.addText(key);
    if (length === NULL) {
      lines.addText(NULL_WORD);
      return true;
    }
    if (length < 0) return false;
    this.#missing = length;
    this.#isHeld = length <= MAX_HELD;
    if (this.#isHeld) return length > 0 || this.#endValue();
    const spelling = this.#layout.spellings[this.#column];
    if (spelling === SPELLING.text) lines.addText(QUOTE);
    return spelling !== undefined && MAY_BE_LONG.has(spelling);
  }

  /** Numbers of this length are digits. */
  #writePart(bytes: Buffer, start: number, end: number): void {
    const lines = this.#lines;
    const spelling = this.#layout.spellings[this.#column];
    if (spelling !== SPELLING.text && spelling !== SPELLING.line) return lines.addPart(bytes, start, end);
    const write = spelling === SPELLING.text ? escapeText : copyLine;
    const source = this.#viewOf(bytes);
    for (let from = start; from < end; from += MAX_PART) {
      const at = lines.open(MAX_GROWTH * MAX_PART);
      lines.close(write(lines.view, at, source, from, Math.min(end, from + MAX_PART)));
    }
  }

  #endValue(): boolean {
    if (this.#missing !== 0) return true;
    const lines = this.#lines;
    const spelling = this.#layout.spellings[this.#column] ?? SPELLING.unknown;
    this.#missing = undefined;
    if (!this.#isHeld) {
      if (spelling === SPELLING.text) lines.addText(QUOTE);
      return true;
    }
    const at = lines.open(MAX_GROWTH * this.#heldSize + MAX_ADDED);
    const end = spellValue(spelling, lines.view, at, this.#heldView, 0, this.#heldSize);
    this.#heldSize = 0;
    if (end !== UNSPELLED) lines.close(end);
    return end !== UNSPELLED;
  }
}
