// Reads parts of valid JSON text without building values, so that numbers keep their text.
import type { Slices } from '../../util/slices.ts';
import { COMMA, scanLongValue, scanString, skipWhitespace, UNFINISHED } from './json-scanner.ts';
import { MAX_NAME_BYTES } from './payload.ts';

/** Bounds of a value within its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the position after the value that begins at `start`. */
export function* scanAny(text: Uint8Array, start: number): Slices<number> {
  return yield* scanLongValue(text, start, Number.POSITIVE_INFINITY);
}

/** Returns the position of the first value or name in a container, or of the closing bracket. */
export function enterContainer(text: Uint8Array, start: number): number {
  return skipWhitespace(text, start + 1);
}

/** Returns the position of the next value or name, or of the closing bracket. */
export function skipComma(text: Uint8Array, end: number): number {
  const at = skipWhitespace(text, end);
  return text[at] === COMMA ? skipWhitespace(text, at + 1) : at;
}

/** Reads the name of a member; undefined if it is too long. */
export function readName(text: Uint8Array, start: number): { readonly name: string; readonly end: number } | undefined {
  const end = scanString(text, start, start + MAX_NAME_BYTES);
  return end === UNFINISHED ? undefined : { name: String(readValue(text, { start, end })), end };
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
