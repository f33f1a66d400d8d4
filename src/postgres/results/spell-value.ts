// Writes single values as JSON, from the text that PostgreSQL sends for them, byte for byte as PostgreSQL's own JSON
// functions do (`json_categorize_type` and `datum_to_json` in PostgreSQL's source).

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
  /** The server does not know how. */
  unknown: 6,
} as const;

export type Spelling = (typeof SPELLING)[keyof typeof SPELLING];

/** OIDs of the built-in types that are not strings in JSON. They are the same in every version. */
const SPELLINGS: ReadonlyMap<number, Spelling> = new Map<number, Spelling>([
  [16, SPELLING.boolean],
  [20, SPELLING.number],
  [21, SPELLING.number],
  [23, SPELLING.number],
  [114, SPELLING.json],
  [700, SPELLING.number],
  [701, SPELLING.number],
  [1082, SPELLING.date],
  [1114, SPELLING.timestamp],
  [1184, SPELLING.timestamp],
  [1700, SPELLING.number],
  [3802, SPELLING.json],
]);

/** @param spelledTypes OIDs of all types that the server can spell */
export function spellingOf(typeOid: number, spelledTypes: ReadonlySet<number>): Spelling {
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
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_T = 0x54;
const LETTER_U = 0x75;
const IS_TRUE = 0x74;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const HEX = Buffer.from('0123456789abcdef');
/** The character after the backslash; 0 for bytes that are not escaped. */
const ESCAPES = new Uint8Array(256);
ESCAPES.fill(LETTER_U, 0, BLANK);
for (const [byte, letter] of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\'].map((pair) => Buffer.from(pair)))
  ESCAPES[byte ?? 0] = letter ?? 0;

/* oxlint-disable eslint/max-params -- Called for each value: a parameter object would be allocated each time. */
/**
 * Writes a whole value. The target must have room for `MAX_GROWTH` bytes for each byte of the value, and `MAX_ADDED`.
 *
 * @returns the end in the target, or `UNSPELLED`
 */
export function spellValue(
  spelling: Spelling,
  target: Buffer,
  start: number,
  source: Buffer,
  from: number,
  end: number,
): number {
  switch (spelling) {
    case SPELLING.text:
      return spellText(target, start, source, from, end);
    case SPELLING.number:
      return isDigit(source[from]) || (source[from] === MINUS && isDigit(source[from + 1]))
        ? copyBytes(target, start, source, from, end)
        : spellText(target, start, source, from, end);
    case SPELLING.json:
      return copyBytes(target, start, source, from, end);
    case SPELLING.boolean: {
      const word = source[from] === IS_TRUE ? TRUE : FALSE;
      return copyBytes(target, start, word, 0, word.length);
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

function spellText(target: Buffer, start: number, source: Buffer, from: number, end: number): number {
  target[start] = QUOTE;
  const at = escapeText(target, start + 1, source, from, end);
  target[at] = QUOTE;
  return at + 1;
}

/** Writes part of a string. @returns the end in the target */
export function escapeText(target: Buffer, start: number, source: Buffer, from: number, end: number): number {
  let at = start;
  for (let index = from; index < end; index += 1) {
    const byte = source[index] ?? 0;
    const letter = ESCAPES[byte] ?? 0;
    if (letter === 0) target[at++] = byte;
    else at = writeEscape(target, at, byte, letter);
  }
  return at;
}

function writeEscape(target: Buffer, start: number, byte: number, letter: number): number {
  let at = start;
  target[at++] = BACKSLASH;
  target[at++] = letter;
  if (letter !== LETTER_U) return at;
  target[at++] = ZERO;
  target[at++] = ZERO;
  target[at++] = HEX[byte >> 4] ?? 0;
  target[at++] = HEX[byte & 0xf] ?? 0;
  return at;
}

/** Longer texts are copied by a native call. */
const MAX_BYTEWISE = 48;

export function copyBytes(target: Buffer, start: number, source: Buffer, from: number, end: number): number {
  if (end - from > MAX_BYTEWISE) return start + source.copy(target, start, from, end);
  let at = start;
  for (let index = from; index < end; index += 1) target[at++] = source[index] ?? 0;
  return at;
}

/** Other styles begin with the day, the month, or a name. */
function isIsoDate(source: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at < end && isDigit(source[at])) at += 1;
  return at - from >= 4 && source[at] === MINUS;
}

function isInfinite(source: Buffer, from: number, end: number): boolean {
  const text = source.toString('latin1', from, end);
  return text === 'infinity' || text === '-infinity';
}

function spellTimestamp(target: Buffer, start: number, source: Buffer, from: number, end: number): number {
  let at = start;
  let index = from;
  target[at++] = QUOTE;
  for (; index < end && source[index] !== BLANK; index += 1) target[at++] = source[index] ?? 0;
  if (index === end) return UNSPELLED;
  target[at++] = LETTER_T;
  let zone = 0;
  for (index += 1; index < end && source[index] !== BLANK; index += 1) {
    const byte = source[index] ?? 0;
    if (byte === PLUS || byte === MINUS) zone = at;
    target[at++] = byte;
  }
  if (zone > 0 && at - zone === 3) {
    target[at++] = COLON;
    target[at++] = ZERO;
    target[at++] = ZERO;
  }
  // " BC"
  for (; index < end; index += 1) target[at++] = source[index] ?? 0;
  target[at++] = QUOTE;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
