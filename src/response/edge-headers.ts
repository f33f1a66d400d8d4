// Adds the headers that every response carries: server, trace, CORS, timing (`operating.md` §10.6, §11.6).
import { DIALECTS } from '../contract/dialect.ts';
import { firstHeader, type HeaderList, type HttpRequest, type HttpResponse, isSendable } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';

export interface EdgeSettings {
  readonly product: Product;
  /** Every origin if empty. */
  readonly allowedOrigins: readonly string[];
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
  const headers: HeaderList = [
    ...allowOrigin,
    ['Access-Control-Allow-Methods', methods.join(', ')],
    ...allowedHeaders(request),
    ['Access-Control-Max-Age', PREFLIGHT_SECONDS],
    ...commonHeaders(request, settings),
  ];
  return { status: 200, headers, body: new Uint8Array() };
}

export function addEdgeHeaders(core: HttpResponse, request: HttpRequest, settings: EdgeSettings): HttpResponse {
  const response = request.rateFields === undefined ? core : addMissing(core, request.rateFields);
  const origin =
    request.method === 'OPTIONS'
      ? missingOrigin(response, request, settings)
      : corsHeaders(response, request, settings);
  // Headers set by the database replace ours.
  return addMissing(response, [...origin, ...commonHeaders(request, settings)]);
}

/** @param value `undefined`: the header is not sent */
export function addServerTiming(response: HttpResponse, value: string | undefined): HttpResponse {
  return value === undefined ? response : addMissing(response, [['Server-Timing', value]]);
}

function addMissing(response: HttpResponse, headers: HeaderList): HttpResponse {
  const added = headers.filter(([name]) => !hasHeader(response.headers, name));
  return { ...response, headers: [...response.headers, ...added] };
}

function hasHeader(headers: HeaderList, name: string): boolean {
  return headers.some(([own]) => own.length === name.length && own.toLowerCase() === name.toLowerCase());
}

/** Successful OPTIONS responses already allow any origin; failed ones do not. */
function missingOrigin({ headers }: HttpResponse, request: HttpRequest, settings: EdgeSettings): HeaderList {
  return hasHeader(headers, 'Access-Control-Allow-Origin') ? [] : allowOriginHeaders(request, settings);
}

function corsHeaders(response: HttpResponse, request: HttpRequest, settings: EdgeSettings): HeaderList {
  const allowOrigin = allowOriginHeaders(request, settings);
  if (allowOrigin.length === 0) return [];
  return [...allowOrigin, ['Access-Control-Expose-Headers', exposedHeaders(response, request)]];
}

/**
 * The list for errors is specified. It omits `Proxy-Status`, which repeats the body, except for HEAD, which has none.
 */
function exposedHeaders({ headers }: HttpResponse, { method }: HttpRequest): string {
  const further = FURTHER_EXPOSED.filter((name) => hasHeader(headers, name));
  const isPlainError = method !== 'HEAD' && further.every((name) => name === 'Proxy-Status');
  return isPlainError ? EXPOSED_HEADERS : [EXPOSED_HEADERS, ...further].join(', ');
}

function allowOriginHeaders({ headers }: HttpRequest, { allowedOrigins }: EdgeSettings): HeaderList {
  const origin = firstHeader(headers, 'origin');
  if (origin === undefined) return [];
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

function commonHeaders({ headers }: HttpRequest, { product, traceHeader }: EdgeSettings): HeaderList {
  const server = ['Server', `${product.token}/${product.version}`] as const;
  // A configured name that is not a valid header name would fail every response.
  if (traceHeader === undefined || !isSendable(traceHeader, '')) return [server];
  return [server, [traceHeader, firstHeader(headers, traceHeader.toLowerCase()) ?? '']];
}
