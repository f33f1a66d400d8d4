// Serves one request and sends its response. Checks every limit before the work that it limits.
import { isBodyRead } from '../../check-head.ts';
import type { HttpRequest, HttpResponse } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { isApiError } from '../../errors/is-api-error.ts';
import type { Client } from '../../observe/request-report.ts';
import { mayArrive } from '../../request/read-rows.ts';
import type { Admission } from '../limits/admission.ts';
import type { IncomingBody } from '../receive/arriving-body.ts';
import type { BodyWatch } from '../limits/body-pace.ts';
import type { DisconnectSignal, Connections } from '../limits/connections.ts';
import {
  type Admit,
  type Admitted,
  admitSafely,
  answerSafely,
  checkSafely,
  type HttpHandler,
  refuseSafely,
} from './http-handler.ts';
import {
  beyondLimit,
  bodyTooLarge,
  maxBodySize,
  type HttpLimits,
  type LimitName,
  type ReportedLimit,
} from '../limits/limits.ts';
import { type BodyRead, hasBody, readBody } from '../receive/read-body.ts';
import { isHostWrong, readHead } from '../receive/read-head.ts';
import { plainResponse } from './refused-packet.ts';
import { type SendContext, sendResponse } from '../send/send-response.ts';
import type { Sending } from '../send/send-wait.ts';
import type { PipelineQueue, HttpExchange } from '../limits/pipeline-queue.ts';

export interface Edge {
  readonly handler: HttpHandler;
  readonly limits: () => HttpLimits;
  readonly onLimit: (name: LimitName) => void;
  readonly connections: Pick<Connections, 'begin' | 'finish' | 'isLastResponse' | 'close'>;
  readonly pipelines: Pick<PipelineQueue, 'release'>;
  readonly admission: Admission;
  readonly bodies: BodyWatch;
  readonly sending: Sending;
}

interface ClientRequest {
  readonly request: HttpRequest;
  readonly client: Client;
  readonly signal: DisconnectSignal;
}

export async function serveExchange(exchange: HttpExchange, edge: Edge): Promise<void> {
  const clientRequest = begin(exchange, edge);
  if (clientRequest === undefined) return;
  const { incoming, outgoing } = exchange;
  const { socket } = incoming;
  const { connections } = edge;
  const { signal } = clientRequest;
  const response = await answer(exchange, clientRequest, edge);
  if (response === undefined) return;
  if (connections.isLastResponse(socket, signal)) outgoing.shouldKeepAlive = false;
  // The rest of its body is discarded, and the connection is closed.
  if (!incoming.complete) close(exchange, response, edge);
  sendResponse(exchange, response, sendContextOf(clientRequest, edge));
}

/** Rejects a request without handling it. */
export function refuseExchange(exchange: HttpExchange, error: ApiError, edge: Edge): void {
  const clientRequest = begin(exchange, edge);
  if (clientRequest === undefined) return;
  const { request, client } = clientRequest;
  sendResponse(exchange, edge.handler.refuse(request, client, error), sendContextOf(clientRequest, edge));
}

/** @returns undefined if the request must not run */
function begin({ incoming, outgoing }: HttpExchange, { connections, pipelines }: Edge): ClientRequest | undefined {
  const { socket } = incoming;
  const signal = connections.begin(incoming);
  if (signal === undefined) return undefined;
  outgoing.on('close', () => {
    connections.finish(socket, signal);
    pipelines.release(socket);
  });
  const client = { address: socket.remoteAddress, httpVersion: incoming.httpVersion };
  return { request: readHead(incoming), client, signal };
}

function sendContextOf(clientRequest: ClientRequest, edge: Edge): SendContext {
  const { request, client, signal } = clientRequest;
  const { handler, sending } = edge;
  return {
    sending,
    signal,
    refuseUnsent: () => refuse('unsent-bytes', clientRequest, edge),
    refuse: (failure) =>
      isApiError(failure) ? handler.refuse(request, client, failure) : refuseSafely(handler, request, client),
    onCrash: (error) => handler.onCrash(error),
  };
}

type Answer = HttpResponse | undefined;

/** @returns undefined if the client has disconnected */
function answer(exchange: HttpExchange, clientRequest: ClientRequest, edge: Edge): Answer | Promise<Answer> {
  const { request, client } = clientRequest;
  const { handler, admission, limits, sending } = edge;
  if (request.headers.length > limits().serverMaxHeaders)
    return close(exchange, refuse('server-max-headers', clientRequest, edge), edge);
  if (isHostWrong(request, client.httpVersion)) return close(exchange, plainResponse(400), edge);
  const overload = admission.check();
  if (overload !== undefined) return refuse(overload, clientRequest, edge);
  if (request.method !== 'GET' && sending.unsent.isFull) return refuse('unsent-bytes', clientRequest, edge);
  const { admit } = handler;
  if (admit !== undefined) return admitAndAnswer(admit, exchange, { clientRequest, edge });
  return answerAdmitted(exchange, clientRequest, edge);
}

