// Decides who may ask about the access of other roles: the explorer of this server, with the key that `rowhouse dev`
// printed. The page signs a token for each question, so the key stays in its tab.
import { checkSource } from '../../src/auth/check-source.ts';
import { validateClaims } from '../../src/auth/claims.ts';
import { findToken } from '../../src/auth/authenticate.ts';
import type { VerificationKey } from '../../src/auth/keys.ts';
import { verifyJwt } from '../../src/auth/verify-jwt.ts';
import { ACCESS_PURPOSE } from '../../src/contract/access-document.ts';
import { firstHeader, type HttpRequest } from '../../src/contract/http.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { Client } from '../../src/observe/request-report.ts';

/** Host names of this machine. Pages of other sites have a different host, even if it resolves to loopback. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export interface AccessKeys {
  /** Host names of this machine. */
  readonly hosts: readonly string[];
  /** The key of this start alone, not those of the configuration. */
  readonly keys: readonly VerificationKey[];
}

/** Addresses of clients on this machine; `::ffff:` precedes those that reach an IPv6 socket over IPv4. */
const LOOPBACK_CLIENT = /^(?:(?:::ffff:)?127(?:\.\d+){3}|::1)$/u;

/** Longest lifetime of a token, in seconds. */
const MAX_LIFETIME = 120;

/**
 * Checks the client, and the host and page of the request. Stricter than the API, and independent of
 * `server-allowed-hosts`: only a page of this very server may ask.
 */
export function checkOwnPage(request: HttpRequest, client: Client, hosts: AccessKeys['hosts']): ApiError | undefined {
  return checkSource(request, hosts) ?? checkPage(request) ?? checkClient(client);
}

/** Checks the token too. */
export function checkAccess(request: HttpRequest, client: Client, { hosts, keys }: AccessKeys): ApiError | undefined {
  const foreign = checkOwnPage(request, client, hosts);
  if (foreign !== undefined) return foreign;
  if (request.method !== 'POST') return { kind: 'methodUnsupported', method: request.method };
  const token = verifyJwt(findToken(request.headers) ?? '', keys);
  if (!token.ok) return token.error;
  const { claims } = token.value;
  const now = Math.floor(Date.now() / 1000);
  const valid = validateClaims(claims, { now, audience: undefined, issuer: undefined });
  if (!valid.ok) return valid.error;
  const isShortLived = typeof claims['exp'] === 'number' && claims['exp'] <= now + MAX_LIFETIME;
  return isShortLived && claims['purpose'] === ACCESS_PURPOSE
    ? undefined
    : { kind: 'claimsInvalid', message: 'The token was not signed to ask about the access of roles' };
}

/** Pages on another port of this machine may call the API, but not ask here. */
function checkPage({ headers }: HttpRequest): ApiError | undefined {
  const origin = firstHeader(headers, 'origin');
  const host = firstHeader(headers, 'host') ?? '';
  if (origin !== undefined && origin.replace(/^https?:\/\//u, '') !== host)
    return { kind: 'sourceNotAllowed', header: 'Origin', value: origin };
  const site = firstHeader(headers, 'sec-fetch-site') ?? 'same-origin';
  return site === 'same-origin' ? undefined : { kind: 'sourceNotAllowed', header: 'Sec-Fetch-Site', value: site };
}

/** A Unix socket has no address; the permissions of its file guard it. */
function checkClient({ address }: Client): ApiError | undefined {
  if (address === undefined || LOOPBACK_CLIENT.test(address)) return undefined;
  return { kind: 'sourceNotAllowed', header: 'Client', value: address };
}
