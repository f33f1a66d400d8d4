// Renders the responses in a batch as the elements of one JSON array (`beyond.md` §2.1).
import { isStream } from '../../contract/body-stream.ts';
import { allHeaders, type HeaderList, type HttpResponse } from '../../contract/http.ts';
import { skipWhitespace } from '../../request/payload/json-scanner.ts';
import { scanAny } from '../../request/payload/json-text.ts';
import { joinBytes } from '../../util/join-bytes.ts';
import type { Slices } from '../../util/slices.ts';
import { INVALID } from '../../util/utf8.ts';
import { varyHeader, type VaryContext } from '../../response/vary.ts';

/** A response within the response to a batch. */
export interface BatchElement {
  /** The whole element, as JSON text. */
  readonly text: Uint8Array;
  /** What is stored of it for repetitions: everything except cookies. */
  readonly kept: Uint8Array;
}

export interface RenderedElement extends BatchElement {
  /** The body alone, as JSON text. */
  readonly body: Uint8Array;
}

const ENCODER = new TextEncoder();
const NULL = ENCODER.encode('null');
const JSON_TYPE = /^[^;]*[/+]json\s*(?:;|$)/iu;
const TEXT_TYPE = /^text\/|charset=utf-8/iu;

/** @param isBinary whether the database sent the body as bytes */
export function* renderBatchElement(
  id: string | undefined,
  { status, headers, body }: HttpResponse,
  isBinary: boolean,
): Slices<RenderedElement> {
  const bytes = body === undefined || isStream(body) ? undefined : body;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const rendered = bytes === undefined ? { json: NULL } : yield* renderBody(bytes, type, isBinary);
  const head = id === undefined ? '{' : `{"id":${JSON.stringify(id)},`;
  const end = ENCODER.encode('encoding' in rendered ? `,"encoding":"${rendered.encoding}"}` : '}');
  const renderWith = (list: HeaderList): Uint8Array => {
    const start = ENCODER.encode(`${head}"status":${status},"headers":${renderHeaders(list)},"body":`);
    return joinBytes([start, rendered.json, end]);
  };
  const text = renderWith(headers);
  const kept = headers.filter(([name]) => name.toLowerCase() !== 'set-cookie');
  return { text, kept: kept.length === headers.length ? text : renderWith(kept), body: rendered.json };
}

type RenderedBody = { readonly json: Uint8Array } | { readonly json: Uint8Array; readonly encoding: 'base64' };

function* renderBody(bytes: Uint8Array, type: string | undefined, isBinary: boolean): Slices<RenderedBody> {
  const isJson = type !== undefined && JSON_TYPE.test(type);
  if (bytes.length === 0 && (isJson || type === undefined)) return { json: NULL };
  if (isJson && (!isBinary || (yield* isValidJson(bytes)))) return { json: bytes };
  const isText = !isBinary || (type !== undefined && TEXT_TYPE.test(type));
  const text = isText ? yield* renderText(bytes) : undefined;
  return text === undefined ? { json: yield* renderBase64(bytes), encoding: 'base64' } : { json: text };
}

function* isValidJson(bytes: Uint8Array): Slices<boolean> {
  const end = yield* scanAny(bytes, skipWhitespace(bytes, 0));
  return end !== INVALID && skipWhitespace(bytes, end) === bytes.length;
}

/** A multiple of three, so that the base64 of a slice needs no padding. */
const BYTES_PER_SLICE = 24_576;
const QUOTE = ENCODER.encode('"');

/** @returns undefined for bytes that are not UTF-8 */
function* renderText(bytes: Uint8Array): Slices<Uint8Array | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts = [QUOTE];
  for (let at = 0; at < bytes.length; at += BYTES_PER_SLICE) {
    const isLast = at + BYTES_PER_SLICE >= bytes.length;
    const text = decode(decoder, bytes.subarray(at, at + BYTES_PER_SLICE), !isLast);
    if (text === undefined) return undefined;
    parts.push(ENCODER.encode(JSON.stringify(text).slice(1, -1)));
    if (!isLast) yield;
  }
  return joinBytes([...parts, QUOTE]);
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean): string | undefined {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    return undefined;
  }
}

function* renderBase64(bytes: Uint8Array): Slices<Uint8Array> {
  const parts = [QUOTE];
  for (let at = 0; at < bytes.length; at += BYTES_PER_SLICE) {
    parts.push(ENCODER.encode(btoa(String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_SLICE)))));
    if (at + BYTES_PER_SLICE < bytes.length) yield;
  }
  return joinBytes([...parts, QUOTE]);
}

function renderHeaders(headers: HeaderList): string {
  const lower = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const names = [...new Set(lower.map(([name]) => name))];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, allHeaders(lower, name)])));
}

/** @param elements their JSON texts */
export function buildBatchResponse(
  elements: readonly Uint8Array[],
  extra: HeaderList,
  context: VaryContext,
): HttpResponse {
  const comma = ENCODER.encode(',');
  const parts = elements.flatMap((text, index) => (index === 0 ? [text] : [comma, text]));
  return {
    status: 200,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...extra, varyHeader(context)],
    body: joinBytes([ENCODER.encode('['), ...parts, ENCODER.encode(']')]),
  };
}
