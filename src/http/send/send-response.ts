// Sends a response to `node:http`, whole or streamed.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type BodyStream, isStream } from '../../contract/body-stream.ts';
import type { HttpResponse } from '../../contract/http.ts';
import type { DisconnectSignal } from '../limits/connections.ts';
import { cutOff } from './cut-off.ts';
import type { HttpExchange } from '../limits/pipeline-queue.ts';
import { encodeHeaderText, NOT_ASCII } from '../receive/read-head.ts';
import { ResponseSink } from './response-sink.ts';
import { type Sending, SendWait } from './send-wait.ts';

/** An exchange whose response is sent. */
export interface ResponseSender extends HttpExchange {
  readonly sending: Sending;
  readonly signal: Pick<DisconnectSignal, 'onDisconnect'>;
  /** Returns the response to send if the actual one exceeds the limit of unsent bytes. */
  refuseUnsent(): HttpResponse;
  /** Returns the response to send if the body fails before anything has been sent. */
  refuse(failure: unknown): HttpResponse;
  /** Called with an exception, which indicates a bug; only that response fails. */
  onCrash(error: unknown): void;
}

/** After rejecting a body: how long the client may go on sending it, so that it can read the response. */
const LINGER_MS = 2000;

/** Node sends a string together with the head, which costs less than two buffers; longer ones would be copied once more. */
const SHORT_BYTES = 8192;

/** Sends the response. Exceptions end this response only. */
export function sendResponse(sender: ResponseSender, response: HttpResponse): void {
  try {
    send(sender, response);
  } catch (error) {
    sender.onCrash(error);
    cancelBody(response);
    sendRefusal(sender, error);
  }
}

/** Throws for an invalid header, before anything is sent. */
function send(sender: ResponseSender, response: HttpResponse): void {
  const { incoming, outgoing } = sender;
  const { body } = response;
  if (!incoming.complete) outgoing.shouldKeepAlive = false;
  if (!isStream(body)) sendWhole(sender, mayWait(sender, body) ? response : sender.refuseUnsent());
  else if (incoming.method !== 'HEAD') createSink(sender, response, body).send();
  else {
    body.cancel();
    sendWhole(sender, response);
  }
}

/** Bodies up to this many bytes are always sent. */
const ALWAYS_SENT_BYTES = 65_536;

/** Whether the body may wait for its client. The result of a write is always sent. */
function mayWait({ incoming, sending }: ResponseSender, body: Uint8Array | undefined): boolean {
  const isAlwaysSent = body === undefined || body.length <= ALWAYS_SENT_BYTES || incoming.method !== 'GET';
  return isAlwaysSent || sending.unsent.hasRoomFor(body.length);
}

/** Cancels the body of a response that is not sent. */
export function cancelBody({ body }: HttpResponse): void {
  if (isStream(body)) body.cancel();
}

function createSink(sender: ResponseSender, response: HttpResponse, body: BodyStream): ResponseSink {
  const { outgoing, sending, signal } = sender;
  return new ResponseSink(sender, {
    body,
    sending,
    signal,
    onCrash: (error) => sender.onCrash(error),
    writeHead: () => writeHead(outgoing, response, body.byteLength),
    refuse: (failure) => sendRefusal(sender, failure),
  });
}

/** Sends an error response; cuts off the connection if even that fails. */
function sendRefusal(sender: ResponseSender, failure: unknown): void {
  try {
    if (!sender.outgoing.headersSent) return send(sender, sender.refuse(failure));
  } catch (error) {
    sender.onCrash(error);
  }
  cutOff(sender, true);
}

function sendWhole(sender: ResponseSender, response: HttpResponse): void {
  const { incoming, outgoing } = sender;
  const body = incoming.method === 'HEAD' || isStream(response.body) ? undefined : response.body;
  writeHead(outgoing, response, body?.byteLength);
  const isEmpty = body === undefined || body.byteLength === 0;
  if (!incoming.complete) sendBeforeRest(incoming, outgoing, isEmpty ? undefined : body);
  else if (isEmpty) outgoing.end();
  else if (body.byteLength > SHORT_BYTES) outgoing.end(body);
  // Each byte becomes the character of the same number.
  else outgoing.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1');
  if (outgoing.writableLength > 0) awaitClient(sender);
}

/** @param length of the body in bytes; undefined if there is none or if it is sent in chunks */
function writeHead(
  outgoing: ServerResponse,
  { status, reason, headers }: HttpResponse,
  length: number | undefined,
): void {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, NOT_ASCII.test(value) ? encodeHeaderText(value) : value);
  if (length !== undefined) lines.push('Content-Length', String(length));
  // For a status without a standard phrase, Node would send "unknown".
  const phrase = reason === undefined ? (STATUS_CODES[status] ?? '') : encodeHeaderText(reason);
  outgoing.writeHead(status, phrase, lines);
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
function awaitClient({ outgoing, sending, signal }: ResponseSender): void {
  const wait = new SendWait(outgoing, sending);
  const end = (): void => wait.end();
  outgoing.on('close', end);
  signal.onDisconnect(end);
  wait.begin();
  // Its time starts when earlier responses have been sent.
  if (outgoing.socket === null) outgoing.once('socket', () => wait.begin());
}
