// Renders the responses in a batch as the elements of one JSON array (`beyond.md` §2.1).
import { isStream } from '../contract/body-stream.ts';
import { allHeaders, type HeaderList, type HttpResponse } from '../contract/http.ts';
import { decodeUtf8 } from '../util/json-object.ts';
import { joinBytes } from '../util/join-bytes.ts';
import { varyHeader, type VaryContext } from './vary.ts';

/** A response within the response to a batch. */
export interface BatchElement {
  /** The whole element, as JSON text. */
  readonly text: Uint8Array;
  /** The body alone, as JSON text. */
  readonly body: Uint8Array;
}

const ENCODER = new TextEncoder();
const NULL = ENCODER.encode('null');
const JSON_TYPE = /^[^;]*[/+]json\s*(?:;|$)/iu;
const TEXT_TYPE = /^text\/|charset=utf-8/iu;

/** @param isBinary whether the database sent the body as bytes */
export function renderBatchElement(
  id: string | undefined,
  { status, headers, body }: HttpResponse,
  isBinary: boolean,
): BatchElement {
  const bytes = body === undefined || isStream(body) ? undefined : body;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const rendered = bytes === undefined ? { json: NULL } : renderBody(bytes, { type, isBinary });
  const head = id === undefined ? '{' : `{"id":${JSON.stringify(id)},`;
  const start = `${head}"status":${status},"headers":${renderHeaders(headers)},"body":`;
  const end = 'encoding' in rendered ? `,"encoding":"${rendered.encoding}"}` : '}';
  return { text: joinBytes([ENCODER.encode(start), rendered.json, ENCODER.encode(end)]), body: rendered.json };
}

interface BodyKind {
  readonly type: string | undefined;
  readonly isBinary: boolean;
}

type RenderedBody = { readonly json: Uint8Array } | { readonly json: Uint8Array; readonly encoding: 'base64' };

function renderBody(bytes: Uint8Array, { type, isBinary }: BodyKind): RenderedBody {
  const isJson = type !== undefined && JSON_TYPE.test(type);
  if (bytes.length === 0 && (isJson || type === undefined)) return { json: NULL };
  if (isJson && (!isBinary || isValidJson(bytes))) return { json: bytes };
  const text = isBinary && (type === undefined || !TEXT_TYPE.test(type)) ? undefined : decodeUtf8(bytes);
  if (text !== undefined) return { json: ENCODER.encode(JSON.stringify(text)) };
  return { json: ENCODER.encode(JSON.stringify(toBase64(bytes))), encoding: 'base64' };
}

function isValidJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

function renderHeaders(headers: HeaderList): string {
  const lower = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const names = [...new Set(lower.map(([name]) => name))];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, allHeaders(lower, name)])));
}

export function buildBatchResponse(
  elements: readonly BatchElement[],
  extra: HeaderList,
  context: VaryContext,
): HttpResponse {
  const comma = ENCODER.encode(',');
  const parts = elements.flatMap(({ text }, index) => (index === 0 ? [text] : [comma, text]));
  return {
    status: 200,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...extra, varyHeader(context)],
    body: joinBytes([ENCODER.encode('['), ...parts, ENCODER.encode(']')]),
  };
}
