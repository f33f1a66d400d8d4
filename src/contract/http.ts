// The two records exchanged between the HTTP server and the core: plain data, so that the core runs behind any server.
import type { BodyStream } from './body-stream.ts';

/** Header lines in the order they were received or will be sent; names of request headers are in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A list that is being built. */
export type Headers = (readonly [name: string, value: string])[];

/** What stages have derived from the headers of a list, for the next request with the same. */
export interface HeaderTexts {
  readonly list: HeaderList;
  /** JSON objects of the settings `request.headers` and `request.cookies`. */
  settings?: {
    readonly headers: string;
    readonly cookies: string;
    /** The cookie that is left out; undefined: none. */
    readonly tokenCookie: string | undefined;
  };
  /** The part of the shape that the headers determine (`prepare/request-shape.ts`). */
  shape?: { readonly text: string; readonly hasCondition: boolean };
}

export interface HttpRequest {
  /** As received; upper case by convention: `GET`. */
  readonly method: string;
  /** Raw path, percent-encoded, without the query string. */
  readonly path: string;
  /** Text after the first `?`, still percent-encoded; `''` without one. */
  readonly rawQuery: string;
  /** The target ends with a bare `?`; matters only for the logs. */
  readonly hasEmptyQuery?: true;
  readonly headers: HeaderList;
  /** Kept while a connection repeats the same headers; absent: nothing is kept. */
  readonly headerTexts?: HeaderTexts;
  /** Empty if the body is still arriving. */
  readonly body: Uint8Array;
  readonly arriving?: ArrivingBody | undefined;
  /** A GET whose query string was sent as a body (`request/long-query.ts`). */
  readonly isLongQuery?: true;
  /** Fields of the response that report the client's quota; absent if no rate is limited. */
  readonly rateFields?: HeaderList;
  /** Made by an extension on behalf of a client (`Extension.calls`), with a configuration of its own. */
  readonly isOwnCall?: true;
  /** The identity of that client, if it has been authenticated. */
  readonly sender?: MountSession & { readonly isAnonymous: boolean };
  /** Present only if another program's server hosts the API. */
  readonly mount?: Mount;
}

/** A request body read while it arrives: the server receives no more of it than the reader asks for. */
export interface ArrivingBody {
  /** Call it again only after the previous call has resolved. */
  next(): Promise<BodyStep>;
}

export type BodyStep =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  /** The client disconnected before the end. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'tooSlow' };

/** What the hosting program specifies when the API runs inside its server. */
export interface Mount {
  /** Public path of the API's root without a trailing slash: `/api`; `''` at the root of the server. */
  readonly basePath: string;
  /**
   * Starts with the scheme and, if known, the host of the request's URL; the rest is ignored: `https://example.org/`.
   */
  readonly origin: string;
  /** The URL is the base path without a trailing slash, which changes how relative links resolve. */
  readonly isBare: boolean;
  /** The identity the program has established; `undefined`: the request's token decides. */
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
  /** Reason phrase; defaults to the standard one of the status. */
  readonly reason?: string | undefined;
  readonly headers: HeaderList;
  /** Absent if the response has no body (204, HEAD). */
  readonly body?: Uint8Array | BodyStream | undefined;
  /** The version of the row that the body represents, for its entity tag. */
  readonly rowVersion?: string;
}

/** Returns the number of characters of path and query string. */
export function urlLengthOf({ path, rawQuery }: HttpRequest): number {
  return path.length + (rawQuery === '' ? 0 : 1 + rawQuery.length);
}

/** RFC 9110 §15.3.5, §15.4.5: the final statuses whose responses have no body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** Rejects characters that would end the header or the response early (RFC 9110 §5.1, §5.5). */
export function isSendable(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/u.test(name) && !/[\0-\x08\x0a-\x1f\x7f]/u.test(value);
}

/**
 * RFC 9110 §7.6.1: fields that concern a single connection. Only the server knows where a body ends and whether the
 * connection stays open; a conflicting header would confuse the client.
 */
export function isFraming(name: string): boolean {
  return FRAMING.test(name);
}

const FRAMING = /^(?:connection|content-length|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/iu;

/** @returns undefined if nothing is kept, or the headers have been replaced */
export function headerTextsOf({ headers, headerTexts }: HttpRequest): HeaderTexts | undefined {
  return headerTexts?.list === headers ? headerTexts : undefined;
}

/** Returns the first value of a header, by lower-cased name. */
export function firstHeader(headers: HeaderList, name: string): string | undefined {
  for (const header of headers) if (header[0] === name) return header[1];
  return undefined;
}

/** Returns the pairs of all `Cookie` headers in order (RFC 6265 §4.2.1). */
export function listCookies(headers: HeaderList): readonly (readonly [name: string, value: string])[] {
  return allHeaders(headers, 'cookie')
    .flatMap((value) => value.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
}

/** Returns all values of a header in order, by lower-cased name. */
export function allHeaders(headers: HeaderList, name: string): readonly string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}

/** A response that is stored for repetitions of its request. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}
