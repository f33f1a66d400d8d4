// Adds an entity tag to the response to a read, and answers `If-None-Match` (`beyond.md` §1.7, RFC 9110 §8.8.3, §13.1.2).
import { allHeaders, type HeaderList, type HttpRequest, type HttpResponse } from '../contract/http.ts';
import { renderTag } from '../contract/row-version.ts';

/** Returns a digest without quotes. Equal digests mean equal texts and bytes. */
export type Digest = (identity: string, bytes: Uint8Array) => string;

export interface Tagged {
  readonly request: HttpRequest;
  /** Whom the response was made for. */
  readonly identity: { readonly role: string } | undefined;
  /** Without a digest, responses have no tags. */
  readonly context: { readonly digest: Digest | undefined };
}

/** A streamed body has no tag, because its bytes are unknown when the headers are sent. */
export function addEntityTag(response: HttpResponse, { request, identity, context }: Tagged): HttpResponse {
  const { digest } = context;
  if (digest === undefined || request.isLongQuery || !isTagged(response, request)) return response;
  const own = findTag(response.headers);
  const tag = own ?? makeTag(response, request, (text, bytes) => digest(JSON.stringify([identity?.role, text]), bytes));
  if (matches(allHeaders(request.headers, 'if-none-match'), tag)) return notModified(response, tag);
  if (tag === undefined || own !== undefined) return response;
  return { ...response, headers: [...response.headers, ['ETag', tag]] };
}

function isTagged({ status }: HttpResponse, { method }: HttpRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (status === 200 || status === 206);
}

function findTag(headers: HeaderList): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'etag')?.[1];
}

/** Headers that identify the representation together with the URL and the role. */
const IDENTIFYING = /^(?:content-(?:encoding|language|profile|range|type))$/iu;

/** The tag of a HEAD is unknown, because its statement does not compute the body. */
function makeTag(
  { headers, body, rowVersion }: HttpResponse,
  { method, path, rawQuery }: HttpRequest,
  digest: Digest,
): string | undefined {
  if (method === 'HEAD' || !(body instanceof Uint8Array)) return undefined;
  const identifying = headers.filter(([name]) => IDENTIFYING.test(name));
  return renderTag(digest(JSON.stringify([path, rawQuery, identifying]), body), rowVersion);
}

const TAG = /(?:W\/)?("[^"]*")/gu;

/** Compares weakly (RFC 9110 §8.8.3.2). */
function matches(values: readonly string[], tag: string | undefined): boolean {
  if (values.length === 0) return false;
  const text = values.join(',');
  if (text.trim() === '*') return true;
  const opaque = tag?.replace(/^W\//u, '');
  return [...text.matchAll(TAG)].some(([, candidate]) => candidate === opaque);
}

/** Describes the body that is not sent, except for its URL (RFC 9110 §15.4.5). */
const REPRESENTATION = /^(?:content-(?!location$).*|etag|last-modified|preference-applied|range-unit)$/iu;

function notModified({ headers }: HttpResponse, tag: string | undefined): HttpResponse {
  const kept = headers.filter(([name]) => !REPRESENTATION.test(name));
  return { status: 304, headers: tag === undefined ? kept : [...kept, ['ETag', tag]] };
}
