// Finds the references and literals of a JSON body in one pass: `{"$from": "<id>", "at": "<pointer>"}` and
// `{"$literal": x}`. Nothing within a literal is a reference.
import type { Slices } from '../../../util/slices.ts';
import {
  BACKSLASH,
  BYTES_PER_SLICE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isOpening,
  OPEN_BRACE,
  QUOTE,
  scanColon,
  scanString,
  scanLongValue,
  skipWhitespace,
} from '../../../request/payload/json-scanner.ts';
import { readValue, type Span } from '../../../request/payload/json-text.ts';

export type FoundObject =
  | ({ readonly kind: 'reference'; readonly from: string | undefined; readonly at: string | undefined } & Span)
  | ({ readonly kind: 'literal'; readonly value: Span } & Span);

/** Longer keys are not members of a request, even if every character is escaped. */
const MAX_KEY_BYTES = 64;
/** Bytes of an id or a pointer. */
export const MAX_REFERENCE_BYTES = 65_536;
/** First bytes of our keys. */
const DOLLAR = 0x24;
const LOWER_A = 0x61;

interface Container {
  readonly start: number;
  readonly isObject: boolean;
  /** The first members of an object; a third one tells that it is an ordinary object. */
  readonly members: { readonly name: string; readonly start: number; end: number }[];
  readonly foundBefore: number;
}

/** @param text valid JSON */
export function* scanReferences(text: Uint8Array): Slices<readonly FoundObject[]> {
  const found: FoundObject[] = [];
  const open: Container[] = [];
  let sliceEnd = BYTES_PER_SLICE;
  let at = skipWhitespace(text, 0);
  let expectsName = false;
  while (at < text.length) {
    if (at >= sliceEnd) {
      yield;
      sliceEnd = at + BYTES_PER_SLICE;
    }
    const byte = text[at] ?? 0;
    if (isOpening(byte)) {
      expectsName = byte === OPEN_BRACE;
      open.push({ start: at, isObject: expectsName, members: [], foundBefore: found.length });
      at += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      at += 1;
      expectsName = false;
      close(text, open.pop(), at, found);
      endMember(open.at(-1), at);
    } else if (byte === COMMA) {
      at += 1;
      expectsName = open.at(-1)?.isObject === true;
    } else if (expectsName) {
      at = startMember(text, at, open.at(-1));
      expectsName = false;
    } else {
      at = yield* scanLongValue(text, at, 0);
      endMember(open.at(-1), at);
    }
    at = skipWhitespace(text, at);
  }
  return found;
}

function startMember(text: Uint8Array, at: number, container: Container | undefined): number {
  const nameEnd = scanString(text, at);
  const start = scanColon(text, nameEnd);
  if (container !== undefined && container.members.length < 3) {
    const first = text[at + 1];
    const mayBeOurs = (first === DOLLAR || first === LOWER_A || first === BACKSLASH) && nameEnd - at <= MAX_KEY_BYTES;
    const name = mayBeOurs ? String(readValue(text, { start: at, end: nameEnd })) : '';
    container.members.push({ name, start, end: start });
  }
  return start;
}

function endMember(container: Container | undefined, end: number): void {
  const member = container?.members.at(-1);
  if (member !== undefined && member.end === member.start) member.end = end;
}

function close(text: Uint8Array, container: Container | undefined, end: number, found: FoundObject[]): void {
  if (container === undefined) return;
  const { start, members, foundBefore } = container;
  const [first, second] = members;
  if (first === undefined || members.length > 2) return;
  if (second === undefined) {
    if (first.name !== '$literal') return;
    found.length = foundBefore;
    found.push({ kind: 'literal', start, end, value: first });
    return;
  }
  const from = members.find(({ name }) => name === '$from');
  const pointer = members.find(({ name }) => name === 'at');
  if (from === undefined || pointer === undefined) return;
  found.length = foundBefore;
  found.push({ kind: 'reference', start, end, from: readShortText(text, from), at: readShortText(text, pointer) });
}

/** @returns undefined for a value that is not a string, or too long */
function readShortText(text: Uint8Array, span: Span): string | undefined {
  if (text[span.start] !== QUOTE || span.end - span.start > MAX_REFERENCE_BYTES) return undefined;
  return String(readValue(text, span));
}
