// Sends a response to `node:http`, whole or streamed.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type BodyStream, isStream } from '../../contract/body-stream.ts';
import type { HttpResponse } from '../../contract/http.ts';
import type { DisconnectSignal } from '../limits/connections.ts';
import { cutOff } from './cut-off.ts';
import { encodeHeaderText } from '../receive/header-text.ts';
import type { HttpExchange } from '../limits/pipeline-queue.ts';
import { ResponseSink } from './response-sink.ts';
import { type Sending, SendWait } from './send-wait.ts';

export interface SendContext {
  readonly sending: Sending;
  readonly signal: Pick<DisconnectSignal, 'onDisconnect'>;
  /** Returns the response to send if the actual one exceeds the limit of unsent bytes. */
  readonly refuseUnsent: () => HttpResponse;
  /** Returns the response to send if the body fails before anything has been sent. */
  readonly refuse: (failure: unknown) => HttpResponse;
  /** Called with an exception, which indicates a bug; only that response fails. */
  readonly onCrash: (error: unknown) => void;
}

/** After rejecting a body: how long the client may go on sending it, so that it can read the response. */
const LINGER_MS = 2000;

/** Sends the response. Exceptions end this response only. */
export function sendResponse(exchange: HttpExchange, response: HttpResponse, context: SendContext): void {
  const { incoming, outgoing } = exchange;
  const { body } = response;
  if (!incoming.complete) outgoing.shouldKeepAlive = false;
  try {
    if (!isStream(body))
      sendWhole(exchange, mayWait(incoming, body, context) ? response : context.refuseUnsent(), context);
    else if (incoming.method !== 'HEAD') createSink(exchange, { ...response, body }, context).send();
    else {
      body.cancel();
      sendWhole(exchange, response, context);
    }
  } catch (error) {
    context.onCrash(error);
    cancelBody(response);
    sendRefusal(exchange, error, context);
  }
}

/** Bodies up to this many bytes are always sent. */
const ALWAYS_SENT_BYTES = 65_536;

/** Whether the body may wait for its client. The result of a write is always sent. */
function mayWait({ method }: IncomingMessage, body: Uint8Array | undefined, { sending }: SendContext): boolean {
  return (
    method !== 'GET' || body === undefined || body.length <= ALWAYS_SENT_BYTES || sending.unsent.hasRoomFor(body.length)
  );
}

/** Cancels the body of a response that is not sent. */
export function cancelBody({ body }: HttpResponse): void {
  if (isStream(body)) body.cancel();
}

interface StreamedResponse extends HttpResponse {
  readonly body: BodyStream;
}

function createSink(exchange: HttpExchange, response: StreamedResponse, context: SendContext): ResponseSink {
  return new ResponseSink(exchange, {
    ...context,
    body: response.body,
    writeHead: () => writeHead(exchange.outgoing, response, response.body.byteLength),
    refuse: (failure) => sendRefusal(exchange, failure, context),
  });
}

/** Sends an error response; cuts off the connection if even that fails. */
function sendRefusal(exchange: HttpExchange, failure: unknown, context: SendContext): void {
  const { outgoing } = exchange;
  try {
    if (!outgoing.headersSent) return sendResponse(exchange, context.refuse(failure), { ...context, refuse: giveUp });
  } catch (error) {
    context.onCrash(error);
  }
  cutOff(exchange, true);
}

function giveUp(failure: unknown): never {
  throw failure;
}

/** Throws for an invalid header, before anything is sent. */
function sendWhole({ incoming, outgoing }: HttpExchange, response: HttpResponse, context: SendContext): void {
  const body = incoming.method === 'HEAD' || isStream(response.body) ? undefined : response.body;
  writeHead(outgoing, response, body?.byteLength);
  const isEmpty = body === undefined || body.byteLength === 0;
  if (!incoming.complete) sendBeforeRest(incoming, outgoing, isEmpty ? undefined : body);
  else if (isEmpty) outgoing.end();
  else outgoing.end(body);
  if (outgoing.writableLength > 0) awaitClient(outgoing, context);
}

/** @param length of the body in bytes; undefined if there is none or if it is sent in chunks */
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

/** Delays the end: closing a socket with unread bytes resets the connection before the client has read the response. */
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

/** Tracks bytes that the socket buffer did not accept: they wait for the client, which may never read them. */
function awaitClient(outgoing: ServerResponse, { sending, signal }: SendContext): void {
  const wait = new SendWait(outgoing, sending);
  const end = (): void => wait.end();
  outgoing.on('close', end);
  signal.onDisconnect(end);
  wait.begin();
  // Its time starts when earlier responses have been sent.
  if (outgoing.socket === null) outgoing.once('socket', () => wait.begin());
}
