// Checks the sender of a request to the endpoint of agents: the origin of a web page, and the token with its audience.
import { authenticate, type Identity } from '../../../auth/authenticate.ts';
import { findCookieToken } from '../../../auth/cookie-token.ts';
import type { AppConfig } from '../../../config/table/app-config.ts';
import { firstHeader, type HttpRequest } from '../../../contract/http.ts';
import { fail, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { RequestContext } from '../../../serve/request-context.ts';
import { parseJsonObject } from '../../../util/json-object.ts';
import { findAudience } from './protected-resource.ts';

type AgentContext = Pick<RequestContext, 'auth' | 'config'>;

export function checkAgent(request: HttpRequest, { auth, config }: AgentContext): Result<Identity, ApiError> {
  const origin = firstHeader(request.headers, 'origin');
  if (origin !== undefined && !isOriginAllowed(origin, request, config))
    return fail({ kind: 'sourceNotAllowed', header: 'Origin', value: origin });
  const identity = authenticate(request, auth);
  if (!identity.ok || request.mount?.session !== undefined) return identity;
  return isForUs(identity.value, request, { auth, config })
    ? identity
    : fail({ kind: 'claimsInvalid', message: 'JWT not in audience' });
}

/**
 * Accepts pages that an option names, and pages of this machine if the `Host` header names this machine too. A page is
 * not accepted only because its host equals `Host`: that name may resolve to this machine (DNS rebinding).
 */
function isOriginAllowed(origin: string, { headers }: HttpRequest, config: AppConfig): boolean {
  // With `server-allowed-hosts`, the origin has been checked.
  if (config.serverAllowedHosts.length > 0) return true;
  const { serverCorsAllowedOrigins, openapiServerProxyUri: publicUrl } = config;
  if (serverCorsAllowedOrigins.includes(origin)) return true;
  if (publicUrl !== undefined && /^https?:\/\/[^/?#]+/iu.exec(publicUrl)?.[0].toLowerCase() === origin) return true;
  return isLoopback(origin.replace(/^https?:\/\//u, '')) && isLoopback(firstHeader(headers, 'host') ?? '');
}

function isLoopback(authority: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/iu.test(authority);
}

/** Rejects tokens for other services. If the token names an audience, it has already been compared with `jwt-aud`. */
function isForUs({ claimsText }: Identity, request: HttpRequest, { auth, config }: AgentContext): boolean {
  const claim = parseJsonObject(claimsText)?.['aud'] ?? [];
  const audiences: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  // Only tokens of an issuer must name an audience, because an issuer also serves other services.
  if (audiences.length === 0) return config.jwtIssuer === undefined || !hasToken(request, auth);
  if (config.jwtAud !== undefined) return true;
  const expected = findAudience(request, config);
  return expected !== undefined && audiences.includes(expected);
}

function hasToken(request: HttpRequest, { cookie }: AgentContext['auth']): boolean {
  if (firstHeader(request.headers, 'authorization') !== undefined) return true;
  return cookie !== undefined && findCookieToken(request, cookie) !== undefined;
}
