// Turns a QUERY (RFC 10008), or the POST that means the same, into the GET whose query string it continues
// (`beyond.md` §1.8). Later stages see only that GET.
import type { Dialect } from '../contract/dialect.ts';
import type { EnabledExtensions } from '../contract/extensions.ts';
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { FORMATS } from '../media/formats.ts';
import { runSlicesWithPauses, type Slices } from '../util/slices.ts';
import { decodeInSlices } from '../util/utf8.ts';
import { parseTarget } from './target.ts';

export interface LongQuerySettings {
  readonly dialect: Dialect;
  readonly extensions: EnabledExtensions;
  readonly maxBodySize: number;
  readonly isRootEnabled: boolean;
}

/** In bytes. */
export const MAX_QUERY_SIZE = 8_388_608;

/** Value of `Accept-Query`. */
export const QUERY_TYPE: string = FORMATS.form.mediaType;

const QUERY_TYPES = /^\s*application\/vnd\.[^.;]+\.query\s*(?:;|$)/iu;

/** Whether the request is a QUERY, or a POST that means one. */
export function isLongQuery(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  { dialect, extensions }: Pick<LongQuerySettings, 'dialect' | 'extensions'>,
): boolean {
  if (method !== 'QUERY' && method !== 'POST') return false;
  if (!extensions.query) return false;
  return method === 'QUERY' || isQueryType(firstHeader(headers, 'content-type'), dialect);
}

/** Whether the request can be a long query, before the dialect and the rest of it are known. */
export function mayBeLongQuery(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  extensions: EnabledExtensions,
): boolean {
  if (method !== 'QUERY' && method !== 'POST') return false;
  if (!extensions.query) return false;
  return method === 'QUERY' || QUERY_TYPES.test(firstHeader(headers, 'content-type') ?? '');
}

/** @returns the request itself if it is no long query */
export function resolveLongQuery(
  request: HttpRequest,
  settings: LongQuerySettings,
  pause: () => Promise<unknown>,
): Result<HttpRequest, ApiError> | Promise<Result<HttpRequest, ApiError>> {
  if (!isLongQuery(request, settings)) return ok(request);
  return runSlicesWithPauses(readLongQuery(request, settings), pause);
}

/** @param request a long query */
export function* readLongQuery(
  request: HttpRequest,
  settings: LongQuerySettings,
): Slices<Result<HttpRequest, ApiError>> {
  const error = checkLongQuery(request, settings);
  if (error !== undefined) return fail(error);
  const text = yield* decodeBody(request.body);
  if (text === undefined) return fail({ kind: 'invalidBody', message: 'The query is not valid UTF-8' });
  const rawQuery = [request.rawQuery, text].filter((part) => part !== '').join('&');
  return ok({ ...request, method: 'GET', rawQuery, body: new Uint8Array(), isLongQuery: true });
}

/** @returns undefined for bytes that are not UTF-8 */
function* decodeBody(body: Uint8Array): Slices<string | undefined> {
  try {
    return yield* decodeInSlices(body, true);
  } catch {
    return undefined;
  }
}

function checkLongQuery(request: HttpRequest, settings: LongQuerySettings): ApiError | undefined {
  const { method, path, headers, body } = request;
  const target = parseTarget(path);
  if (!target.ok) return target.error;
  if (target.value.kind === 'root')
    return settings.isRootEnabled ? { kind: 'methodUnsupported', method } : { kind: 'rootDisabled' };
  const contentType = firstHeader(headers, 'content-type');
  if (contentType === undefined)
    return { kind: 'invalidBody', message: `QUERY needs the header Content-Type: ${QUERY_TYPE}` };
  if (essenceOf(contentType) !== QUERY_TYPE && !isQueryType(contentType, settings.dialect))
    return { kind: 'queryTypeUnsupported', contentType, accepted: QUERY_TYPE };
  const declared = Number(firstHeader(headers, 'content-length') ?? 0);
  const limit = Math.min(settings.maxBodySize, MAX_QUERY_SIZE);
  return Math.max(declared, body.byteLength) > limit ? queryTooLong(limit) : undefined;
}

export function queryTooLong(limit: number): ApiError {
  const option = limit < MAX_QUERY_SIZE ? 'server-max-body-size' : undefined;
  return { kind: 'limitExceeded', limit: `Queries have up to ${limit} bytes`, option, status: 413 };
}

function isQueryType(contentType: string | undefined, { mediaVendor, mediaVendorAliases }: Dialect): boolean {
  if (contentType === undefined || !QUERY_TYPES.test(contentType)) return false;
  const essence = essenceOf(contentType);
  return [mediaVendor, ...mediaVendorAliases].some((vendor) => essence === `application/vnd.${vendor}.query`);
}

function essenceOf(contentType: string): string {
  const [essence = ''] = contentType.split(';', 1);
  return essence.trim().toLowerCase();
}
