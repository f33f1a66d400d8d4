// The two records between the HTTP server and the core: plain data, so that the core runs behind any server.
import type { BodyStream } from './body-stream.ts';

/** Header lines in the order received or to be sent; names of requests are lower-cased. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface HttpRequest {
  /** As received, upper case by convention: `GET`. */
  readonly method: string;
  /** Raw path, percent-encoded, without the query string. */
  readonly path: string;
  /** Text after the first `?`, still percent-encoded; `''` without one. */
  readonly rawQuery: string;
  /** Whether nothing follows a `?`, which only the logs tell from a target without one. */
  readonly hasEmptyQuery?: true;
  readonly headers: HeaderList;
  /** Empty where it is still arriving. */
  readonly body: Uint8Array;
  readonly arriving?: ArrivingBody | undefined;
  /** Absent where the server is our own. */
  readonly mount?: Mount;
}

/** A body that is used while it arrives: no more of it is received than is asked for. */
export interface ArrivingBody {
  /** To be called again when the call before has been answered. */
  next(): Promise<BodyStep>;
}

export type BodyStep =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  /** The client has left before the end. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'tooSlow' };

/** What the program tells within whose server the API is served. */
export interface Mount {
  /** Public path of the API's root without a slash at the end: `/api`; `''` at the root of the server. */
  readonly basePath: string;
  /** Scheme and, where it is known, host that the request came to, whatever may follow them: `https://example.org/`. */
  readonly origin: string;
  /** The request names the base path itself, without a slash at the end: what it answers has other relative addresses. */
  readonly isBare: boolean;
  /** Who asks, as the program knows it; undefined: the token of the request tells. */
  readonly session: MountSession | 'anonymous' | undefined;
}

export interface MountSession {
  /** Database role to impersonate. */
  readonly role: string;
  /** Text of a JSON object. */
  readonly claimsText: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Reason phrase; the standard one of the status when undefined. */
  readonly reason?: string | undefined;
  readonly headers: HeaderList;
  /** Absent for answers that have no body at all (204, HEAD). */
  readonly body?: Uint8Array | BodyStream | undefined;
}

/** Characters of path and query string. */
export function urlLengthOf({ path, rawQuery }: HttpRequest): number {
  return path.length + (rawQuery === '' ? 0 : 1 + rawQuery.length);
}

/** RFC 9110 §15.3.5, §15.4.5: the statuses without body that a final response can have. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** RFC 9110 §5.1, §5.5: what would end the header, or the response, early must not get into it. */
export function isSendable(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/u.test(name) && !/[\0-\x08\x0a-\x1f\x7f]/u.test(value);
}

/**
 * RFC 9110 §7.6.1: fields that concern one connection. Where a body ends, and whether the connection stays open, is known to
 * the server alone; a client that reads otherwise loses track.
 */
export function isFraming(name: string): boolean {
  return FRAMING.test(name);
}

const FRAMING = /^(?:connection|content-length|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/iu;

/** First value of a header, by lower-cased name. */
export function firstHeader(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}

/** What `Cookie` headers say, in order (RFC 6265 §4.2.1). */
export function listCookies(headers: HeaderList): readonly (readonly [name: string, value: string])[] {
  return allHeaders(headers, 'cookie')
    .flatMap((value) => value.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
}

/** All values of a header in order, by lower-cased name. */
export function allHeaders(headers: HeaderList, name: string): readonly string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}
