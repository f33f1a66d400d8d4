// HttpResponse → `node:http`, written whole, or as its body comes.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { isStream } from '../contract/body-stream.ts';
import type { HttpResponse } from '../contract/http.ts';
import { encodeHeaderText } from './header-text.ts';
import type { HttpExchange } from './pipeline-queue.ts';
import { collectStream, sendStream } from './send-stream.ts';

/** After refusing a body: how long the client may go on sending it, so that it gets to read the response. */
const LINGER_MS = 2000;

/**
 * Throws, before anything is sent, for an invalid header.
 *
 * @param sendTimeout seconds in which a client takes something of a body that is sent while it comes
 */
export function sendResponse({ incoming, outgoing }: HttpExchange, response: HttpResponse, sendTimeout: number): void {
  const { body: source } = response;
  // Without chunks or a length, nothing would tell a part of it from the whole.
  if (isStream(source) && source.byteLength === undefined && incoming.httpVersion === '1.0')
    return collectStream(outgoing, source, (bytes) =>
      sendResponse({ incoming, outgoing, awaitsContinue: false }, { ...response, body: bytes }, sendTimeout),
    );
  const isUnread = !incoming.complete;
  if (isUnread) outgoing.shouldKeepAlive = false;
  const body = sendHead(outgoing, response, incoming.method);
  if (isStream(body)) sendStream(outgoing, body, sendTimeout * 1000);
  else if (isUnread) sendBeforeRest(incoming, outgoing, body);
  else if (body === undefined) outgoing.end();
  else outgoing.end(body);
}

/** Of a response that is not sent. */
export function cancelBody({ body }: HttpResponse): void {
  if (isStream(body)) body.cancel();
}

/** @returns the body that is to follow */
function sendHead(
  outgoing: ServerResponse,
  { status, reason, headers, body }: HttpResponse,
  method: string | undefined,
): HttpResponse['body'] {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, encodeHeaderText(value));
  const isSent = body !== undefined && method !== 'HEAD';
  const length = isSent ? body.byteLength : undefined;
  // Of unknown length, it is sent in chunks.
  if (length !== undefined) lines.push('Content-Length', String(length));
  // For a status without a standard phrase, Node would send "unknown".
  outgoing.writeHead(status, encodeHeaderText(reason ?? STATUS_CODES[status] ?? ''), lines);
  return isSent && length !== 0 ? body : undefined;
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
