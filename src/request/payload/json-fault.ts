// A body that is no valid JSON → the place from which on it is none, for its sender. Beside the scanner, which only tells
// that it is none: valid bodies shall not pay for it.
import type { Slices } from '../../util/slices.ts';
import type { TextPlace } from '../../errors/api-error.ts';
import {
  BYTES_PER_SLICE,
  COMMA,
  isOpening,
  OPEN_BRACE,
  scanColon,
  scanString,
  scanValue,
  skipWhitespace,
} from './json-scanner.ts';
import { INVALID } from './utf8.ts';

/** In time linear in the length of the body, whatever its depth. */
export function* findJsonFault(bytes: Uint8Array): Slices<TextPlace> {
  return yield* placeOf(bytes, yield* findFault(bytes));
}

/** Where the first token begins that does not belong there; the end of a body that breaks off. */
function* findFault(bytes: Uint8Array): Slices<number> {
  const walk = new Walk(bytes);
  let sliceEnd = BYTES_PER_SLICE;
  while (walk.step()) {
    if (walk.pos < sliceEnd) continue;
    yield;
    sliceEnd = walk.pos + BYTES_PER_SLICE;
  }
  return walk.pos;
}

/** Goes over a body value by value. */
class Walk {
  pos: number;
  readonly #bytes: Uint8Array;
  /** Opening brackets of the containers around `pos`. */
  readonly #open: number[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.pos = skipWhitespace(bytes, 0);
  }

  /** Over one scalar or one opening bracket, and what has to follow; false where something else does. */
  step(): boolean {
    const byte = this.#bytes[this.pos] ?? 0;
    if (!isOpening(byte)) return this.#advance(scanValue(this.#bytes, this.pos, 0)) && this.#endValue();
    this.#open.push(byte);
    this.#skip(1);
    if (this.#isAt(byte + CLOSING_DISTANCE)) return this.#endValue();
    return byte !== OPEN_BRACE || this.#passName();
  }

  /** Over the closing brackets after a value, and the comma before the next one. */
  #endValue(): boolean {
    for (let opening = this.#open.at(-1); opening !== undefined; opening = this.#open.at(-1)) {
      if (this.#isAt(COMMA)) {
        this.#skip(1);
        return opening !== OPEN_BRACE || this.#passName();
      }
      if (!this.#isAt(opening + CLOSING_DISTANCE)) return false;
      this.#open.pop();
      this.#skip(1);
    }
    return false;
  }

  /** Over the name of a member and the colon after it. */
  #passName(): boolean {
    return this.#advance(scanString(this.#bytes, this.pos)) && this.#advance(scanColon(this.#bytes, this.pos));
  }

  #advance(to: number): boolean {
    if (to !== INVALID) this.pos = skipWhitespace(this.#bytes, to);
    return to !== INVALID;
  }

  #skip(count: number): void {
    this.pos = skipWhitespace(this.#bytes, this.pos + count);
  }

  #isAt(byte: number): boolean {
    return this.#bytes[this.pos] === byte;
  }
}

/** In ASCII, of a closing bracket from its opening one. */
const CLOSING_DISTANCE = 2;
const LINE_FEED = 0x0a;

function* placeOf(bytes: Uint8Array, end: number): Slices<TextPlace> {
  let line = 1;
  let column = 1;
  for (let pos = 0; pos < end; pos++) {
    const byte = bytes[pos] ?? 0;
    if (byte === LINE_FEED) {
      line += 1;
      column = 1;
    } else if ((byte & 0xc0) !== 0x80) column += 1;
    if (pos % BYTES_PER_SLICE === 0) yield;
  }
  return { line, column };
}
