// Scans JSON text (RFC 8259) in UTF-8 bytes without building values. Each function takes the position where something
// begins and returns the position after it, or `INVALID`.
import type { Slices } from '../../util/slices.ts';
import { INVALID, skipMultibyte } from '../../util/utf8.ts';

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const BACKSLASH = 0x5c;
const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Takes a small fraction of a millisecond to scan. */
export const BYTES_PER_SLICE = 32_768;

/** 1 for bytes that are ordinary in a string: all of ASCII except control characters, quote and backslash. */
export const PLAIN: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

const TRUE = new TextEncoder().encode('true');
const FALSE = new TextEncoder().encode('false');
const NULL = new TextEncoder().encode('null');

/**
 * Bytes of white space or digits in a row. The functions below read such a run in one go; a text with a longer one
 * counts as invalid. The type `numeric` takes up to 131,072 digits before the point.
 */
const MAX_WHITESPACE = 16_777_216;
const MAX_DIGITS = 1_048_576;

/** The string continues beyond the end of the slice. */
export const UNFINISHED = -2;

export function skipWhitespace(bytes: Uint8Array, start: number): number {
  const end = Math.min(bytes.length, start + MAX_WHITESPACE);
  let pos = start;
  while (pos < end && isWhitespace(bytes[pos] ?? 0)) pos++;
  return pos;
}

/**
 * `start` is the opening quote; the returned position follows the closing quote.
 *
 * @param limit where to stop with `UNFINISHED`
 */
export function scanString(bytes: Uint8Array, start: number, limit: number = bytes.length): number {
  if (bytes[start] !== QUOTE) return INVALID;
  const pos = skipCharacters(bytes, start + 1, limit);
  if (bytes[pos] === QUOTE) return pos + 1;
  return pos === INVALID || pos >= bytes.length ? INVALID : UNFINISHED;
}

/** Returns the position of the closing quote, or of the first character from `limit` on. */
function skipCharacters(bytes: Uint8Array, start: number, limit: number): number {
  const end = Math.min(limit, bytes.length);
  let pos = start;
  while (pos < end) {
    const byte = bytes[pos] ?? 0;
    if (PLAIN[byte] === 1) pos++;
    else if (byte === QUOTE) return pos;
    else {
      pos = byte >= 0x80 ? skipMultibyte(bytes, pos) : skipEscape(bytes, pos);
      if (pos === INVALID) return INVALID;
    }
  }
  return pos;
}

/** `start` is the opening quote. */
export function* scanLongString(bytes: Uint8Array, start: number): Slices<number> {
  let pos = start + 1;
  for (;;) {
    pos = skipCharacters(bytes, pos, pos + BYTES_PER_SLICE);
    if (bytes[pos] === QUOTE) return pos + 1;
    if (pos === INVALID || pos >= bytes.length) return INVALID;
    yield;
  }
}

export function scanColon(bytes: Uint8Array, start: number): number {
  const pos = skipWhitespace(bytes, start);
  return bytes[pos] === COLON ? skipWhitespace(bytes, pos + 1) : INVALID;
}

/** Scans one value of any kind, nested at most `depth` levels; `UNFINISHED` if that takes more than one slice. */
export function scanShortValue(bytes: Uint8Array, start: number, depth: number): number {
  if (!isOpening(bytes[start])) return scanScalar(bytes, start, start + BYTES_PER_SLICE);
  const step = scanContainer(bytes, start, depth).next();
  return step.done === true ? step.value : UNFINISHED;
}

/** Scans one value of any kind in slices. */
export function* scanLongValue(bytes: Uint8Array, start: number, depth: number): Slices<number> {
  if (isOpening(bytes[start])) return yield* scanContainer(bytes, start, depth);
  const end = scanScalar(bytes, start, start + BYTES_PER_SLICE);
  return end === UNFINISHED ? yield* scanLongString(bytes, start) : end;
}

/** Scans an object or array nested at most `depth` levels. Uses a list of opening brackets rather than recursion. */
export function* scanContainer(bytes: Uint8Array, start: number, depth: number): Slices<number> {
  const open: number[] = [];
  let sliceEnd = start + BYTES_PER_SLICE;
  let pos = start;
  do {
    if (pos >= sliceEnd) {
      yield;
      sliceEnd = pos + BYTES_PER_SLICE;
    }
    const at = pos;
    const byte = bytes[pos] ?? 0;
    if (isOpening(byte)) {
      if (open.push(byte) > depth) return INVALID;
      pos = skipWhitespace(bytes, pos + 1);
      if (isClosing(bytes[pos], byte)) pos = closeContainers(bytes, pos, open);
    } else {
      pos = scanScalar(bytes, at, at + BYTES_PER_SLICE);
      if (pos === UNFINISHED) pos = yield* scanLongString(bytes, at);
      pos = closeContainers(bytes, pos, open);
    }
    if (pos !== INVALID && open[open.length - 1] === OPEN_BRACE) {
      const name = pos;
      pos = scanString(bytes, name, name + BYTES_PER_SLICE);
      if (pos === UNFINISHED) pos = yield* scanLongString(bytes, name);
      pos = pos === INVALID ? INVALID : scanColon(bytes, pos);
    }
  } while (pos !== INVALID && open.length > 0);
  return pos;
}

