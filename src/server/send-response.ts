// HttpResponse → `node:http`, written whole.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { HttpResponse } from '../contract/http.ts';
import { encodeHeaderText } from './header-text.ts';
import type { Visit } from './turns.ts';

/** Milliseconds after a refused body in which the client may still send it, so that it comes to read the answer. */
const LINGER = 2000;

/** Throws, before anything is sent, for a header that is none. */
export function sendResponse({ incoming, outgoing }: Visit, response: HttpResponse): void {
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
  // Node's own words for a number that has no standard phrase would be "unknown".
  outgoing.writeHead(status, encodeHeaderText(reason ?? STATUS_CODES[status] ?? ''), lines);
  return isSent && body.byteLength > 0 ? body : undefined;
}

/** Closing on bytes that nobody has read would take the answer from the client, so the end comes a little later. */
function sendBeforeRest(incoming: IncomingMessage, outgoing: ServerResponse, body: Uint8Array | undefined): void {
  if (body === undefined) outgoing.flushHeaders();
  else outgoing.write(body);
  const end = (): void => {
    clearTimeout(timer);
    outgoing.end();
  };
  const timer = setTimeout(end, LINGER);
  incoming.once('close', end);
  incoming.resume();
}
