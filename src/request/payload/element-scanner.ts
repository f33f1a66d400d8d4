// Scans the objects of one body one by one: checks that they are valid JSON and that their keys fit, by default those of
// the first.
import type { Slices } from '../../util/slices.ts';
import {
  BYTES_PER_SLICE,
  CLOSE_BRACE,
  COMMA,
  OPEN_BRACE,
  scanColon,
  scanLongValue,
  scanShortValue,
  scanString,
  skipWhitespace,
  UNFINISHED,
} from './json-scanner.ts';
import { type KeyRule, SameKeys } from './element-keys.ts';
import { MAX_NAME_BYTES, MAX_NAMES } from './payload.ts';
import { INVALID } from '../../util/utf8.ts';

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** The member names of one object. */
interface Names {
  /** The text that contains them. */
  readonly bytes: Uint8Array;
  /** Positions of the first `MAX_NAMES` names, quotes included, in the order sent. */
  readonly starts: number[];
  readonly ends: number[];
  /** Number of names, including repeated ones. */
  count: number;
  readonly distinct: Set<string>;
}

/** Bodies written by one program repeat one order of names, sometimes two. */
const REMEMBERED_ORDERS = 4;

/** Scans the elements of one body. */
export class ElementScanner {
  /** Whether all elements are objects whose keys fit. */
  isUniform = true;
  /** Whether the scan ended as `INVALID` at a name of more than `MAX_NAME_BYTES`. */
  hasLongName = false;
  readonly #rule: KeyRule;
  readonly #depth: number;
  /** Orders of the keys seen so far: an element that repeats one byte for byte needs no decoding. */
  readonly #orders: Names[] = [];

  /** @param depth maximum nesting depth of an element */
  constructor(depth: number, rule: KeyRule = new SameKeys()) {
    this.#depth = depth;
    this.#rule = rule;
  }

  /** Distinct and in code-point order, up to `MAX_NAMES`. */
  get keys(): readonly string[] {
    return this.#rule.keys;
  }

  /** Scans an element with the names of an earlier one in the same order; returns `INVALID` for any other. */
  scanKnownOrder(bytes: Uint8Array, start: number): number {
    if (!this.isUniform || bytes[start] !== OPEN_BRACE) return INVALID;
    for (const order of this.#orders) {
      const end = this.#scanInOrder(bytes, start, order);
      if (end !== INVALID) return end;
    }
    return INVALID;
  }

  /** Scans any element. */
  *scan(bytes: Uint8Array, start: number): Slices<number> {
    if (bytes[start] !== OPEN_BRACE) this.isUniform = false;
    if (!this.isUniform) return yield* scanLongValue(bytes, start, this.#depth);
    const names: Names = { bytes, starts: [], ends: [], count: 0, distinct: new Set() };
    const end = yield* this.#scanObject(start, names);
    if (end === INVALID) return INVALID;
    this.isUniform = this.#rule.accept(names.distinct);
    if (names.count <= MAX_NAMES && this.#orders.length < REMEMBERED_ORDERS) this.#orders.push(names);
    return end;
  }

  /** Scans an object with exactly these names in this order; returns `INVALID` for any other or longer object too. */
  #scanInOrder(bytes: Uint8Array, start: number, names: Names): number {
    const count = names.starts.length;
    let pos = skipWhitespace(bytes, start + 1);
    for (let index = 0; index < count; index++) {
      const nameEnd = matchName(bytes, pos, names, index);
      const valueStart = nameEnd === INVALID ? INVALID : scanColon(bytes, nameEnd);
      const end = valueStart === INVALID ? INVALID : scanShortValue(bytes, valueStart, this.#depth - 1);
      if (end < 0) return INVALID;
      pos = skipWhitespace(bytes, end);
      if (index < count - 1) {
        if (bytes[pos] !== COMMA) return INVALID;
        pos = skipWhitespace(bytes, pos + 1);
      }
    }
    return bytes[pos] === CLOSE_BRACE ? pos + 1 : INVALID;
  }

  /** Scans any object and adds its names to `names`. */
  *#scanObject(start: number, names: Names): Slices<number> {
    const { bytes } = names;
    const depth = this.#depth - 1;
    let sliceEnd = start + BYTES_PER_SLICE;
    let pos = skipWhitespace(bytes, start + 1);
    if (bytes[pos] === CLOSE_BRACE) return pos + 1;
    for (;;) {
      const nameEnd = scanString(bytes, pos, pos + MAX_NAME_BYTES);
      this.hasLongName = nameEnd === UNFINISHED;
      if (nameEnd < 0) return INVALID;
      addName(names, pos, nameEnd);
      const valueStart = scanColon(bytes, nameEnd);
      if (valueStart === INVALID) return INVALID;
      const end = yield* scanLongValue(bytes, valueStart, depth);
      if (end === INVALID) return INVALID;
      pos = skipWhitespace(bytes, end);
      if (bytes[pos] === CLOSE_BRACE) return pos + 1;
      if (bytes[pos] !== COMMA) return INVALID;
      pos = skipWhitespace(bytes, pos + 1);
      if (pos < sliceEnd) continue;
      yield;
      sliceEnd = pos + BYTES_PER_SLICE;
    }
  }
}

function matchName(bytes: Uint8Array, start: number, names: Names, index: number): number {
  const known = names.bytes;
  const from = names.starts[index] ?? 0;
  const length = (names.ends[index] ?? 0) - from;
  for (let offset = 0; offset < length; offset++) {
    if (bytes[start + offset] !== known[from + offset]) return INVALID;
  }
  return start + length;
}

function addName(names: Names, start: number, end: number): void {
  names.count += 1;
  if (names.count <= MAX_NAMES) {
    names.starts.push(start);
    names.ends.push(end);
  }
  if (names.distinct.size >= MAX_NAMES) return;
  const name: unknown = JSON.parse(DECODER.decode(names.bytes.subarray(start, end)));
  names.distinct.add(String(name));
}
