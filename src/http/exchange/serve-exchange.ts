// Serves one request and sends its response. Checks every limit before the work that it limits.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest, HttpResponse } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { isApiError } from '../../errors/error-catalog.ts';
import type { Client } from '../../observe/request-report.ts';
import type { Admit } from '../../serve/extension.ts';
import type { Admission } from '../limits/admission.ts';
import type { IncomingBody } from '../receive/arriving-body.ts';
import type { BodyWatch } from '../limits/body-pace.ts';
import type { DisconnectSignal, Connections } from '../limits/connections.ts';
import { admitSafely, checkSafely, type HttpHandler, refuseSafely } from './http-handler.ts';
import {
  beyondLimit,
  bodyTooLarge,
  type CurrentLimits,
  maxBodySize,
  type LimitName,
  type ReportedLimit,
} from '../limits/limits.ts';
import { type BodyRead, hasBody, readBody, takeReceived } from '../receive/read-body.ts';
import { isHostWrong, readHead } from '../receive/read-head.ts';
import { plainResponse } from './refused-packet.ts';
import { type ResponseSender, sendResponse } from '../send/send-response.ts';
import type { Sending } from '../send/send-wait.ts';
import type { PipelineQueue, HttpExchange } from '../limits/pipeline-queue.ts';

export interface Edge {
  readonly handler: HttpHandler;
  readonly limits: CurrentLimits;
  readonly onLimit: (name: LimitName) => void;
  readonly connections: Pick<Connections, 'begin' | 'finish' | 'isLastResponse' | 'close'>;
  readonly pipelines: Pick<PipelineQueue, 'release'>;
  readonly admission: Admission;
  readonly bodies: BodyWatch;
  readonly sending: Sending;
}

/** Its callbacks run when Node's parser has processed the packet that contains the head. */
const PARSED = Promise.resolve();

export function serveExchange(exchange: HttpExchange, edge: Edge): void {
  const call = beginCall(exchange, edge);
  if (call === undefined) return;
  const refusal = call.findRefusal();
  if (refusal === undefined) void call.answer();
  // A request without a body would still look incomplete, and its connection would be closed.
  else void PARSED.then(() => call.send(refusal));
}

/** Rejects a request without handling it. */
export function refuseExchange(exchange: HttpExchange, error: ApiError, edge: Edge): void {
  const call = beginCall(exchange, edge);
  call?.send(edge.handler.refuse(call.request, call.client, error));
}

/** @returns undefined if the request must not run */
function beginCall(exchange: HttpExchange, edge: Edge): Call | undefined {
  const signal = edge.connections.begin(exchange.incoming);
  return signal && new Call(exchange, signal, edge);
}

/** One request on its way through the limits to the handler, and its response on the way back. */
class Call implements ResponseSender {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly awaitsContinue: boolean;
  readonly signal: DisconnectSignal;
  readonly client: Client;
  /** Without its body until that has been received. */
  request: HttpRequest;
  readonly #edge: Edge;
  #arriving: IncomingBody | undefined;

  constructor({ incoming, outgoing, awaitsContinue }: HttpExchange, signal: DisconnectSignal, edge: Edge) {
    const { socket } = incoming;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.awaitsContinue = awaitsContinue;
    this.signal = signal;
    this.client = { address: socket.remoteAddress, httpVersion: incoming.httpVersion };
    this.request = readHead(incoming, signal.connection);
    this.#edge = edge;
    outgoing.on('close', () => {
      edge.connections.finish(socket, signal);
      edge.pipelines.release(socket);
    });
  }

  get sending(): Sending {
    return this.#edge.sending;
  }

  /** Checks the limits that depend neither on the body nor on the quota of the client. */
  findRefusal(): HttpResponse | undefined {
    const { request, client } = this;
    const { admission, limits, sending } = this.#edge;
    if (request.headers.length > limits.config.serverMaxHeaders)
      return this.#close(this.#refuseBeyond('server-max-headers'));
    if (isHostWrong(request, client.httpVersion)) return this.#close(plainResponse(400));
    const overload = admission.check();
    if (overload !== undefined) return this.#refuseBeyond(overload);
    return request.method !== 'GET' && sending.unsent.isFull ? this.refuseUnsent() : undefined;
  }

