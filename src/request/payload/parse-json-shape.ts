// A JSON body to the keys of its objects, in one pass that validates the text and keeps none of it
// (`writing.md` §3.2). The bytes themselves travel on to the database.
import { sortedNames } from '../../contract/code-points.ts';
import type { Slices } from '../../contract/slices.ts';
import {
  BYTES_PER_SLICE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isNestedDeeper,
  isOpening,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanColon,
  scanContainer,
  scanString,
  scanValue,
  skipWhitespace,
} from './json-scanner.ts';
import { MAX_NAMES } from './payload.ts';
import { INVALID } from './utf8.ts';

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** `tooDeep`: whatever else is wrong with it. `mixed`: an array whose elements are not all objects with the same keys. */
export type JsonShape =
  | { readonly kind: 'keyed'; readonly isArray: boolean; readonly keys: readonly string[] }
  | { readonly kind: 'scalar' }
  | { readonly kind: 'mixed' }
  | { readonly kind: 'tooDeep' }
  | { readonly kind: 'invalid' };

/** Keys come distinct and in code-point order, up to `MAX_NAMES`. */
export function* parseJsonShape(bytes: Uint8Array, maxDepth: number): Slices<JsonShape> {
  const start = skipWhitespace(bytes, 0);
  const isArray = bytes[start] === OPEN_BRACKET;
  const isKeyed = isArray || bytes[start] === OPEN_BRACE;
  const elements = new ElementScanner(bytes, isArray ? maxDepth - 1 : maxDepth);
  let end: number;
  if (!isKeyed) end = scanValue(bytes, start, maxDepth);
  else end = isArray ? yield* scanElements(bytes, start, elements) : yield* elements.scan(start);
  if (end === INVALID || skipWhitespace(bytes, end) !== bytes.length) {
    const isTooDeep = yield* isNestedDeeper(bytes, maxDepth);
    return { kind: isTooDeep ? 'tooDeep' : 'invalid' };
  }
  if (!isKeyed) return { kind: 'scalar' };
  return elements.isUniform ? { kind: 'keyed', isArray, keys: elements.keys } : { kind: 'mixed' };
}

function* scanElements(bytes: Uint8Array, start: number, elements: ElementScanner): Slices<number> {
  let sliceEnd = start + BYTES_PER_SLICE;
  let pos = skipWhitespace(bytes, start + 1);
  if (bytes[pos] === CLOSE_BRACKET) return pos + 1;
  for (;;) {
    const end = elements.scanAlike(pos);
    pos = end === INVALID ? yield* elements.scan(pos) : end;
    if (pos === INVALID) return INVALID;
    if (pos >= sliceEnd) {
      yield;
      sliceEnd = pos + BYTES_PER_SLICE;
    }
    pos = skipWhitespace(bytes, pos);
    if (bytes[pos] === CLOSE_BRACKET) return pos + 1;
    if (bytes[pos] !== COMMA) return INVALID;
    pos = skipWhitespace(bytes, pos + 1);
  }
}

/** The names of one object. */
interface Names {
  /** Where the first of them stand in the body, quotes included, in the order sent. */
  readonly starts: number[];
  readonly ends: number[];
  /** How many there are, repeated ones too. */
  count: number;
  readonly distinct: Set<string>;
}

/** Bodies made by one program repeat one order of names, sometimes two. */
const REMEMBERED_ORDERS = 4;

/** Scans the elements of one body and compares their keys with those of the first. */
class ElementScanner {
  isUniform = true;
  keys: readonly string[] = [];
  #isFirst = true;
  readonly #bytes: Uint8Array;
  readonly #depth: number;
  /** Orders in which the keys have stood so far: an element that repeats one byte by byte needs no decoding. */
  readonly #orders: Names[] = [];

  /** @param depth levels that an element may have */
  constructor(bytes: Uint8Array, depth: number) {
    this.#bytes = bytes;
    this.#depth = depth;
  }

  /** An element with the names of an earlier one in the same order; `INVALID` for any other. */
  scanAlike(start: number): number {
    if (!this.isUniform || this.#bytes[start] !== OPEN_BRACE) return INVALID;
    for (const order of this.#orders) {
      const end = this.#scanAlike(start, order);
      if (end !== INVALID) return end;
    }
    return INVALID;
  }

  /** Any element. */
  *scan(start: number): Slices<number> {
    if (this.#bytes[start] !== OPEN_BRACE) this.isUniform = false;
    if (!this.isUniform) return scanValue(this.#bytes, start, this.#depth);
    const names: Names = { starts: [], ends: [], count: 0, distinct: new Set() };
    const end = yield* this.#scanObject(start, names);
    if (end === INVALID) return INVALID;
    const keys = sortedNames(names.distinct);
    if (this.#isFirst) this.keys = keys;
    this.#isFirst = false;
    this.isUniform = isSameList(keys, this.keys);
    if (names.count <= MAX_NAMES && this.#orders.length < REMEMBERED_ORDERS) this.#orders.push(names);
    return end;
  }

  /** An object whose names are the given ones in the same order; `INVALID` also for any other object. */
  #scanAlike(start: number, names: Names): number {
    const bytes = this.#bytes;
    const count = names.starts.length;
    let pos = skipWhitespace(bytes, start + 1);
    for (let index = 0; index < count; index++) {
      const nameEnd = matchName(bytes, pos, names, index);
      const valueStart = nameEnd === INVALID ? INVALID : scanColon(bytes, nameEnd);
      const end = valueStart === INVALID ? INVALID : scanValue(bytes, valueStart, this.#depth - 1);
      if (end === INVALID) return INVALID;
      pos = skipWhitespace(bytes, end);
      if (index < count - 1) {
        if (bytes[pos] !== COMMA) return INVALID;
        pos = skipWhitespace(bytes, pos + 1);
      }
    }
    return bytes[pos] === CLOSE_BRACE ? pos + 1 : INVALID;
  }

  /** Any object; its names are added to `names`. */
  *#scanObject(start: number, names: Names): Slices<number> {
    const bytes = this.#bytes;
    const depth = this.#depth - 1;
    let sliceEnd = start + BYTES_PER_SLICE;
    let pos = skipWhitespace(bytes, start + 1);
    if (bytes[pos] === CLOSE_BRACE) return pos + 1;
    for (;;) {
      const nameEnd = scanString(bytes, pos);
      if (nameEnd === INVALID) return INVALID;
      addName(names, bytes, pos, nameEnd);
      const valueStart = scanColon(bytes, nameEnd);
      if (valueStart === INVALID) return INVALID;
      const isLong = isOpening(bytes[valueStart]);
      const end = isLong ? yield* scanContainer(bytes, valueStart, depth) : scanValue(bytes, valueStart, depth);
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
  const from = names.starts[index] ?? 0;
  const length = (names.ends[index] ?? 0) - from;
  for (let offset = 0; offset < length; offset++) {
    if (bytes[start + offset] !== bytes[from + offset]) return INVALID;
  }
  return start + length;
}

function addName(names: Names, bytes: Uint8Array, start: number, end: number): void {
  names.count += 1;
  if (names.count <= MAX_NAMES) {
    names.starts.push(start);
    names.ends.push(end);
  }
  if (names.distinct.size >= MAX_NAMES) return;
  const name: unknown = JSON.parse(DECODER.decode(bytes.subarray(start, end)));
  names.distinct.add(String(name));
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
