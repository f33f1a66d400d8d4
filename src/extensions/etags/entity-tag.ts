// Adds an entity tag to the response to a read, and answers `If-None-Match` (`beyond.md` §1.7, RFC 9110 §8.8.3, §13.1.2).
import { allHeaders, type HttpResponse } from '../../contract/http.ts';
import { renderTag } from '../../contract/row-version.ts';
import type { AnsweredRequest } from '../../serve/request-context.ts';

/** A streamed body has no tag, because its bytes are unknown when the headers are sent. */
export function addEntityTag(response: HttpResponse, answered: AnsweredRequest): HttpResponse {
  const { request } = answered;
  const { status, headers } = response;
  const isRead = (request.method === 'GET' || request.method === 'HEAD') && request.isLongQuery !== true;
  if (!isRead || (status !== 200 && status !== 206)) return response;
  const own = headers.find(([name]) => name.toLowerCase() === 'etag')?.[1];
  const tag = own ?? makeTag(response, answered);
  if (matches(allHeaders(request.headers, 'if-none-match'), tag)) return notModified(response, tag);
  if (tag === undefined || own !== undefined) return response;
  return { ...response, headers: [...headers, ['ETag', tag]] };
}

/** Headers that identify the representation together with the URL and the role. */
const IDENTIFYING = /^(?:content-(?:encoding|language|profile|range|type))$/iu;

/** In characters of base64url: 132 bits, so that no two representations have the same digest. */
const DIGEST_LENGTH = 22;

/** The tag of a HEAD is unknown, because its statement does not compute the body. */
function makeTag(
  { headers, body, rowVersion }: HttpResponse,
  { request: { method, path, rawQuery }, identity, context }: AnsweredRequest,
): string | undefined {
  if (method === 'HEAD' || !(body instanceof Uint8Array)) return undefined;
  const identifying = headers.filter(([name]) => IDENTIFYING.test(name));
  const representation = JSON.stringify([identity?.role, JSON.stringify([path, rawQuery, identifying])]);
  const digest = context.hash([`${representation}\n`, body], 'base64url').slice(0, DIGEST_LENGTH);
  return renderTag(digest, rowVersion);
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
