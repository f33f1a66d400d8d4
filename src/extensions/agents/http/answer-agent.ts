// Answers the requests of agents over HTTP.
import { type HttpRequest, type HttpResponse, isFraming } from '../../../contract/http.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { OwnRoute, OwnRouteCall } from '../../../serve/extension.ts';
import { refuseRequest } from '../../../serve/handle-request.ts';
import type { HandledRequest } from '../../../observe/request-report.ts';
import type { RequestContext } from '../../../serve/request-context.ts';
import { tooDeep } from '../../../request/payload/payload-errors.ts';
import { addEdgeHeaders } from '../../../response/edge-headers.ts';
import { isNestedDeeperThan } from '../../../util/json-object.ts';
import { type AgentSession, createAgentServer } from '../protocol/agent-server.ts';
import { loadSdk, type Sdk } from '../protocol/sdk.ts';
import { checkAgent } from './check-agent.ts';
import { addResource, type AgentRoute, buildMetadata } from './protected-resource.ts';

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
