// Checks who sends a request to the endpoint of agents: the web page, if one does, and the token with its audience.
import { authenticate, type Identity } from '../../auth/authenticate.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { firstHeader, type HttpRequest } from '../../contract/http.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RequestContext } from '../../request-context.ts';
import { parseJsonObject } from '../../util/json-object.ts';
import { findAudience } from './protected-resource.ts';

type AgentContext = Pick<RequestContext, 'auth' | 'config'>;

export function checkAgent(request: HttpRequest, { auth, config }: AgentContext): Result<Identity, ApiError> {
  const origin = firstHeader(request.headers, 'origin');
  if (origin !== undefined && !isOriginAllowed(origin, request, config))
    return fail({ kind: 'sourceNotAllowed', header: 'Origin', value: origin });
  const identity = authenticate(request.headers, auth, request.mount?.session);
  if (!identity.ok || request.mount?.session !== undefined) return identity;
  return isForUs(identity.value, request, config)
    ? identity
    : fail({ kind: 'claimsInvalid', message: 'JWT not in audience' });
}

/**
 * Only pages that an option names may use the endpoint, and pages of this machine if the request was sent to it by such
 * a name. That a page has the host of the request does not count: its host may resolve to this machine (DNS rebinding).
 */
function isOriginAllowed(origin: string, { headers }: HttpRequest, config: AppConfig): boolean {
  // With `server-allowed-hosts`, the origin has been checked.
  if (config.serverAllowedHosts.length > 0) return true;
  const { serverCorsAllowedOrigins, openapiServerProxyUri: publicUrl } = config;
  if (serverCorsAllowedOrigins.includes(origin)) return true;
  if (publicUrl !== undefined && originOf(publicUrl) === origin) return true;
  return isLoopback(origin.replace(/^https?:\/\//u, '')) && isLoopback(firstHeader(headers, 'host') ?? '');
}

function isLoopback(authority: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/iu.test(authority);
}

function originOf(url: string): string | undefined {
  return /^https?:\/\/[^/?#]+/iu.exec(url)?.[0].toLowerCase();
}

/** A token for another service must not be of use here. `jwt-aud` has been compared with an audience that is named. */
function isForUs({ claimsText }: Identity, request: HttpRequest, config: AppConfig): boolean {
  const claim = parseJsonObject(claimsText)?.['aud'] ?? [];
  const audiences: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  // Tokens of the operator's own secret need not name an audience; those of an issuer serve many.
  if (audiences.length === 0)
    return config.jwtIssuer === undefined || firstHeader(request.headers, 'authorization') === undefined;
  if (config.jwtAud !== undefined) return true;
  const expected = findAudience(request, config);
  return expected !== undefined && audiences.includes(expected);
}
