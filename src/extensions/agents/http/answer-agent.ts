// Answers the requests of agents over HTTP.
import { type HttpRequest, type HttpResponse, isFraming, firstHeader } from '../../../contract/http.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { OwnRoute, OwnRouteCall } from '../../../serve/extension.ts';
import { refuseRequest } from '../../../serve/handle-request.ts';
import type { HandledRequest } from '../../../observe/request-report.ts';
import type { RequestContext } from '../../../serve/request-context.ts';
import { tooDeep } from '../../../request/payload/payload-errors.ts';
import { addEdgeHeaders } from '../../../response/edge-headers.ts';
import { isNestedDeeperThan, parseJsonObject } from '../../../util/json-object.ts';
import { type AgentSession, createAgentServer } from '../protocol/agent-server.ts';
import { loadSdk, type Sdk } from '../protocol/sdk.ts';
import { addResource, type AgentRoute, buildMetadata, findAudience } from './protected-resource.ts';
import { authenticate, type Identity } from '../../../auth/authenticate.ts';
import { findCookieToken } from '../../../auth/cookie-token.ts';
import type { AppConfig } from '../../../config/table/app-config.ts';
import { fail, type Result } from '../../../contract/result.ts';

const ONE_MESSAGE = 'A request of an agent contains one message, not a batch';

const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE']);

export const ROUTES: Readonly<Record<AgentRoute, OwnRoute>> = {
  endpoint: { answer: answerAgent, check },
  metadata: {
    answer: (request, { context }) =>
      Promise.resolve(finish(buildMetadata(request, context.config, request.method === 'HEAD'), request, context)),
    check,
  },
};

function check(request: HttpRequest, context: RequestContext): HandledRequest | undefined {
  const identity = checkAgent(request, context);
  return identity.ok ? undefined : refuseAgent(request, identity.error, context);
}

async function answerAgent(request: HttpRequest, { context, call, signal }: OwnRouteCall): Promise<HandledRequest> {
  const identity = checkAgent(request, context);
  if (!identity.ok) return refuseAgent(request, identity.error, context);
  const error = findFault(request, context);
  if (error !== undefined) return refuseAgent(request, error, context);
  const sdk = await loadSdk();
  if (sdk === undefined) return refuseAgent(request, { kind: 'agentsUnavailable' }, context);
  const sender = { ...request, sender: identity.value };
  const session = { ...context, agent: sender, call: cancelWith(signal, call), planning: () => context.planning };
  const response = await answerWithSdk(sdk, request, session);
  return { ...finish(response, request, context), role: identity.value.role };
}

/** Cancels the requests of all tools when the agent disconnects. */
function cancelWith(signal: OwnRouteCall['signal'], call: OwnRouteCall['call']): AgentSession['call'] {
  const gone = new AbortController();
  // The signal accepts only one listener, but a tool may send several requests.
  signal?.addEventListener('abort', () => gone.abort());
  if (signal?.aborted === true) gone.abort();
  return (request, cancelled) => call(request, AbortSignal.any([gone.signal, cancelled]));
}

/** Rejects a request. If a token is missing, the response names the issuer of tokens. */
function refuseAgent(request: HttpRequest, error: ApiError, context: RequestContext): HandledRequest {
  const handled = refuseRequest(request, error, context);
  return { ...handled, response: addResource(handled.response, request, context.config) };
}

function findFault({ method, body }: HttpRequest, { config }: RequestContext): ApiError | undefined {
  if (!METHODS.has(method)) return { kind: 'methodUnsupported', method };
  const { serverMaxJsonDepth: maxDepth } = config;
  const text = new TextDecoder().decode(body);
  if (isNestedDeeperThan(maxDepth, text)) return tooDeep(maxDepth);
  // The supported revisions have no batches. A batch would count as one request for every limit.
  return text.trimStart().startsWith('[') ? { kind: 'invalidBody', message: ONE_MESSAGE } : undefined;
}

function finish(response: HttpResponse, request: HttpRequest, context: RequestContext): HandledRequest {
  return {
    kind: 'request',
    response: addEdgeHeaders(response, request, context.edge),
    role: undefined,
    failure: undefined,
    script: undefined,
    legacyNames: [],
  };
}

/** Creates a server for each request, because both revisions of the protocol are served without state. */
export async function answerWithSdk(
  sdk: typeof Sdk,
  request: HttpRequest,
  session: AgentSession,
): Promise<HttpResponse> {
  // The server never sends a message unasked, so there is nothing to subscribe to.
  const handler = sdk.createMcpHandler(() => createAgentServer(sdk, session), {
    maxSubscriptions: 0,
  });
  const response = await handler.fetch(buildFetchRequest(request));
  const body = new Uint8Array(await response.arrayBuffer());
  await handler.close();
  const headers = [...response.headers].filter(([name]) => !isFraming(name));
  return { status: response.status, headers, body: body.byteLength === 0 ? undefined : body };
}

/** Removes credentials, which the SDK does not need. */
const PASSED_HEADERS = /^(?:accept|content-type|last-event-id|mcp-.*)$/u;

function buildFetchRequest({ method, path, headers, body }: HttpRequest): Request {
  const passed = new Headers();
  for (const [name, value] of headers) if (PASSED_HEADERS.test(name)) passed.append(name, value);
  return new Request(`http://localhost${path}`, { method, headers: passed, ...(method === 'POST' ? { body } : {}) });
}

type AgentContext = Pick<RequestContext, 'auth' | 'config'>;

function checkAgent(request: HttpRequest, { auth, config }: AgentContext): Result<Identity, ApiError> {
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
