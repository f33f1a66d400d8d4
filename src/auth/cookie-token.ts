// Takes the token of a request from a cookie (`beyond.md` §5.2). Browsers send cookies unasked, so the cookie counts only
// if the request is one of the site's own.
import { firstHeader, type HttpRequest, listCookies } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isHostAllowed } from './check-source.ts';

/** The option `jwt-cookie`, and the options that name sites of the operator. */
export interface TokenCookie {
  /** Case-sensitive. */
  readonly name: string;
  /** Of web pages: `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Without ports. */
  readonly allowedHosts: readonly string[];
}

/** The parts of a request that decide who sent it. */
export type Sender = Pick<HttpRequest, 'method' | 'headers' | 'mount' | 'isOwnCall'>;

/** @returns undefined if the request has no such token; errors: `cookieFromOtherSite` */
export function readCookieToken(sender: Sender, cookie: TokenCookie): Result<string | undefined, ApiError> {
  const token = findCookieToken(sender, cookie);
  if (token === undefined || sender.isOwnCall || isFromOwnSite(sender, cookie)) return ok(token);
  return fail({ kind: 'cookieFromOtherSite' });
}

/**
 * Returns the token of the cookie, whether or not the request may use it; undefined if `Authorization`, of whatever
 * scheme, or the session of the embedding program decides who sends the request.
 */
export function findCookieToken({ headers, mount }: Sender, { name }: TokenCookie): string | undefined {
  if (mount?.session !== undefined || firstHeader(headers, 'authorization') !== undefined) return undefined;
  const value = listCookies(headers).find(([key]) => key === name)?.[1];
  const token = value === undefined ? '' : (/^"(.*)"$/su.exec(value)?.[1] ?? value);
  return token === '' ? undefined : token;
}

function isFromOwnSite({ method, headers }: Sender, { allowedOrigins, allowedHosts }: TokenCookie): boolean {
  const site = firstHeader(headers, 'sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return true;
  const origin = firstHeader(headers, 'origin');
  if (origin !== undefined && allowedOrigins.includes(origin)) return true;
  if (site !== undefined) return false;
  const page = origin ?? firstHeader(headers, 'referer');
  if (page === undefined) return method === 'GET' || method === 'HEAD';
  const [, scheme = '', authority] = /^(https?):\/\/([^/?#@]+)(?:[/?#]|$)/iu.exec(page) ?? [];
  if (authority === undefined) return false;
  const host = firstHeader(headers, 'host') ?? '';
  return (
    withoutDefaultPort(authority, scheme) === withoutDefaultPort(host, scheme) || isHostAllowed(authority, allowedHosts)
  );
}

const DEFAULT_PORTS: Readonly<Record<string, RegExp>> = { http: /:80$/u, https: /:443$/u };

/** Browsers omit the port that the scheme implies; other clients and proxies may not. */
function withoutDefaultPort(authority: string, scheme: string): string {
  return authority.toLowerCase().replace(DEFAULT_PORTS[scheme.toLowerCase()] ?? '', '');
}
