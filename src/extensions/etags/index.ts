// Entity tags of responses, and conditions on the version of a row that is read or written (`beyond.md` §1.7, RFC 9110
// §8.8.3, §13.1). How a statement compares versions is in the core: `sql/writes/row-version.ts`.
import type { Extension } from '../../serve/extension.ts';
import { allHeaders, type HttpResponse, type HttpRequest } from '../../contract/http.ts';
import { renderTag, readVersions } from '../../contract/row-version.ts';
import type { AnsweredRequest } from '../../serve/request-context.ts';
import type { WriteCondition } from '../../request/api-request.ts';

export const ETAGS: Extension = {
  name: 'etags',
  compile({ config }) {
    if (!config.extensions.etag) return undefined;
    const conditions = { readCondition: readWriteCondition };
    return config.serverEtags ? { ...conditions, tag: addEntityTag, returnsVersions: true } : conditions;
  },
};

/** A streamed body has no tag, because its bytes are unknown when the headers are sent. */
function addEntityTag(response: HttpResponse, answered: AnsweredRequest): HttpResponse {
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

/** POST ignores both headers, because it names no row. */
function readWriteCondition({ method, headers }: HttpRequest): WriteCondition | undefined {
  if (method === 'POST') return undefined;
  const match = joinValues(allHeaders(headers, 'if-match'));
  const noneMatch = joinValues(allHeaders(headers, 'if-none-match'));
  if (noneMatch !== undefined) {
    if (match !== undefined) return { kind: 'unsupported', feature: 'If-Match together with If-None-Match' };
    if (method === 'PUT' && noneMatch === '*') return { kind: 'absent' };
    return { kind: 'unsupported', feature: 'If-None-Match on writes, except If-None-Match: * on PUT' };
  }
  if (match === undefined) return undefined;
  return match === '*' ? { kind: 'exists' } : { kind: 'unchanged', versions: readVersions(match) };
}

function joinValues(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(',').trim();
}
