// Writes single values as JSON, from the text that PostgreSQL sends for them, byte for byte as PostgreSQL's own JSON
// functions do (`json_categorize_type` and `datum_to_json` in PostgreSQL's source). Memory is read and written through
// views, four bytes at a time: byte by byte, a list takes twice the time.

/** How the text of a value becomes JSON. A single byte each, so that a row's spellings are compared fast. */
export const SPELLING = {
  /** A string. */
  text: 0,
  /** A number, or a string for `NaN` and `Infinity`. */
  number: 1,
  /** JSON itself. */
  json: 2,
  boolean: 3,
  /** `2024-05-06`, if the style of dates is ISO. */
  date: 4,
  /** `2024-05-06T07:08:09.1+02:00`, from a blank instead of the `T` and perhaps no minutes of the zone. */
  timestamp: 5,
  /** JSON itself, on one line: line feeds occur only between its tokens, so they can become blanks. */
  line: 6,
  /** The server does not know how. */
  unknown: 7,
} as const;

export type Spelling = (typeof SPELLING)[keyof typeof SPELLING];

/** Other than jsonb, it is kept as it was written. */
const JSON_TYPE = 114;
/** OIDs of the built-in types that are not strings in JSON. They are the same in every version. */
const SPELLINGS: ReadonlyMap<number, Spelling> = new Map<number, Spelling>([
  [16, SPELLING.boolean],
  [20, SPELLING.number],
  [21, SPELLING.number],
  [23, SPELLING.number],
  [JSON_TYPE, SPELLING.json],
  [700, SPELLING.number],
  [701, SPELLING.number],
  [1082, SPELLING.date],
  [1114, SPELLING.timestamp],
  [1184, SPELLING.timestamp],
  [1700, SPELLING.number],
  [3802, SPELLING.json],
]);

/**
 * @param spelledTypes OIDs of all types that the server can spell
 * @param isLine whether the row is to be one line
 */
export function spellingOf(typeOid: number, spelledTypes: ReadonlySet<number>, isLine: boolean): Spelling {
  if (isLine && typeOid === JSON_TYPE) return SPELLING.line;
  const own = SPELLINGS.get(typeOid);
  if (own !== undefined) return own;
  return spelledTypes.has(typeOid) ? SPELLING.text : SPELLING.unknown;
}

