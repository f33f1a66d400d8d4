// Reads parts of valid JSON text without building values, so that numbers keep their text.
import type { Slices } from '../../util/slices.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isOpening,
  scanColon,
  scanContainer,
  scanString,
  scanValue,
  skipWhitespace,
} from './json-scanner.ts';

/** Bounds of a value within its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member extends Span {
  readonly name: string;
}

const UNLIMITED = Number.POSITIVE_INFINITY;
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** @param start of an array */
export function* listElements(text: Uint8Array, start: number): Generator<Span, undefined> {
  let at = skipWhitespace(text, start + 1);
  while (text[at] !== CLOSE_BRACKET) {
    const end = scanValue(text, at, UNLIMITED);
    yield { start: at, end };
    at = skipComma(text, end);
  }
  return undefined;
}

/** @param start of an object */
export function* listMembers(text: Uint8Array, start: number): Generator<Member, undefined> {
  let at = skipWhitespace(text, start + 1);
  while (text[at] !== CLOSE_BRACE) {
    const nameEnd = scanString(text, at);
    const valueStart = scanColon(text, nameEnd);
    const end = scanValue(text, valueStart, UNLIMITED);
    yield { name: String(readValue(text, { start: at, end: nameEnd })), start: valueStart, end };
    at = skipComma(text, end);
  }
  return undefined;
}

/** Returns the position after the value that begins at `start`. */
export function* scanAny(text: Uint8Array, start: number): Slices<number> {
  return isOpening(text[start]) ? yield* scanContainer(text, start, UNLIMITED) : scanValue(text, start, 0);
}

/** Returns the position of the next value, or of the closing bracket. */
export function skipComma(text: Uint8Array, end: number): number {
  const at = skipWhitespace(text, end);
  return text[at] === COMMA ? skipWhitespace(text, at + 1) : at;
}

/** The span must be short: a string has at most 2^29 characters. */
export function readText(text: Uint8Array, { start, end }: Span): string {
  return DECODER.decode(text.subarray(start, end));
}

/** The span must be short: a string has at most 2^29 characters. */
export function readValue(text: Uint8Array, span: Span): unknown {
  return JSON.parse(readText(text, span));
}

/** Returns the text, or its beginning, for error messages. */
export function quoteStart(text: Uint8Array, { start, end }: Span, maxBytes: number): string {
  const isLong = end - start > maxBytes;
  return isLong ? `${readText(text, { start, end: start + maxBytes })}…` : readText(text, { start, end });
}
