// Handles requests: answers them, logs them and reports database failures.
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import { checkSource } from '../auth/check-source.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isApiError } from '../errors/is-api-error.ts';
import { isSchemeMissing } from '../auth/authenticate.ts';
import { type BodyReading, checkHead } from '../check-head.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { handleRequest, refuseRequest } from '../handle-request.ts';
import { RequestMetrics } from '../observe/request-metrics.ts';
import type { HandledRequest } from '../observe/handled-request.ts';
import type { RequestTrace, RequestTracing, TracedRequest } from '../observe/request-trace.ts';
import type { Logger } from '../observe/logger.ts';
import { type Client, renderTarget } from '../observe/request-report.ts';
import type { CancelSignal } from '../contract/cancel-signal.ts';
import { findAgentRoute } from '../mcp/http/agent-route.ts';
import { answerAgent, refuseAgent } from '../mcp/http/answer-agent.ts';
import { checkAgent } from '../mcp/http/check-agent.ts';
import type { ApiReply, CallApi } from '../mcp/calls/send-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { AppState } from './app-state.ts';
import type { RateGate } from './rate-gate.ts';
import { WatchedBody } from './watched-body.ts';

export interface RequestHandlerOptions {
  readonly state: AppState;
  readonly gate: RateGate;
  /** Undefined if requests are not traced. */
  readonly tracing: RequestTracing | undefined;
  readonly logger: Logger;
  readonly onFailure: (error: ApiError) => void;
  /** Called when the database has answered a request. */
  readonly onServed: () => void;
}

const NO_REQUEST: HttpRequest = { method: '', path: '', rawQuery: '', headers: [], body: new Uint8Array() };

/** Status that proxies log for a client that closed the connection before the response. */
const CLIENT_GONE = 499;

export class RequestHandler {
  readonly metrics: RequestMetrics = new RequestMetrics();
  readonly #options: RequestHandlerOptions;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  /** Takes a request from the quota of its client; undefined if no rate is limited. */
  get admit(): RateGate['admit'] {
    return this.#options.gate.admit;
  }

