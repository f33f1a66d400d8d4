// Finds the position at which a body stops being valid JSON, for the error message. Separate from the scanner, which
// only reports that a body is invalid, so that valid bodies do not pay for it.
import type { Slices } from '../../util/slices.ts';
import type { TextPlace } from '../../errors/api-error.ts';
import {
  BYTES_PER_SLICE,
  COMMA,
  isOpening,
  OPEN_BRACE,
  QUOTE,
  scanColon,
  scanLongString,
  scanLongValue,
  skipWhitespace,
} from './json-scanner.ts';
import { INVALID } from '../../util/utf8.ts';

/** Takes time linear in the length of the body, whatever its depth. */
export function* findJsonFault(bytes: Uint8Array): Slices<TextPlace> {
  return yield* placeOf(bytes, yield* findFault(bytes));
}

/** Returns the start of the first misplaced token, or the end of a body that is cut off. */
function* findFault(bytes: Uint8Array): Slices<number> {
  const walk = new Walk(bytes);
  let sliceEnd = BYTES_PER_SLICE;
  while (yield* walk.step()) {
    if (walk.pos < sliceEnd) continue;
    yield;
    sliceEnd = walk.pos + BYTES_PER_SLICE;
  }
  return walk.pos;
}

/** Walks over a body value by value. */
class Walk {
  pos: number;
  readonly #bytes: Uint8Array;
  /** Opening brackets of the containers around `pos`. */
  readonly #open: number[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.pos = skipWhitespace(bytes, 0);
  }

  /** Advances over one scalar or opening bracket and what must follow; returns false if something else does. */
  *step(): Slices<boolean> {
    const byte = this.#bytes[this.pos] ?? 0;
    if (!isOpening(byte))
      return this.#advance(yield* scanLongValue(this.#bytes, this.pos, 0)) && (yield* this.#endValue());
    this.#open.push(byte);
    this.#skip(1);
    if (this.#isAt(byte + CLOSING_DISTANCE)) return yield* this.#endValue();
    return byte !== OPEN_BRACE || (yield* this.#passName());
  }

  /** Advances over the closing brackets after a value and the comma before the next one. */
  *#endValue(): Slices<boolean> {
    for (let opening = this.#open.at(-1); opening !== undefined; opening = this.#open.at(-1)) {
      if (this.#isAt(COMMA)) {
        this.#skip(1);
        return opening !== OPEN_BRACE || (yield* this.#passName());
      }
      if (!this.#isAt(opening + CLOSING_DISTANCE)) return false;
      this.#open.pop();
      this.#skip(1);
    }
    return false;
  }

  /** Advances over a member name and its colon. */
  *#passName(): Slices<boolean> {
    if (!this.#isAt(QUOTE)) return false;
    return (
      this.#advance(yield* scanLongString(this.#bytes, this.pos)) && this.#advance(scanColon(this.#bytes, this.pos))
    );
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

/** Distance in ASCII from an opening bracket to its closing one. */
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
