// A request and its client → the response. Afterwards the request is logged, and failures of the database are reported.
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isTokenBare } from '../auth/authenticate.ts';
import { checkHead } from '../check-head.ts';
import { handleRequest, refuseRequest } from '../handle-request.ts';
import type { HandledRequest } from '../observe/handled-request.ts';
import type { Logger } from '../observe/logger.ts';
import { type Client, renderTarget } from '../observe/request-report.ts';
import type { CancelSignal } from '../postgres/cancel.ts';
import type { AppState } from './app-state.ts';

export interface RequestHandlerOptions {
  readonly state: AppState;
  readonly logger: Logger;
  readonly onFailure: (error: ApiError) => void;
  /** The database has answered a request. */
  readonly onServed: () => void;
}

const NO_REQUEST: HttpRequest = { method: '', path: '', rawQuery: '', headers: [], body: new Uint8Array() };

/** Status that proxies log for a client that closed the connection before the response. */
const CLIENT_GONE = 499;

export class RequestHandler {
  readonly #options: RequestHandlerOptions;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  /** @param signal aborts when the client has disconnected */
  async handle(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<HttpResponse> {
    const start = performance.now();
    const handled = await handleRequest(request, this.#options.state.snapshot(signal, request.mount?.basePath));
    this.#report(handled, { request, client, start, isClientGone: signal?.aborted ?? false });
    return handled.response;
  }

  /** @returns the answer to a request that gets it whatever its body is, undefined where the body counts */
  async check(request: HttpRequest, client: Client): Promise<HttpResponse | undefined> {
    const error = await checkHead(request, this.#options.state.snapshot());
    return error && this.refuse(request, client, error);
  }

  /** Answers a request that cannot be handled at all. It says nothing about the database, so it is only logged. */
  refuse(request: HttpRequest, client: Client, error: ApiError): HttpResponse {
    const start = performance.now();
    const handled = refuseRequest(request, error, this.#options.state.snapshot());
    this.#log(handled, { request, client, start, isClientGone: false });
    return handled.response;
  }

  /** Answers a connection whose bytes never became a request. */
  refuseConnection(error: ApiError): HttpResponse {
    return refuseRequest(NO_REQUEST, error, this.#options.state.snapshot()).response;
  }

  #report(handled: HandledRequest, received: ReceivedRequest): void {
    if (handled.kind === 'preflight') return;
    this.#log(handled, received);
    if (received.isClientGone) return;
    if (handled.failure !== undefined) this.#options.onFailure(handled.failure.error);
    else if (handled.script !== undefined) this.#options.onServed();
  }

  #log(handled: HandledRequest, { request, client, start, isClientGone }: ReceivedRequest): void {
    const { logger } = this.#options;
    if (logger.isTeaching && isTokenBare(request.headers))
      logger.observe({ kind: 'tokenBare', method: request.method, target: renderTarget(request) });
    const { role, script, legacyNames } = handled;
    const response = isClientGone ? { status: CLIENT_GONE, body: undefined } : handled.response;
    const failure = isClientGone ? undefined : handled.failure;
    if (logger.concerns(response.status, legacyNames)) {
      const bytes = request.method === 'HEAD' ? undefined : response.body?.byteLength;
      const milliseconds = performance.now() - start;
      const { status } = response;
      logger.report({ request, client, status, bytes, role, failure, script, legacyNames, milliseconds });
    }
  }
}

interface ReceivedRequest {
  readonly request: HttpRequest;
  readonly client: Client;
  /** Milliseconds of the monotonic clock. */
  readonly start: number;
  readonly isClientGone: boolean;
}