  /** @param signal aborts when the client disconnects */
  handle(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<HttpResponse> {
    const refusal = checkSource(request, this.#options.state.config.serverAllowedHosts);
    return refusal === undefined
      ? this.#handle(request, client, { signal })
      : Promise.resolve(this.refuse(request, client, refusal));
  }

  /** Handles a request that a tool of an agent makes. @param signal aborts when the call of the tool is cancelled */
  async callTool(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<ApiReply> {
    let failure: object | undefined;
    const onHandled = (handled: HandledRequest): void => void (failure = handled.failure);
    const response = await this.#handle(request, client, { signal, onHandled });
    return { response, failure };
  }

  async #handle(request: HttpRequest, client: Client, { signal, onHandled }: Handling): Promise<HttpResponse> {
    const start = performance.now();
    const context = this.#options.state.snapshot(signal, request);
    const keys = this.#options.state.awaitKeys(request);
    if (keys !== undefined) await keys;
    const { cache } = context;
    const { mcpPath: agentPath } = context.config;
    const trace = this.#trace({ request, client, start, cache, agentPath });
    const traced = trace === undefined ? context : { ...context, trace, runScript: trace.wrap(context.runScript) };
    let isStreaming = false;
    this.metrics.inFlight += 1;
    try {
      const route = findAgentRoute(request, context.config);
      const call: CallApi = (inner, cancelled) =>
        this.callTool(trace === undefined ? inner : continueTrace(inner, trace), client, cancelled);
      const handled = await (route === undefined
        ? handleRequest(request, traced)
        : answerAgent(request, route, { context: traced, call, signal }));
      onHandled?.(handled);
      const { body } = handled.response;
      const report = (bytes: number | undefined, broken?: ApiError): void => {
        const isClientGone = broken === undefined && (signal?.aborted ?? false);
        this.#report(handled, { request, client, start, cache, agentPath, trace, isClientGone, bytes, broken });
      };
      if (body === undefined || body instanceof Uint8Array) {
        report(body?.byteLength);
        return handled.response;
      }
      isStreaming = true;
      const end = (bytes: number): void => {
        this.metrics.inFlight -= 1;
        report(bytes, isApiError(body.failure) ? body.failure : undefined);
      };
      return { ...handled.response, body: new WatchedBody(body, end) };
    } finally {
      if (!isStreaming) this.metrics.inFlight -= 1;
    }
  }

  /** @returns how to read the body, or a response that does not depend on the body */
  async check(request: HttpRequest, client: Client): Promise<Result<BodyReading, HttpResponse>> {
    const context = this.#options.state.snapshot();
    const refusal = checkSource(request, context.config.serverAllowedHosts);
    if (refusal === undefined) await this.#options.state.awaitKeys(request);
    if (refusal === undefined && findAgentRoute(request, context.config) !== undefined)
      return this.#checkAgent(request, client, context);
    const checked = refusal === undefined ? await checkHead(request, context) : fail(refusal);
    return checked.ok ? checked : fail(this.refuse(request, client, checked.error));
  }

  /** Rejects a request that cannot be handled. Says nothing about the database, so the error is only logged. */
  refuse(request: HttpRequest, client: Client, error: ApiError): HttpResponse {
    const context = this.#options.state.snapshot();
    return this.#refuse(request, client, { handled: refuseRequest(request, error, context), context });
  }

  #refuse(request: HttpRequest, client: Client, { handled, context }: Refusal): HttpResponse {
    const start = performance.now();
    const { body } = handled.response;
    const traced = { request, client, start, cache: context.cache, agentPath: context.config.mcpPath };
    const received = { ...traced, trace: this.#trace(traced), isClientGone: false, broken: undefined };
    this.#log(handled, { ...received, bytes: body?.byteLength });
    return handled.response;
  }

  #checkAgent(request: HttpRequest, client: Client, context: RequestContext): Result<BodyReading, HttpResponse> {
    const checked = checkAgent(request, context);
    if (checked.ok) return ok({ arrivesAbove: undefined });
    return fail(this.#refuse(request, client, { handled: refuseAgent(request, checked.error, context), context }));
  }

  /** Rejects a connection whose bytes do not form a request. */
  refuseConnection(error: ApiError): HttpResponse {
    return refuseRequest(NO_REQUEST, error, this.#options.state.snapshot()).response;
  }

  #report(handled: HandledRequest, received: ReceivedRequest): void {
    if (handled.kind === 'preflight') {
      this.#count(received, handled.response.status, undefined);
      return;
    }
    this.#log(handled, received);
    if (received.isClientGone) return;
    const error = handled.failure?.error ?? received.broken;
    if (error !== undefined) this.#options.onFailure(error);
    else if (handled.script !== undefined) this.#options.onServed();
  }

  #trace(traced: TracedRequest): RequestTrace | undefined {
    const { tracing, state } = this.#options;
    return tracing !== undefined && state.config.extensions.includes('otel') ? tracing.begin(traced) : undefined;
  }

  /** @returns the duration of the request in milliseconds */
  #count(
    { request, start, cache, agentPath, trace }: ReceivedRequest,
    status: number,
    code: string | undefined,
  ): number {
    const at = performance.now();
    trace?.end(status, code);
    const milliseconds = at - start;
    this.metrics.record({ request, status, milliseconds, at, code, cache, agentPath });
    return milliseconds;
  }

  #log(handled: HandledRequest, received: ReceivedRequest): void {
    const { request, client, isClientGone, broken } = received;
    const { logger } = this.#options;
    if (logger.hasHints && isSchemeMissing(request.headers))
      logger.observe({ kind: 'tokenBare', method: request.method, target: renderTarget(request) });
    const { role, script, legacyNames } = handled;
    const status = isClientGone ? CLIENT_GONE : handled.response.status;
    const failure = isClientGone ? undefined : handled.failure;
    const late = broken && logger.describeError(broken);
    const milliseconds = this.#count(received, status, failure?.code ?? late?.code);
    if (late !== undefined)
      logger.observe({ kind: 'answerBroken', method: request.method, target: renderTarget(request), failure: late });
    if (logger.concerns(status, legacyNames)) {
      const bytes = isClientGone || request.method === 'HEAD' ? undefined : received.bytes;
      logger.report({ request, client, status, bytes, role, failure, script, legacyNames, milliseconds });
    }
  }
}

interface Handling {
  readonly signal: CancelSignal | undefined;
  readonly onHandled?: (handled: HandledRequest) => void;
}

interface Refusal {
  readonly handled: HandledRequest;
  readonly context: RequestContext;
}

/** `cache` is the schema cache used for the request. */
interface ReceivedRequest extends TracedRequest {
  readonly trace: RequestTrace | undefined;
  readonly isClientGone: boolean;
  /** Bytes of the body that were sent. */
  readonly bytes: number | undefined;
  /** Why the body is incomplete. */
  readonly broken: ApiError | undefined;
}

/** Makes the request of a tool call part of the trace of the call. */
function continueTrace(request: HttpRequest, { traceparent }: RequestTrace): HttpRequest {
  return { ...request, headers: [['traceparent', traceparent], ...request.headers] };
}
