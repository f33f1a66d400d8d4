// A connection on which Node's parser gave up: the client gets an answer that fits, and the connection ends.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from '../contract/http.ts';
import { PRODUCT } from '../contract/product.ts';
import { answerSafely, type HttpHandler } from './http-handler.ts';
import { parseRawRequest, type RawRequest, renderRawResponse } from './raw-request.ts';

/** As Node reports it. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

export async function answerRefusedPacket(socket: Socket, error: ParserError, handler: HttpHandler): Promise<void> {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const { code, rawPacket } = error;
  const isMethodUnknown = code === 'HPE_INVALID_METHOD' && rawPacket !== undefined;
  const raw = isMethodUnknown ? parseRawRequest(rawPacket) : undefined;
  if (raw === undefined) endWith(socket, plainAnswer(statusOf(code)));
  else await answerRaw(socket, raw, handler);
}

/** For a request whose method Node does not take to its handler. */
export async function answerRaw(socket: Socket, raw: RawRequest, handler: HttpHandler): Promise<void> {
  const client = { address: socket.remoteAddress, httpVersion: raw.httpVersion };
  endWith(socket, await answerSafely(handler, raw.request, { client }));
}

/** For what is not well-formed enough to be a request. */
export function plainAnswer(status: number): HttpResponse {
  return { status, headers: [['Server', `${PRODUCT.token}/${PRODUCT.version}`]], body: new Uint8Array() };
}

function statusOf(code: string | undefined): number {
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

function endWith(socket: Socket, response: HttpResponse): void {
  const reason = response.reason ?? STATUS_CODES[response.status] ?? '';
  socket.end(renderRawResponse(response, reason), () => socket.destroy());
}