function answerAdmitted(exchange: HttpExchange, clientRequest: ClientRequest, edge: Edge): Answer | Promise<Answer> {
  const { request, client, signal } = clientRequest;
  const { handler, admission } = edge;
  if (!hasBody(exchange.incoming)) return admission.run(() => answerSafely(handler, request, { client, signal }));
  return takeAndAnswer(exchange, clientRequest, edge);
}

function admitAndAnswer(
  admit: Admit,
  exchange: HttpExchange,
  { clientRequest, edge }: { readonly clientRequest: ClientRequest; readonly edge: Edge },
): Answer | Promise<Answer> {
  const { request, client, signal } = clientRequest;
  const { handler, onLimit } = edge;
  const proceed = (admitted: Admitted): Answer | Promise<Answer> => {
    if (signal.aborted) return undefined;
    if (admitted.ok) return answerAdmitted(exchange, { ...clientRequest, request: admitted.value }, edge);
    onLimit('server-rate-limit');
    return handler.refuse(request, client, admitted.error);
  };
  const admitted = admitSafely(admit, { handler, request, client });
  return admitted instanceof Promise ? admitted.then(proceed) : proceed(admitted);
}

async function takeAndAnswer(exchange: HttpExchange, clientRequest: ClientRequest, edge: Edge): Promise<Answer> {
  const body = await takeBody(exchange, clientRequest, edge);
  switch (body.kind) {
    case 'aborted':
      return undefined;
    case 'refused':
      return body.response;
    case 'tooLarge':
      return refuseLarge(clientRequest, edge);
    case 'tooSlow':
      return refuse('server-body-timeout', clientRequest, edge);
    case 'body':
      return answerWhole(body.bytes, clientRequest, edge);
    case 'arriving':
      return answerArriving(body.body, clientRequest, edge);
  }
}

async function answerArriving(body: IncomingBody, clientRequest: ClientRequest, edge: Edge): Promise<HttpResponse> {
  const { request, client, signal } = clientRequest;
  const refusal = refuseLate(clientRequest, edge);
  if (refusal !== undefined) {
    body.release();
    return refusal;
  }
  return edge.admission.run(async () => {
    try {
      return await answerSafely(edge.handler, { ...request, arriving: body }, { client, signal });
    } finally {
      body.release();
      if (body.isTooSlow) edge.onLimit('server-body-timeout');
    }
  });
}

function answerWhole(body: Uint8Array, clientRequest: ClientRequest, edge: Edge): Answer | Promise<Answer> {
  const { request, client, signal } = clientRequest;
  const refusal = refuseLate(clientRequest, edge);
  if (refusal !== undefined) return refusal;
  return edge.admission.run(() => answerSafely(edge.handler, { ...request, body }, { client, signal }));
}

/** Many other requests may have arrived while the body was received. */
function refuseLate(clientRequest: ClientRequest, edge: Edge): HttpResponse | undefined {
  const overload = edge.admission.check();
  return overload === undefined ? undefined : refuse(overload, clientRequest, edge);
}

function takeBody(exchange: HttpExchange, { request, client }: ClientRequest, edge: Edge): Promise<BodyRead> {
  const { outgoing, awaitsContinue } = exchange;
  const limits = edge.limits();
  return readBody(exchange.incoming, {
    maxSize: maxBodySize(request, limits),
    mayArrive: mayArrive(request, limits),
    check: () => checkSafely(edge.handler, request, client),
    onReadStart: awaitsContinue ? () => outgoing.writeContinue() : undefined,
    isUsed: isBodyRead(request.method),
    watch: edge.bodies,
    waits: edge.admission,
  });
}

function refuse(
  name: ReportedLimit,
  { request, client }: ClientRequest,
  { handler, limits, onLimit }: Edge,
): HttpResponse {
  onLimit(name);
  return handler.refuse(request, client, beyondLimit(name, limits()));
}

function refuseLarge({ request, client }: ClientRequest, { handler, limits, onLimit }: Edge): HttpResponse {
  onLimit('server-max-body-size');
  return handler.refuse(request, client, bodyTooLarge(request, limits()));
}

/** Reads no further request from the connection. */
function close({ incoming, outgoing }: HttpExchange, response: HttpResponse, { connections }: Edge): HttpResponse {
  connections.close(incoming.socket);
  outgoing.shouldKeepAlive = false;
  return response;
}
