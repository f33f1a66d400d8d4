// Handles requests: answers them, logs them and reports database failures.
import { isStream } from '../contract/body-stream.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import { checkSource } from '../auth/check-source.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isSchemeMissing } from '../auth/authenticate.ts';
import { type BodyReading, checkHead } from '../serve/check-head.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { isApiError } from '../errors/error-catalog.ts';
import { handleRequest, refuseRequest } from '../serve/handle-request.ts';
import { RequestMetrics } from '../observe/request-metrics.ts';
import { describeCrash } from '../observe/describe-crash.ts';
import type { RequestTrace, RequestTracing, TracedRequest } from '../observe/request-trace.ts';
import type { Logger } from '../observe/logger.ts';
import { type Client, type Failure, type HandledRequest, renderTarget } from '../observe/request-report.ts';
import type { CancelSignal } from '../contract/cancel-signal.ts';
import type { Planning } from '../prepare/plan-cache.ts';
import type { RowBodies } from '../request/row-bodies.ts';
import type { Admit, CallReply, OwnRoute, OwnRouteCall, ServiceSeams } from '../serve/extension.ts';
import type { RequestContext } from '../serve/request-context.ts';
import type { AppState } from './app-state.ts';
import { WatchedBody } from './watched-body.ts';

export interface RequestHandlerOptions {
  readonly state: AppState;
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
  /** Undefined if all requests are admitted. */
  admit: Admit | undefined;
  /** Whether a body may be read while it arrives; undefined: none may. */
  mayArrive: RowBodies['mayArrive'] | undefined;
  readonly #options: RequestHandlerOptions;
  // Undefined or false where the configuration leaves nothing to do for a request.
  #allowedHosts: readonly string[] | undefined;
  #tracing: RequestTracing | undefined;
  #findRoute: ServiceSeams['findRoute'];
  #ownPath: string | undefined;
  #awaitsKeys = false;

  /** @param seams of the current configuration */
  constructor(options: RequestHandlerOptions, seams: ServiceSeams) {
    this.#options = options;
    this.apply(seams);
  }

  /** Call when the configuration has been replaced. */
  apply({ admit, tracing, keys, findRoute, ownPath }: ServiceSeams): void {
    const { state } = this.#options;
    const { serverAllowedHosts } = state.config;
    this.admit = admit;
    this.mayArrive = state.seams.rowBodies?.mayArrive;
    this.#allowedHosts = serverAllowedHosts.length === 0 ? undefined : serverAllowedHosts;
    this.#tracing = tracing;
    this.#findRoute = findRoute;
    this.#ownPath = ownPath;
    this.#awaitsKeys = keys !== undefined;
  }

