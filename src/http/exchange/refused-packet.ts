// Rejects a connection whose bytes Node's parser cannot parse: sends the appropriate error and closes the connection.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from '../../contract/http.ts';
import { PRODUCT } from '../../contract/product.ts';
import { answerSafely, type HttpHandler } from './http-handler.ts';
import { beyondLimit, type CurrentLimits, type LimitName, type ReportedLimit } from '../limits/limits.ts';
import { parseRawRequest, type RawRequest, renderRawResponse } from '../receive/raw-request.ts';
import { isHostWrong } from '../receive/read-head.ts';

/** An error of Node's parser. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

export interface RefusalParts {
  readonly handler: HttpHandler;
  readonly limits: CurrentLimits;
  readonly onLimit: (name: LimitName) => void;
}

export async function answerRefusedPacket(socket: Socket, error: ParserError, parts: RefusalParts): Promise<void> {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const { code = '', rawPacket } = error;
  const limit = LIMITS.get(code);
  const isMethodUnknown = code === 'HPE_INVALID_METHOD' && rawPacket !== undefined;
  const raw = isMethodUnknown ? parseRawRequest(rawPacket) : undefined;
  if (raw !== undefined) await answerRaw(socket, raw, parts.handler);
  else endWith(socket, limit === undefined ? plainResponse(400) : refuseConnection(limit, parts));
}

const LIMITS: ReadonlyMap<string, ReportedLimit> = new Map([
  ['HPE_HEADER_OVERFLOW', 'url-max-length'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'server-headers-timeout'],
]);

function refuseConnection(limit: ReportedLimit, { handler, limits, onLimit }: RefusalParts): HttpResponse {
  onLimit(limit);
  return handler.refuseConnection(beyondLimit(limit, limits.config));
}

/** Answers a request whose method Node does not pass to its request handler. */
export async function answerRaw(socket: Socket, raw: RawRequest, handler: HttpHandler): Promise<void> {
  const client = { address: socket.remoteAddress, httpVersion: raw.httpVersion };
  const isWrong = isHostWrong(raw.request, raw.httpVersion);
  endWith(socket, isWrong ? plainResponse(400) : await answerSafely(handler, raw.request, { client }));
}

/** Returns the response to data that is not a well-formed request. */
export function plainResponse(status: number): HttpResponse {
  return { status, headers: [['Server', `${PRODUCT.token}/${PRODUCT.version}`]], body: new Uint8Array() };
}

function endWith(socket: Socket, response: HttpResponse): void {
  const reason = response.reason ?? STATUS_CODES[response.status] ?? '';
  socket.end(renderRawResponse(response, reason), () => socket.destroy());
}
