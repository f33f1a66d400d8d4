// Splits a raw query string into decoded parameters in the order given (`reading.md` §2.1).
import { replaceAscii } from '../../util/ascii-text.ts';
import type { Slices } from '../../util/slices.ts';

export interface Parameter {
  readonly name: string;
  /** Undefined without `=`. */
  readonly value: string | undefined;
}

/** Accepts any text: invalid percent-escapes are literal, and bytes that are not UTF-8 become U+FFFD. */
export function splitQuery(rawQuery: string): readonly Parameter[] {
  const parameters: Parameter[] = [];
  const decoder = new PieceDecoder();
  for (const piece of rawQuery.split('&')) {
    const equals = piece.indexOf('=');
    if (equals >= 0) {
      parameters.push({ name: decoder.decode(piece.slice(0, equals)), value: decoder.decode(piece.slice(equals + 1)) });
    } else if (piece !== '') {
      parameters.push({ name: decoder.decode(piece), value: undefined });
    }
  }
  return parameters;
}

/** Whether a query has more pieces between `&` than a limit. */
export function hasPiecesBeyond(limit: number, rawQuery: string): boolean {
  if (rawQuery.length < limit) return false;
  let count = 1;
  for (let at = rawQuery.indexOf('&'); at >= 0 && count <= limit; at = rawQuery.indexOf('&', at + 1)) count += 1;
  return count > limit;
}

/** Works like `splitQuery` for pieces of any length. */
export function* splitLongQuery(rawQuery: string): Slices<readonly Parameter[]> {
  const parameters: Parameter[] = [];
  let decoded = 0;
  for (const piece of rawQuery.split('&')) {
    if (piece.length <= LONG) parameters.push(...splitQuery(piece));
    else parameters.push(yield* decodeLongParameter(piece));
    decoded += piece.length;
    if (decoded < LONG) continue;
    yield;
    decoded = 0;
  }
  return parameters;
}

/** Characters that are decoded in one go. */
const LONG = 16_384;

function* decodeLongParameter(piece: string): Slices<Parameter> {
  const equals = piece.indexOf('=');
  if (equals < 0) return { name: yield* decodeLong(piece), value: undefined };
  return { name: yield* decodeLong(piece.slice(0, equals)), value: yield* decodeLong(piece.slice(equals + 1)) };
}

function* decodeLong(raw: string): Slices<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  for (let at = 0; at < raw.length;) {
    const end = findCut(raw, at + LONG);
    const text = replaceAscii(raw.slice(at, end), '+', ' ');
    parts.push(decoder.decode(resolveEscapes(ENCODER.encode(text)), { stream: end < raw.length }));
    at = end;
    yield;
  }
  return parts.join('');
}

/** Returns a position near `end` at which neither an escape nor a surrogate pair is cut. */
function findCut(raw: string, end: number): number {
  if (end >= raw.length) return raw.length;
  if (raw[end - 1] === '%') return end - 1;
  if (raw[end - 2] === '%') return end - 2;
  const last = raw.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/**
 * Decodes the pieces of one query. After the first escape that is not UTF-8, it skips the fast decoder, which throws.
 */
class PieceDecoder {
  #isUtf8 = true;

  decode(raw: string): string {
    const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
    const decoded = spaced.includes('%') ? this.#decodePercent(spaced) : spaced;
    return LONE_SURROGATE.test(decoded) ? decoded.replaceAll(LONE_SURROGATES, '\uFFFD') : decoded;
  }

  #decodePercent(text: string): string {
    if (this.#isUtf8) {
      try {
        return decodeURIComponent(text);
      } catch {
        this.#isUtf8 = false;
      }
    }
    return LENIENT_UTF8.decode(resolveEscapes(ENCODER.encode(text)));
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const PERCENT = 0x25;
const ENCODER = new TextEncoder();
const LENIENT_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes in place and keeps invalid escapes as they are. */
function resolveEscapes(bytes: Uint8Array): Uint8Array {
  let length = 0;
  for (let pos = 0; pos < bytes.length; pos += 1) {
    const byte = bytes[pos] ?? 0;
    const value = byte === PERCENT ? hexByteAt(bytes, pos + 1) : -1;
    if (value >= 0) pos += 2;
    bytes[length] = value >= 0 ? value : byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}

/** Returns -1 unless two hexadecimal digits follow. */
function hexByteAt(bytes: Uint8Array, at: number): number {
  const high = HEX_VALUES[bytes[at] ?? 0] ?? -1;
  const low = HEX_VALUES[bytes[at + 1] ?? 0] ?? -1;
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Value of each byte as a hexadecimal digit, or -1. */
const HEX_VALUES: Int8Array = Int8Array.from({ length: 256 }, (_, byte) =>
  /[0-9A-Fa-f]/u.test(String.fromCharCode(byte)) ? Number.parseInt(String.fromCharCode(byte), 16) : -1,
);
