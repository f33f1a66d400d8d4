// Replaces the references of a batch's request by the parts of earlier responses that they lead to.
import { firstHeader, type HeaderList, type HttpRequest } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { countBytes, joinBytes } from '../../util/join-bytes.ts';
import { urlTooLong } from '../query/query-limits.ts';
import { OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../payload/json-scanner.ts';
import { type BatchRequest, describeReference, type PathReference, type Reference, unresolvable } from './batch.ts';
import type { JsonDocument } from './json-document.ts';
import { readText, readValue } from '../payload/json-text.ts';

export interface ExpandedRequest extends Pick<HttpRequest, 'method' | 'path' | 'rawQuery' | 'body'> {
  readonly headers: HeaderList;
  /** Size of the body in the batch, in bytes. */
  readonly bodySize: number;
}

export interface ExpansionLimits {
  /** Characters. */
  readonly maxUrlLength: number;
  /** Bytes that are left for the body, and the limit that they are left of. */
  readonly bodySize: number;
  readonly maxBodySize: number;
}

/** @param documents bodies of the earlier responses */
export function expandRequest(
  request: BatchRequest,
  documents: readonly JsonDocument[],
  limits: ExpansionLimits,
): Result<ExpandedRequest, ApiError> {
  const target = expandTarget(request, documents, limits.maxUrlLength);
  if (!target.ok) return target;
  const body: Uint8Array[] = [];
  for (const part of request.body ?? []) {
    const bytes = part instanceof Uint8Array ? ok(part) : resolve(part, request, documents);
    if (!bytes.ok) return bytes;
    body.push(bytes.value);
  }
  const bodySize = countBytes(body);
  if (bodySize > limits.bodySize) return fail(bodiesTooLarge(limits.maxBodySize));
  const { method, headers } = request;
  const queryAt = target.value.indexOf('?');
  const path = queryAt < 0 ? target.value : target.value.slice(0, queryAt);
  const rawQuery = queryAt < 0 ? '' : target.value.slice(queryAt + 1);
  return ok({ method, path, rawQuery, headers, body: readBody(joinBytes(body), headers), bodySize });
}

function bodiesTooLarge(maxSize: number): ApiError {
  const limit = `The bodies of a batch have up to ${maxSize} bytes together`;
  return { kind: 'limitExceeded', limit, option: 'server-max-body-size', status: 413 };
}

function expandTarget(
  request: BatchRequest,
  documents: readonly JsonDocument[],
  maxLength: number,
): Result<string, ApiError> {
  let target = '';
  for (const part of request.target) {
    const text = typeof part === 'string' ? ok(part) : resolveInPath(part, request, documents);
    if (!text.ok) return text;
    target += text.value;
    if (target.length > maxLength) return fail(urlTooLong(maxLength));
  }
  return ok(target);
}

function resolve(
  reference: Reference,
  { index }: BatchRequest,
  documents: readonly JsonDocument[],
): Result<Uint8Array, ApiError> {
  const document = documents[reference.request];
  const span = document?.find(reference.pointer);
  if (document === undefined || span === undefined)
    return fail(unresolvable(describeReference(reference), index, 'The response has no value at this pointer'));
  return ok(document.text.subarray(span.start, span.end));
}

function resolveInPath(
  reference: PathReference,
  request: BatchRequest,
  documents: readonly JsonDocument[],
): Result<string, ApiError> {
  const found = resolve(reference, request, documents);
  if (!found.ok) return found;
  const text = readScalar(found.value);
  if (text === undefined) return fail(unresolvable(describeReference(reference), request.index, NOT_SCALAR));
  const quoted = reference.place === 'element' ? text.replaceAll(/["\\]/gu, String.raw`\$&`) : text;
  // A lone surrogate cannot be encoded.
  return ok(encodeURIComponent(quoted.replaceAll(/\p{Surrogate}/gu, '\uFFFD')));
}

const NOT_SCALAR = 'In a path, the value must be a string, a number or a boolean';

/** @returns undefined for null, arrays and objects */
function readScalar(json: Uint8Array): string | undefined {
  const whole = { start: 0, end: json.length };
  if (json[0] === QUOTE) return String(readValue(json, whole));
  if (json[0] === OPEN_BRACE || json[0] === OPEN_BRACKET) return undefined;
  const text = readText(json, whole);
  return text === 'null' ? undefined : text;
}

/** Text in a string is the body itself if the request declares another type than JSON. */
function readBody(json: Uint8Array, headers: HeaderList): Uint8Array {
  const type = firstHeader(headers, 'content-type');
  if (type === undefined || /^[^;]*\bjson\b/iu.test(type) || json[0] !== QUOTE) return json;
  return new TextEncoder().encode(String(readValue(json, { start: 0, end: json.length })));
}