/** The largest number of bytes that one byte of a value becomes. */
export const MAX_GROWTH = 6;
/** The largest number of bytes that a value becomes beyond that. */
export const MAX_ADDED = 4;
/** Returned if a value cannot be spelled. */
export const UNSPELLED = -1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const BLANK = 0x20;
const LINE_FEED = 0x0a;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_T = 0x54;
const LETTER_U = 0x75;
const IS_TRUE = 0x74;
const TRUE = viewOf(Buffer.from('true'));
const FALSE = viewOf(Buffer.from('false'));
const INFINITY = Buffer.from('infinity');
const HEX = Buffer.from('0123456789abcdef');
/** The character after the backslash; 0 for bytes that are not escaped. */
const ESCAPES = new Uint8Array(256);
ESCAPES.fill(LETTER_U, 0, BLANK);
for (const [byte, letter] of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\'].map((pair) => Buffer.from(pair)))
  ESCAPES[byte ?? 0] = letter ?? 0;

export function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/* oxlint-disable eslint/max-params -- Called for each value: a parameter object would be allocated each time. */
/**
 * Writes a whole value. The target must have room for `MAX_GROWTH` bytes for each byte of the value, and `MAX_ADDED`.
 *
 * @returns the end in the target, or `UNSPELLED`
 */
export function spellValue(
  spelling: Spelling,
  target: DataView,
  start: number,
  source: DataView,
  from: number,
  end: number,
): number {
  switch (spelling) {
    case SPELLING.text:
      return spellText(target, start, source, from, end);
    case SPELLING.number:
      return isNumber(source, from, end)
        ? copyBytes(target, start, source, from, end)
        : spellText(target, start, source, from, end);
    case SPELLING.json:
      return copyBytes(target, start, source, from, end);
    case SPELLING.line:
      return copyLine(target, start, source, from, end);
    case SPELLING.boolean: {
      const word = from < end && source.getUint8(from) === IS_TRUE ? TRUE : FALSE;
      return copyBytes(target, start, word, 0, word.byteLength);
    }
    case SPELLING.date:
      return isIsoDate(source, from, end) || isInfinite(source, from, end)
        ? spellText(target, start, source, from, end)
        : UNSPELLED;
    case SPELLING.timestamp:
      if (isIsoDate(source, from, end)) return spellTimestamp(target, start, source, from, end);
      return isInfinite(source, from, end) ? spellText(target, start, source, from, end) : UNSPELLED;
    case SPELLING.unknown:
      return UNSPELLED;
  }
}

function spellText(target: DataView, start: number, source: DataView, from: number, end: number): number {
  target.setUint8(start, QUOTE);
  const at = escapeText(target, start + 1, source, from, end);
  target.setUint8(at, QUOTE);
  return at + 1;
}

/** Writes part of a string. @returns the end in the target */
export function escapeText(target: DataView, start: number, source: DataView, from: number, end: number): number {
  let at = start;
  let index = from;
  while (index < end) {
    for (; index + 4 <= end; index += 4, at += 4) {
      const word = source.getInt32(index, true);
      if (hasEscaped(word)) break;
      target.setInt32(at, word, true);
    }
    for (const stop = Math.min(end, index + 4); index < stop; index += 1) {
      const byte = source.getUint8(index);
      const letter = ESCAPES[byte] ?? 0;
      if (letter === 0) target.setUint8(at++, byte);
      else at = writeEscape(target, at, byte, letter);
    }
  }
  return at;
}

/**
 * Whether one of four bytes is a control character, a quote or a backslash. Subtracting a limit from each byte borrows
 * from its highest bit if the byte is smaller; comparing with a character is comparing the difference with zero.
 */
function hasEscaped(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const found =
    ((word - 0x20202020) & ~word) | ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return (found & 0x80808080) !== 0;
}

function writeEscape(target: DataView, start: number, byte: number, letter: number): number {
  let at = start;
  target.setUint8(at++, BACKSLASH);
  target.setUint8(at++, letter);
  if (letter !== LETTER_U) return at;
  target.setUint8(at++, ZERO);
  target.setUint8(at++, ZERO);
  target.setUint8(at++, HEX[byte >> 4] ?? 0);
  target.setUint8(at++, HEX[byte & 0xf] ?? 0);
  return at;
}

/** The last four bytes are copied at once, though some of them are copied already. @returns the end in the target */
export function copyBytes(target: DataView, start: number, source: DataView, from: number, end: number): number {
  const stop = start + end - from;
  let at = start;
  let index = from;
  if (end - from < 4) {
    for (; index < end; index += 1, at += 1) target.setUint8(at, source.getUint8(index));
    return stop;
  }
  for (; index + 4 < end; index += 4, at += 4) target.setInt32(at, source.getInt32(index, true), true);
  target.setInt32(stop - 4, source.getInt32(end - 4, true), true);
  return stop;
}

/** Copies JSON and writes blanks instead of its line feeds. @returns the end in the target */
export function copyLine(target: DataView, start: number, source: DataView, from: number, end: number): number {
  let at = start;
  for (let index = from; index < end; index += 1) {
    const byte = source.getUint8(index);
    target.setUint8(at++, byte === LINE_FEED ? BLANK : byte);
  }
  return at;
}

/** Other texts of numbers are names, such as `NaN`. */
function isNumber(source: DataView, from: number, end: number): boolean {
  if (from === end) return false;
  const first = source.getUint8(from);
  return isDigit(first) || (first === MINUS && from + 1 < end && isDigit(source.getUint8(from + 1)));
}

/** Other styles begin with the day, the month, or a name. */
function isIsoDate(source: DataView, from: number, end: number): boolean {
  let at = from;
  while (at < end && isDigit(source.getUint8(at))) at += 1;
  return at - from >= 4 && at < end && source.getUint8(at) === MINUS;
}

function isInfinite(source: DataView, from: number, end: number): boolean {
  const start = from < end && source.getUint8(from) === MINUS ? from + 1 : from;
  return end - start === INFINITY.length && INFINITY.every((byte, index) => source.getUint8(start + index) === byte);
}

function spellTimestamp(target: DataView, start: number, source: DataView, from: number, end: number): number {
  let at = start;
  let index = from;
  target.setUint8(at++, QUOTE);
  for (; index < end && source.getUint8(index) !== BLANK; index += 1) target.setUint8(at++, source.getUint8(index));
  if (index === end) return UNSPELLED;
  target.setUint8(at++, LETTER_T);
  let zone = 0;
  for (index += 1; index < end && source.getUint8(index) !== BLANK; index += 1) {
    const byte = source.getUint8(index);
    if (byte === PLUS || byte === MINUS) zone = at;
    target.setUint8(at++, byte);
  }
  if (zone > 0 && at - zone === 3) {
    target.setUint8(at++, COLON);
    target.setUint8(at++, ZERO);
    target.setUint8(at++, ZERO);
  }
  // " BC"
  at = copyBytes(target, at, source, index, end);
  target.setUint8(at++, QUOTE);
  return at;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}