/**
 * After a value: skips closing brackets, removing them from `open`, and the comma, up to the next member or element.
 */
function closeContainers(bytes: Uint8Array, start: number, open: number[]): number {
  let pos = start;
  while (pos !== INVALID && open.length > 0) {
    pos = skipWhitespace(bytes, pos);
    const byte = bytes[pos];
    if (byte === COMMA) return skipWhitespace(bytes, pos + 1);
    if (!isClosing(byte, open[open.length - 1] ?? 0)) return INVALID;
    open.pop();
    pos++;
  }
  return pos;
}

/** Only a string can be `UNFINISHED`. */
function scanScalar(bytes: Uint8Array, start: number, limit: number): number {
  switch (bytes[start] ?? 0) {
    case QUOTE:
      return scanString(bytes, start, limit);
    case 0x74:
      return scanWord(bytes, start, TRUE);
    case 0x66:
      return scanWord(bytes, start, FALSE);
    case 0x6e:
      return scanWord(bytes, start, NULL);
    default:
      return scanNumber(bytes, start);
  }
}

function scanWord(bytes: Uint8Array, start: number, word: Uint8Array): number {
  for (let index = 1; index < word.length; index++) {
    if (bytes[start + index] !== word[index]) return INVALID;
  }
  return start + word.length;
}

function scanNumber(bytes: Uint8Array, start: number): number {
  const whole = bytes[start] === 0x2d ? start + 1 : start;
  let pos = bytes[whole] === 0x30 ? whole + 1 : skipDigits(bytes, whole);
  if (pos !== INVALID && bytes[pos] === 0x2e) pos = skipDigits(bytes, pos + 1);
  if (pos !== INVALID && ((bytes[pos] ?? 0) | 0x20) === 0x65) {
    const sign = bytes[pos + 1];
    pos = skipDigits(bytes, sign === 0x2b || sign === 0x2d ? pos + 2 : pos + 1);
  }
  return pos;
}

/** Requires at least one digit. */
function skipDigits(bytes: Uint8Array, start: number): number {
  const end = start + MAX_DIGITS;
  let pos = start;
  while (pos < end && isDigit(bytes[pos] ?? 0)) pos++;
  return pos === start ? INVALID : pos;
}

/** Also returns `INVALID` for a control character, the only other byte that leads here. */
function skipEscape(bytes: Uint8Array, pos: number): number {
  if (bytes[pos] !== BACKSLASH) return INVALID;
  const escaped = bytes[pos + 1] ?? 0;
  if (escaped !== 0x75) return '"\\/bfnrt'.includes(String.fromCharCode(escaped)) ? pos + 2 : INVALID;
  for (let index = pos + 2; index < pos + 6; index++) {
    if (!isHexDigit(bytes[index] ?? 0)) return INVALID;
  }
  return pos + 6;
}

export function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

function isClosing(byte: number | undefined, opening: number): boolean {
  // In ASCII, both closing brackets follow their opening ones by two.
  return byte === opening + 2;
}

export function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/**
 * Whether text, valid JSON or not, opens more levels than `depth` as PostgreSQL would read it: its parser descends
 * through everything before the invalid part.
 */
export function* isNestedDeeper(bytes: Uint8Array, depth: number): Slices<boolean> {
  let open = 0;
  let isInString = false;
  let sliceEnd = BYTES_PER_SLICE;
  for (let pos = 0; pos < bytes.length; pos++) {
    if (pos >= sliceEnd) {
      yield;
      sliceEnd = pos + BYTES_PER_SLICE;
    }
    const byte = bytes[pos] ?? 0;
    if (isInString || byte === QUOTE) {
      pos = skipString(bytes, isInString ? pos : pos + 1, sliceEnd);
      isInString = bytes[pos] !== QUOTE;
      if (isInString) pos--;
    } else if (isOpening(byte)) {
      open++;
      if (open > depth) return true;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) open--;
  }
  return false;
}

/** Returns the position of the closing quote, or of the first character from `limit` on. */
function skipString(bytes: Uint8Array, start: number, limit: number): number {
  const end = Math.min(limit, bytes.length);
  let pos = start;
  while (pos < end && bytes[pos] !== QUOTE) pos += bytes[pos] === BACKSLASH ? 2 : 1;
  return pos;
}
