// Adds the headers that every response carries: server, trace, CORS, timing (`operating.md` §10.6, §11.6).
import { findCookieToken, type TokenCookie } from '../auth/cookie-token.ts';
import { DIALECTS } from '../contract/dialect.ts';
import { firstHeader, type HeaderList, type Headers, type HttpRequest, type HttpResponse } from '../contract/http.ts';

export interface EdgeSettings {
  /** The header `Server`. */
  readonly server: readonly [name: string, value: string];
  /** Every origin if empty. */
  readonly allowedOrigins: readonly string[];
  /** Undefined: cookies contain no tokens. */
  readonly cookie: TokenCookie | undefined;
  /** A valid name. */
  readonly traceHeader: string | undefined;
  /** Whether the method QUERY is known. */
  readonly hasQuery: boolean;
}

const EXPOSED_HEADERS =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit';
/** Exposed only by responses that contain them. */
const FURTHER_EXPOSED = [
  'Preference-Applied',
  'Content-Profile',
  'Proxy-Status',
  'WWW-Authenticate',
  'Link',
  'ETag',
  'Accept-Query',
  'Warning',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  ...Object.values(DIALECTS).map(({ positionHeader }) => positionHeader),
];
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'];
const METHODS_WITH_QUERY = [...METHODS, 'QUERY'];
const PREFLIGHT_SECONDS = '86400';

/** @returns the response to a CORS preflight; undefined if the request is not one */
export function answerPreflight(request: HttpRequest, settings: EdgeSettings): HttpResponse | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  const allowOrigin = allowOriginHeaders(request, settings);
  const method = firstHeader(request.headers, 'access-control-request-method');
  const methods = settings.hasQuery ? METHODS_WITH_QUERY : METHODS;
  if (allowOrigin.length === 0 || method === undefined || !methods.includes(method)) return undefined;
  const headers: Headers = [
    ...allowOrigin,
    ['Access-Control-Allow-Methods', methods.join(', ')],
    ...allowedHeaders(request),
    ['Access-Control-Max-Age', PREFLIGHT_SECONDS],
  ];
  addCommon(headers, request, settings);
  return { status: 200, headers, body: new Uint8Array() };
}

/** Headers set by the database replace ours. */
export function addEdgeHeaders(core: HttpResponse, request: HttpRequest, settings: EdgeSettings): HttpResponse {
  const { status, reason, body } = core;
  const headers = [...withoutAnyOrigin(core.headers, request, settings)];
  if (request.rateFields !== undefined) addMissing(headers, request.rateFields);
  if (firstHeader(request.headers, 'origin') !== undefined)
    addMissing(headers, originHeaders(headers, request, settings));
  addCommon(headers, request, settings);
  return { status, reason, headers, body };
}

/** @param value `undefined`: the header is not sent */
export function addServerTiming(response: HttpResponse, value: string | undefined): HttpResponse {
  if (value === undefined) return response;
  const headers = [...response.headers];
  addMissing(headers, [['Server-Timing', value]]);
  return { ...response, headers };
}

function addMissing(headers: Headers, added: HeaderList): void {
  for (const header of added) if (!hasHeader(headers, header[0])) headers.push(header);
}

function hasHeader(headers: HeaderList, name: string): boolean {
  for (const header of headers) {
    const own = header[0];
    if (own.length === name.length && (own === name || own.toLowerCase() === name.toLowerCase())) return true;
  }
  return false;
}

/** Successful OPTIONS responses already allow any origin; failed ones do not. */
function originHeaders(headers: HeaderList, request: HttpRequest, settings: EdgeSettings): HeaderList {
  const allowOrigin = allowOriginHeaders(request, settings);
  if (request.method === 'OPTIONS') return hasHeader(headers, 'Access-Control-Allow-Origin') ? [] : allowOrigin;
  if (allowOrigin.length === 0) return [];
  return [...allowOrigin, ['Access-Control-Expose-Headers', exposedHeaders(headers, request)]];
}

/**
 * The list for errors is specified. It omits `Proxy-Status`, which repeats the body, except for HEAD, which has none.
 */
function exposedHeaders(headers: HeaderList, { method }: HttpRequest): string {
  const further = FURTHER_EXPOSED.filter((name) => hasHeader(headers, name));
  const isPlainError = method !== 'HEAD' && further.every((name) => name === 'Proxy-Status');
  return isPlainError ? EXPOSED_HEADERS : [EXPOSED_HEADERS, ...further].join(', ');
}

/** Removes the header of a successful OPTIONS response where no page of another origin may use the cookie. */
function withoutAnyOrigin(headers: HeaderList, request: HttpRequest, settings: EdgeSettings): HeaderList {
  if (settings.cookie === undefined || request.method !== 'OPTIONS' || !isForOwnPages(request, settings))
    return headers;
  return headers.filter(([name]) => name !== 'Access-Control-Allow-Origin');
}

/** Whether a cookie names the sender, and the operator names no pages of other origins (`beyond.md` §5.2). */
function isForOwnPages(request: HttpRequest, { allowedOrigins, cookie }: EdgeSettings): boolean {
  return cookie !== undefined && allowedOrigins.length === 0 && findCookieToken(request, cookie) !== undefined;
}

function allowOriginHeaders(request: HttpRequest, settings: EdgeSettings): HeaderList {
  const { allowedOrigins } = settings;
  const origin = firstHeader(request.headers, 'origin');
  if (origin === undefined || isForOwnPages(request, settings)) return [];
  if (allowedOrigins.length === 0) return [['Access-Control-Allow-Origin', '*']];
  if (!allowedOrigins.includes(origin)) return [];
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
  ];
}

const ALWAYS_ALLOWED = ['Accept', 'Accept-Language', 'Content-Language'];

function allowedHeaders({ headers }: HttpRequest): HeaderList {
  const asked = firstHeader(headers, 'access-control-request-headers');
  if (asked === undefined) return [];
  const names = asked.split(',').map((name) => name.trim());
  const known = new Set(names.map((name) => name.toLowerCase()));
  const further = ALWAYS_ALLOWED.filter((name) => !known.has(name.toLowerCase()));
  return [['Access-Control-Allow-Headers', ['Authorization', ...names, ...further].join(', ')]];
}

function addCommon(headers: Headers, request: HttpRequest, { server, traceHeader }: EdgeSettings): void {
  const isServerSet = hasHeader(headers, 'Server');
  const isTraceSet = traceHeader === undefined || hasHeader(headers, traceHeader);
  if (!isServerSet) headers.push(server);
  if (!isTraceSet) headers.push([traceHeader, firstHeader(request.headers, traceHeader.toLowerCase()) ?? '']);
}
