// Replaces the references of a batch's request by the parts of earlier responses that they lead to. Compares the limits
// before anything is copied.
import { firstHeader, type HeaderList, type HttpRequest } from '../../../contract/http.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { Slices } from '../../../util/slices.ts';
import { urlTooLong } from '../../../request/query/query-limits.ts';
import { BACKSLASH, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../../request/payload/json-scanner.ts';
import { readText, readValue, type Span } from '../../../request/payload/json-text.ts';
import {
  type BatchRequest,
  type BodyTemplate,
  describeReference,
  type PathReference,
  type Reference,
  unresolvable,
} from './batch.ts';
import type { LocatedValues } from './locate-values.ts';

export interface ExpandedRequest extends Pick<HttpRequest, 'method' | 'path' | 'rawQuery' | 'body'> {
  readonly headers: HeaderList;
  /** Size of the body in the batch, in bytes. */
  readonly bodySize: number;
  /** Bytes that replace references. */
  readonly referencedSize: number;
}

export interface ExpansionLimits {
  /** Characters. */
  readonly maxUrlLength: number;
  /** Bytes that are left for the body, and the limit that they are left of. */
  readonly bodySize: number;
  readonly maxBodySize: number;
  /** Bytes that may replace references, and the error beyond them. */
  readonly referencedSize: number;
  readonly referencedTooMuch: ApiError;
}

/** The referenced values of the earlier responses, by the index of their request. */
export type Located = ReadonlyMap<number, LocatedValues>;

export function* expandRequest(
  request: BatchRequest,
  located: Located,
  limits: ExpansionLimits,
): Slices<Result<ExpandedRequest, ApiError>> {
  const expansion = new Expansion(request, located, limits);
  const target = expansion.expandTarget();
  if (!target.ok) return target;
  const { method, headers } = request;
  const queryAt = target.value.indexOf('?');
  const path = queryAt < 0 ? target.value : target.value.slice(0, queryAt);
  const rawQuery = queryAt < 0 ? '' : target.value.slice(queryAt + 1);
  const json = yield* expansion.expandBody();
  if (!json.ok) return json;
  const body = isText(json.value, headers) ? yield* decodeString(json.value) : json.value;
  const { referencedSize } = expansion;
  return ok({ method, path, rawQuery, headers, body, bodySize: json.value.length, referencedSize });
}

const PARTS_PER_SLICE = 64;
const BYTES_PER_SLICE = 262_144;

class Expansion {
  readonly #request: BatchRequest;
  readonly #located: Located;
  readonly #limits: ExpansionLimits;
  #referencedSize = 0;

  constructor(request: BatchRequest, located: Located, limits: ExpansionLimits) {
    this.#request = request;
    this.#located = located;
    this.#limits = limits;
  }

  get referencedSize(): number {
    return this.#referencedSize;
  }

  expandTarget(): Result<string, ApiError> {
    const { maxUrlLength } = this.#limits;
    let target = '';
    for (const part of this.#request.target) {
      const text = typeof part === 'string' ? ok(part) : this.#resolveInPath(part);
      if (!text.ok) return text;
      target += text.value;
      if (target.length > maxUrlLength) return fail(urlTooLong(maxUrlLength));
    }
    return ok(target);
  }

  *expandBody(): Slices<Result<Uint8Array, ApiError>> {
    const { bodySize: maxSize, maxBodySize } = this.#limits;
    const { text, parts = [{ start: 0, end: text.length }] } = this.#request.body ?? NO_BODY;
    const values: Uint8Array[] = [];
    let size = 0;
    for (const [position, part] of parts.entries()) {
      if (isReference(part)) {
        const value = this.#resolve(part);
        if (!value.ok) return value;
        values.push(value.value);
        size += value.value.length;
      } else size += part.end - part.start;
      if (size > maxSize) return fail(bodiesTooLarge(maxBodySize));
      if (position % PARTS_PER_SLICE === 0) yield;
    }
    return ok(parts.length === 1 ? text : yield* join(text, parts, values, size));
  }

  #resolve(reference: Reference): Result<Uint8Array, ApiError> {
    const value = this.#located.get(reference.request)?.find(reference.pointer);
    if (value === undefined)
      return fail(
        unresolvable(describeReference(reference), this.#request.index, 'The response has no value at this pointer'),
      );
    this.#referencedSize += value.length;
    return this.#referencedSize > this.#limits.referencedSize ? fail(this.#limits.referencedTooMuch) : ok(value);
  }

  #resolveInPath(reference: PathReference): Result<string, ApiError> {
    const found = this.#resolve(reference);
    if (!found.ok) return found;
    const { maxUrlLength } = this.#limits;
    const isContainer = found.value[0] === OPEN_BRACE || found.value[0] === OPEN_BRACKET;
    if (!isContainer && found.value.length > LONGEST_CHARACTER * maxUrlLength + 2)
      return fail(urlTooLong(maxUrlLength));
    const text = isContainer ? undefined : readScalar(found.value);
    if (text === undefined) return fail(unresolvable(describeReference(reference), this.#request.index, NOT_SCALAR));
    const quoted = reference.place === 'element' ? text.replaceAll(/["\\]/gu, String.raw`\$&`) : text;
    // A lone surrogate cannot be encoded.
    return ok(encodeURIComponent(quoted.replaceAll(/\p{Surrogate}/gu, '\uFFFD')));
  }
}

const NOTHING = new Uint8Array();
const NO_BODY: BodyTemplate = { text: NOTHING, parts: undefined };
const NOT_SCALAR = 'In a path, the value must be a string, a number or a boolean';
/** Bytes of a character as an escape in JSON. */
const LONGEST_CHARACTER = 6;

function bodiesTooLarge(maxSize: number): ApiError {
  const limit = `The bodies of a batch have up to ${maxSize} bytes together`;
  return { kind: 'limitExceeded', limit, option: 'server-max-body-size', status: 413 };
}

function isReference(part: Span | Reference): part is Reference {
  return 'pointer' in part;
}

function* join(
  text: Uint8Array,
  parts: readonly (Span | Reference)[],
  values: readonly Uint8Array[],
  size: number,
): Slices<Uint8Array> {
  const whole = new Uint8Array(size);
  let length = 0;
  let used = 0;
  for (const [position, part] of parts.entries()) {
    const bytes = isReference(part) ? (values[used++] ?? NOTHING) : text.subarray(part.start, part.end);
    for (let at = 0; at < bytes.length; at += BYTES_PER_SLICE) {
      whole.set(bytes.subarray(at, at + BYTES_PER_SLICE), length + at);
      if (at > 0) yield;
    }
    length += bytes.length;
    if (position % PARTS_PER_SLICE === 0) yield;
  }
  return whole;
}

/** @returns undefined for null */
function readScalar(json: Uint8Array): string | undefined {
  const whole = { start: 0, end: json.length };
  if (json[0] === QUOTE) return String(readValue(json, whole));
  const text = readText(json, whole);
  return text === 'null' ? undefined : text;
}

/** Text in a string is the body itself if the request declares another type than JSON. */
function isText(json: Uint8Array, headers: HeaderList): boolean {
  if (json[0] !== QUOTE) return false;
  const type = firstHeader(headers, 'content-type');
  return type !== undefined && !/^[^;]*\bjson\b/iu.test(type);
}

const DECODED_PER_SLICE = 65_536;
const LOWER_U = 0x75;
const ESCAPED: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 };

/**
 * Decodes a JSON string to the UTF-8 of its text, in slices and without a JavaScript string, which may not be as long.
 *
 * @param json a valid JSON string with its quotes. Half a surrogate pair becomes U+FFFD.
 */
export function* decodeString(json: Uint8Array): Slices<Uint8Array> {
  const end = json.length - 1;
  if (json.indexOf(BACKSLASH) < 0) return json.subarray(1, end);
  const text = new Uint8Array(end);
  let length = 0;
  let sliceEnd = DECODED_PER_SLICE;
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
    sliceEnd = at + DECODED_PER_SLICE;
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