  /** Awaits everything in one function, because each further one costs every request two promises. */
  async answer(): Promise<void> {
    const { handler, admission } = this.#edge;
    if (handler.admit !== undefined && !(await this.#admit(handler.admit))) return;
    if (hasBody(this.incoming)) {
      // Most bodies arrive in the same packet.
      await PARSED;
      if (!this.#takeReceived() && !(await this.#takeBody())) return;
    }
    const start = admission.enter();
    let response: HttpResponse;
    try {
      response = await handler.handle(this.request, this.client, this.signal);
    } catch (error) {
      response = this.#refuseCrashed(error);
    } finally {
      if (this.#arriving !== undefined) {
        this.#arriving.release();
        if (this.#arriving.isTooSlow) this.#edge.onLimit('server-body-timeout');
      }
      admission.leave(start);
    }
    this.send(response);
  }

  send(response: HttpResponse): void {
    const { incoming, outgoing, signal } = this;
    if (this.#edge.connections.isLastResponse(incoming.socket, signal)) outgoing.shouldKeepAlive = false;
    // The rest of its body is discarded, and the connection is closed.
    if (!incoming.complete) this.#close(response);
    sendResponse(this, response);
  }

  refuseUnsent(): HttpResponse {
    return this.#refuseBeyond('unsent-bytes');
  }

  refuse(failure: unknown): HttpResponse {
    const { handler } = this.#edge;
    return isApiError(failure)
      ? handler.refuse(this.request, this.client, failure)
      : refuseSafely(handler, this.request, this.client);
  }

  onCrash(error: unknown): void {
    this.#edge.handler.onCrash(error);
  }

  /** @returns whether the request may run; otherwise it has been answered, or its client has left */
  async #admit(admit: Admit): Promise<boolean> {
    const { handler, onLimit } = this.#edge;
    const { request, client, signal } = this;
    const admitted = await admitSafely(admit, handler, request, client);
    if (signal.aborted) return false;
    if (admitted.ok) this.request = admitted.value;
    else {
      onLimit('server-rate-limit');
      this.send(handler.refuse(request, client, admitted.error));
    }
    return admitted.ok;
  }

  /** @returns whether the body has already arrived and is short enough to be read unchecked */
  #takeReceived(): boolean {
    const { serverMaxBodySize: maxSize } = this.#edge.limits.config;
    if (this.awaitsContinue || this.incoming.destroyed) return false;
    const body = takeReceived(this.incoming, { maxSize, isUsed: isBodyRead(this.request.method) });
    if (body !== undefined) this.request = { ...this.request, body };
    return body !== undefined;
  }

  /** @returns whether the request may run; otherwise it has been answered, or its client has left */
  async #takeBody(): Promise<boolean> {
    const body = await this.#readBody();
    if (body.kind === 'aborted') return false;
    const refusal = this.#refuseBody(body);
    if (refusal !== undefined) this.send(refusal);
    return refusal === undefined;
  }

  #readBody(): Promise<BodyRead> {
    const { request, client, outgoing } = this;
    const { handler, limits, bodies, admission } = this.#edge;
    return readBody(this.incoming, {
      maxSize: maxBodySize(request, limits.config),
      mayArrive: handler.mayArrive?.(request) === true,
      check: () => checkSafely(handler, request, client),
      onReadStart: this.awaitsContinue ? () => outgoing.writeContinue() : undefined,
      isUsed: isBodyRead(request.method),
      watch: bodies,
      waits: admission,
    });
  }

  /** Puts the body into the request. */
  #refuseBody(body: Exclude<BodyRead, { kind: 'aborted' }>): HttpResponse | undefined {
    if (body.kind === 'refused') return body.response;
    if (body.kind === 'tooLarge') {
      const { handler, limits, onLimit } = this.#edge;
      onLimit('server-max-body-size');
      return handler.refuse(this.request, this.client, bodyTooLarge(this.request, limits.config));
    }
    if (body.kind === 'tooSlow') return this.#refuseBeyond('server-body-timeout');
    // Many other requests may have arrived while the body was received.
    const overload = this.#edge.admission.check();
    if (overload !== undefined) {
      if (body.kind === 'arriving') body.body.release();
      return this.#refuseBeyond(overload);
    }
    if (body.kind === 'arriving') this.#arriving = body.body;
    this.request =
      body.kind === 'arriving' ? { ...this.request, arriving: body.body } : { ...this.request, body: body.bytes };
    return undefined;
  }

  #refuseCrashed(error: unknown): HttpResponse {
    const { handler } = this.#edge;
    handler.onCrash(error);
    return refuseSafely(handler, this.request, this.client);
  }

  #refuseBeyond(name: ReportedLimit): HttpResponse {
    const { handler, limits, onLimit } = this.#edge;
    onLimit(name);
    return handler.refuse(this.request, this.client, beyondLimit(name, limits.config));
  }

  /** Reads no further request from the connection. */
  #close(response: HttpResponse): HttpResponse {
    this.#edge.connections.close(this.incoming.socket);
    this.outgoing.shouldKeepAlive = false;
    return response;
  }
}

/** Whether the body of a request with this method is used. */
function isBodyRead(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && method !== 'DELETE';
}
