// Decodes a JSON string to the UTF-8 of its text, in slices and without a JavaScript string, which may not be as long.
import { BACKSLASH } from '../payload/json-scanner.ts';
import type { Slices } from '../../util/slices.ts';

const BYTES_PER_SLICE = 65_536;
const LOWER_U = 0x75;
const ESCAPED: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 };

/** @param json a valid JSON string with its quotes. Half a surrogate pair becomes U+FFFD. */
export function* decodeString(json: Uint8Array): Slices<Uint8Array> {
  const end = json.length - 1;
  if (json.indexOf(BACKSLASH) < 0) return json.subarray(1, end);
  const text = new Uint8Array(end);
  let length = 0;
  let sliceEnd = BYTES_PER_SLICE;
  for (let at = 1; at < end;) {
    const byte = json[at] ?? 0;
    if (byte !== BACKSLASH) {
      text[length++] = byte;
      at += 1;
    } else if (json[at + 1] === LOWER_U) {
      const [codePoint, size] = readCodePoint(json, at);
      length = writeCodePoint(text, length, codePoint);
      at += size;
    } else {
      text[length++] = decodeEscape(json[at + 1] ?? 0);
      at += 2;
    }
    if (at < sliceEnd) continue;
    yield;
    sliceEnd = at + BYTES_PER_SLICE;
  }
  return text.subarray(0, length);
}

function decodeEscape(byte: number): number {
  return ESCAPED[String.fromCharCode(byte)] ?? byte;
}

const REPLACEMENT = 0xfffd;
const ESCAPE_SIZE = 6;

/** Reads one escape, or the two of a surrogate pair. */
function readCodePoint(json: Uint8Array, at: number): readonly [codePoint: number, size: number] {
  const unit = readUnit(json, at);
  if (unit < 0xd800 || unit > 0xdfff) return [unit, ESCAPE_SIZE];
  const isPaired = json[at + ESCAPE_SIZE] === BACKSLASH && json[at + ESCAPE_SIZE + 1] === LOWER_U;
  const next = isPaired ? readUnit(json, at + ESCAPE_SIZE) : 0;
  if (unit > 0xdbff || next < 0xdc00 || next > 0xdfff) return [REPLACEMENT, ESCAPE_SIZE];
  return [0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00), 2 * ESCAPE_SIZE];
}

function readUnit(json: Uint8Array, at: number): number {
  let unit = 0;
  for (let index = at + 2; index < at + ESCAPE_SIZE; index += 1) {
    const byte = json[index] ?? 0;
    // Letters follow their digit values by 9 in the low bits.
    unit = unit * 16 + (byte & 15) + (byte > 0x40 ? 9 : 0);
  }
  return unit;
}

function writeCodePoint(text: Uint8Array, start: number, codePoint: number): number {
  let at = start;
  if (codePoint < 0x80) text[at++] = codePoint;
  else if (codePoint < 0x800) text[at++] = 0xc0 | (codePoint >> 6);
  else if (codePoint < 0x10000) {
    text[at++] = 0xe0 | (codePoint >> 12);
    text[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
  } else {
    text[at++] = 0xf0 | (codePoint >> 18);
    text[at++] = 0x80 | ((codePoint >> 12) & 0x3f);
    text[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
  }
  if (codePoint >= 0x80) text[at++] = 0x80 | (codePoint & 0x3f);
  return at;
}
