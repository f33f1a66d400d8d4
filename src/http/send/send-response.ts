// HttpResponse → `node:http`, written whole, or as its body comes.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type BodyStream, isStream } from '../../contract/body-stream.ts';
import type { HttpResponse } from '../../contract/http.ts';
import type { DisconnectSignal } from '../limits/connections.ts';
import { cutOff } from './cut-off.ts';
import { encodeHeaderText } from '../receive/header-text.ts';
import type { HttpExchange } from '../limits/pipeline-queue.ts';
import { ResponseSink } from './response-sink.ts';
import { type Sending, SendWait } from './send-wait.ts';

export interface Delivery {
  readonly sending: Sending;
  readonly signal: Pick<DisconnectSignal, 'whenGone'>;
  /** Makes the response to a request whose answer cannot be held for its client. */
  readonly refuseUnsent: () => HttpResponse;
  /** Makes the response to a request whose body has failed before anything of it was sent. */
  readonly refuse: (failure: unknown) => HttpResponse;
  /** Something has thrown, which means a broken invariant; only that response fails. */
  readonly onCrash: (error: unknown) => void;
}

/** After refusing a body: how long the client may go on sending it, so that it gets to read the response. */
const LINGER_MS = 2000;

/** Whatever throws on the way ends this response only. */
export function sendResponse(exchange: HttpExchange, response: HttpResponse, delivery: Delivery): void {
  const { incoming, outgoing } = exchange;
  const { body } = response;
  if (!incoming.complete) outgoing.shouldKeepAlive = false;
  try {
    if (!isStream(body))
      sendWhole(exchange, mayHold(incoming, body, delivery) ? response : delivery.refuseUnsent(), delivery);
    else if (incoming.method !== 'HEAD') createSink(exchange, { ...response, body }, delivery).send();
    else {
      body.cancel();
      sendWhole(exchange, response, delivery);
    }
  } catch (error) {
    delivery.onCrash(error);
    cancelBody(response);
    refuseSafely(exchange, error, delivery);
  }
}

/** Bytes of a body that is sent whatever others hold. */
const SHORT = 65_536;

/** Whether the body may wait for its client. What may have changed something is answered in any case. */
function mayHold({ method }: IncomingMessage, body: Uint8Array | undefined, { sending }: Delivery): boolean {
  return method !== 'GET' || body === undefined || body.length <= SHORT || sending.unsent.hasRoomFor(body.length);
}

/** Of a response that is not sent. */
export function cancelBody({ body }: HttpResponse): void {
  if (isStream(body)) body.cancel();
}

interface StreamedResponse extends HttpResponse {
  readonly body: BodyStream;
}

function createSink(exchange: HttpExchange, response: StreamedResponse, delivery: Delivery): ResponseSink {
  return new ResponseSink(exchange, {
    ...delivery,
    body: response.body,
    writeHead: () => writeHead(exchange.outgoing, response, response.body.byteLength),
    refuse: (failure) => refuseSafely(exchange, failure, delivery),
  });
}

/** Sends an error response; the connection is cut off where even that cannot be done. */
function refuseSafely(exchange: HttpExchange, failure: unknown, delivery: Delivery): void {
  const { outgoing } = exchange;
  try {
    if (!outgoing.headersSent) return sendResponse(exchange, delivery.refuse(failure), { ...delivery, refuse: giveUp });
  } catch (error) {
    delivery.onCrash(error);
  }
  cutOff(exchange, true);
}

function giveUp(failure: unknown): never {
  throw failure;
}

/** Throws, before anything is sent, for an invalid header. */
function sendWhole({ incoming, outgoing }: HttpExchange, response: HttpResponse, delivery: Delivery): void {
  const body = incoming.method === 'HEAD' || isStream(response.body) ? undefined : response.body;
  writeHead(outgoing, response, body?.byteLength);
  const isEmpty = body === undefined || body.byteLength === 0;
  if (!incoming.complete) sendBeforeRest(incoming, outgoing, isEmpty ? undefined : body);
  else if (isEmpty) outgoing.end();
  else outgoing.end(body);
  if (outgoing.writableLength > 0) awaitClient(outgoing, delivery);
}

/** @param length bytes of the body; undefined: there is none, or it is sent in chunks */
function writeHead(
  outgoing: ServerResponse,
  { status, reason, headers }: HttpResponse,
  length: number | undefined,
): void {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, encodeHeaderText(value));
  if (length !== undefined) lines.push('Content-Length', String(length));
  // For a status without a standard phrase, Node would send "unknown".
  outgoing.writeHead(status, encodeHeaderText(reason ?? STATUS_CODES[status] ?? ''), lines);
}

/** Closing a socket with unread bytes resets the connection before the client has read the response: wait a little. */
function sendBeforeRest(incoming: IncomingMessage, outgoing: ServerResponse, body: Uint8Array | undefined): void {
  if (body === undefined) outgoing.flushHeaders();
  else outgoing.write(body);
  const end = (): void => {
    clearTimeout(timer);
    outgoing.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  incoming.once('close', end);
  incoming.resume();
}

/** What the socket buffer did not take waits for the client, which may never read it. */
function awaitClient(outgoing: ServerResponse, { sending, signal }: Delivery): void {
  const wait = new SendWait(outgoing, sending);
  const end = (): void => wait.end();
  outgoing.on('close', end);
  signal.whenGone(end);
  wait.begin();
  // Its time begins with its turn behind earlier responses.
  if (outgoing.socket === null) outgoing.once('socket', () => wait.begin());
}