  /** @param signal aborts when the client disconnects */
  handle(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<HttpResponse> {
    const refusal = this.#allowedHosts && checkSource(request, this.#allowedHosts);
    return refusal === undefined
      ? this.#handle(this.#receive(request, client, signal))
      : Promise.resolve(this.refuse(request, client, refusal));
  }

  /** Handles a request that an extension makes on behalf of a client. */
  async call(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<CallReply> {
    const received = this.#receive(request, client, signal);
    const response = await this.#handle(received);
    return { response, failure: received.failure };
  }

  /** Replaced with the configuration or the schema cache. */
  get planning(): Planning | undefined {
    return this.#options.state.snapshot().planning;
  }

  #receive(request: HttpRequest, client: Client, signal: CancelSignal | undefined): ReceivedRequest {
    const start = performance.now();
    const context = this.#options.state.snapshot(signal, request);
    const { cache } = context;
    const ownPath = this.#ownPath;
    return { request, client, start, cache, ownPath, context, signal, trace: undefined, failure: undefined };
  }

  async #handle(received: ReceivedRequest): Promise<HttpResponse> {
    const { request, context } = received;
    const keys = this.#awaitsKeys ? this.#options.state.awaitKeys(request) : undefined;
    if (keys !== undefined) await keys;
    if (this.#tracing !== undefined) received.trace = this.#tracing.begin(received);
    let isStreaming = false;
    this.metrics.inFlight += 1;
    try {
      const route = this.#findRoute?.(request);
      const isPlain = received.trace === undefined && route === undefined;
      const handled = await (isPlain ? handleRequest(request, context) : this.#answer(received, route));
      received.failure = handled.failure;
      const { body } = handled.response;
      isStreaming = isStream(body);
      // The request is reported when its body has been sent.
      if (isStream(body))
        return {
          ...handled.response,
          body: new WatchedBody(body, (bytes) => {
            this.metrics.inFlight -= 1;
            const broken = isApiError(body.failure) ? body.failure : undefined;
            this.#report(handled, received, { bytes, broken, isEndless: body.isEndless });
          }),
        };
      this.#report(handled, received, { bytes: body?.byteLength });
      return handled.response;
    } finally {
      if (!isStreaming) this.metrics.inFlight -= 1;
    }
  }

  /** Handles a request that is traced, or that an extension answers. */
  #answer(
    { request, client, context, signal, trace }: ReceivedRequest,
    route: OwnRoute | undefined,
  ): Promise<HandledRequest> {
    const traced = trace === undefined ? context : { ...context, trace, runScript: trace.wrap(context.runScript) };
    if (route === undefined) return handleRequest(request, traced);
    // Requests of extensions belong to the trace of the request that caused them.
    const call: OwnRouteCall['call'] = (own, cancelled) =>
      this.call(
        trace === undefined ? own : { ...own, headers: [['traceparent', trace.traceparent], ...own.headers] },
        client,
        cancelled,
      );
    return route.answer(request, { context: traced, call, signal });
  }

  /** @returns how to read the body, or a response that does not depend on the body */
  async check(request: HttpRequest, client: Client): Promise<Result<BodyReading, HttpResponse>> {
    const { state } = this.#options;
    const refusal = this.#allowedHosts && checkSource(request, this.#allowedHosts);
    if (refusal !== undefined) return fail(this.refuse(request, client, refusal));
    const received = this.#receive(request, client, undefined);
    await state.awaitKeys(request);
    const { context } = received;
    const route = this.#findRoute?.(request);
    if (route !== undefined) {
      const refused = route.check(request, context);
      return refused === undefined ? ok({ arrivesAbove: undefined }) : fail(this.#refuse(received, refused));
    }
    const checked = await checkHead(request, context);
    return checked.ok ? checked : fail(this.refuse(request, client, checked.error));
  }

  /** Rejects a request that cannot be handled. Says nothing about the database, so the error is only logged. */
  refuse(request: HttpRequest, client: Client, error: ApiError): HttpResponse {
    const received = this.#receive(request, client, undefined);
    return this.#refuse(received, refuseRequest(request, error, received.context));
  }

  #refuse(received: ReceivedRequest, handled: HandledRequest): HttpResponse {
    received.trace = this.#tracing?.begin(received);
    this.#log(handled, received, { bytes: handled.response.body?.byteLength });
    return handled.response;
  }

  /** Rejects a connection whose bytes do not form a request. */
  refuseConnection(error: ApiError): HttpResponse {
    return refuseRequest(NO_REQUEST, error, this.#options.state.snapshot()).response;
  }

  onCrash(error: unknown): void {
    this.#options.logger.observe({ kind: 'handlerCrashed', reason: describeCrash(error) });
  }

  onConnectionError(error: Error): void {
    const { logger } = this.#options;
    if (logger.isLogged('debug')) logger.observe({ kind: 'connectionFailed', reason: error.message });
  }

  #report(handled: HandledRequest, received: ReceivedRequest, sent: SentBody): void {
    if (handled.kind === 'preflight') {
      this.#count(received, handled.response.status, undefined);
      return;
    }
    this.#log(handled, received, sent);
    if (isClientGone(received, sent)) return;
    const error = handled.failure?.error ?? sent.broken;
    if (error !== undefined) this.#options.onFailure(error);
    else if (handled.script !== undefined) this.#options.onServed();
  }

  /** @returns the duration of the request in milliseconds */
  #count({ request, start, cache, ownPath, trace }: ReceivedRequest, status: number, code: string | undefined): number {
    const at = performance.now();
    trace?.end(status, code);
    const milliseconds = at - start;
    this.metrics.record({ request, status, milliseconds, at, code, cache, ownPath });
    return milliseconds;
  }

  #log(handled: HandledRequest, received: ReceivedRequest, sent: SentBody): void {
    const { request, client } = received;
    const { logger } = this.#options;
    if (logger.hasHints && isSchemeMissing(request.headers))
      logger.observe({ kind: 'tokenBare', method: request.method, target: renderTarget(request) });
    const { role, script, legacyNames } = handled;
    const isGone = sent.isEndless !== true && isClientGone(received, sent);
    const status = isGone ? CLIENT_GONE : handled.response.status;
    const failure = isGone ? undefined : handled.failure;
    const late = sent.broken && logger.describeError(sent.broken);
    const milliseconds = this.#count(received, status, failure?.code ?? late?.code);
    if (late !== undefined)
      logger.observe({ kind: 'answerBroken', method: request.method, target: renderTarget(request), failure: late });
    if (logger.concerns(status, legacyNames)) {
      const bytes = isGone || request.method === 'HEAD' ? undefined : sent.bytes;
      logger.report({ request, client, status, bytes, role, failure, script, legacyNames, milliseconds });
    }
  }
}

/** `cache` is the schema cache used for the request. */
interface ReceivedRequest extends TracedRequest {
  readonly context: RequestContext;
  /** Aborts when the client disconnects. */
  readonly signal: CancelSignal | undefined;
  trace: RequestTrace | undefined;
  /** Why it failed, if it did. */
  failure: Failure | undefined;
}

interface SentBody {
  /** Bytes of the body that were sent. */
  readonly bytes: number | undefined;
  /** Why the body is incomplete. */
  readonly broken?: ApiError | undefined;
  readonly isEndless?: true | undefined;
}

function isClientGone({ signal }: ReceivedRequest, { broken }: SentBody): boolean {
  return broken === undefined && signal?.aborted === true;
}
