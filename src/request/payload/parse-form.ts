// Parses an `application/x-www-form-urlencoded` body into its fields (`writing.md` §3.4).
import type { Pieces } from '../../contract/transaction.ts';
import { SliceMeter, type Slices } from '../../util/slices.ts';
import { decodeInSlices } from '../../util/utf8.ts';
import { splitLongQuery } from '../query/split-query.ts';
import { BYTES_PER_SLICE } from './json-scanner.ts';

export type FormFields = readonly (readonly [name: string, value: string])[];

const AMPERSAND = 0x26;
const ENCODER = new TextEncoder();

/** Counts the fields without parsing them. */
export function* countFields(body: Uint8Array): Slices<number> {
  let count = 1;
  for (let start = 0; start < body.length; start += BYTES_PER_SLICE) {
    if (start > 0) yield;
    for (const byte of body.subarray(start, start + BYTES_PER_SLICE)) if (byte === AMPERSAND) count += 1;
  }
  return count;
}

/** Returns the fields in order, including repeated ones. A field without `=` has the value `''`. */
export function* parseForm(body: Uint8Array): Slices<FormFields> {
  const text = yield* decodeInSlices(body, false);
  return (yield* splitLongQuery(text)).map(({ name, value = '' }) => [name, value]);
}

/** Writes the fields as a JSON object; the last of several fields with the same name wins. */
export function* renderFields(fields: FormFields): Slices<Pieces> {
  const pieces: Uint8Array[] = [];
  const meter = new SliceMeter();
  for (const [name, value] of new Map(fields)) {
    pieces.push(ENCODER.encode(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:"`));
    for (const part of cutText(value)) {
      pieces.push(ENCODER.encode(JSON.stringify(part).slice(1, -1)));
      if (meter.add(part.length)) yield;
    }
    pieces.push(ENCODER.encode('"'));
  }
  pieces.push(ENCODER.encode(pieces.length === 0 ? '{}' : '}'));
  return pieces;
}

/** Cuts a text, but no surrogate pair, into parts that are encoded in one go. */
function* cutText(text: string): Generator<string, undefined, undefined> {
  for (let start = 0; start < text.length;) {
    const code = text.charCodeAt(start + BYTES_PER_SLICE - 1);
    const end = start + BYTES_PER_SLICE - (code >= 0xd800 && code <= 0xdbff ? 1 : 0);
    yield text.slice(start, end);
    start = end;
  }
  return undefined;
}
