// HttpResponse → `node:http`, written whole.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { HttpResponse } from '../contract/http.ts';
import { encodeHeaderText } from './header-text.ts';
import type { HttpExchange } from './pipeline-queue.ts';

/** After refusing a body: how long the client may go on sending it, so that it gets to read the response. */
const LINGER_MS = 2000;

/** Throws, before anything is sent, for an invalid header. */
export function sendResponse({ incoming, outgoing }: HttpExchange, response: HttpResponse): void {
  const isUnread = !incoming.complete;
  if (isUnread) outgoing.shouldKeepAlive = false;
  const body = sendHead(outgoing, response, incoming.method);
  if (isUnread) sendBeforeRest(incoming, outgoing, body);
  else if (body === undefined) outgoing.end();
  else outgoing.end(body);
}

/** @returns the body that is to follow */
function sendHead(
  outgoing: ServerResponse,
  { status, reason, headers, body }: HttpResponse,
  method: string | undefined,
): Uint8Array | undefined {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, encodeHeaderText(value));
  const isSent = body !== undefined && method !== 'HEAD';
  if (isSent) lines.push('Content-Length', String(body.byteLength));
  // For a status without a standard phrase, Node would send "unknown".
  outgoing.writeHead(status, encodeHeaderText(reason ?? STATUS_CODES[status] ?? ''), lines);
  return isSent && body.byteLength > 0 ? body : undefined;
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
