// Rejects a connection whose bytes Node's parser cannot parse: sends the appropriate error and closes the connection.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderList, HttpRequest, HttpResponse } from '../../contract/http.ts';
import { PRODUCT } from '../../contract/product.ts';
import { answerSafely, type HttpHandler } from './http-handler.ts';
import { beyondLimit, type CurrentLimits, type LimitName, type ReportedLimit } from '../limits/limits.ts';
import { decodeHeaderText, encodeHeaderText, isHostWrong, parseTarget } from '../receive/read-head.ts';

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
  endWith(socket, isWrong ? plainResponse(400) : await answerSafely(handler, raw.request, client));
}

/** Returns the response to data that is not a well-formed request. */
export function plainResponse(status: number): HttpResponse {
  return { status, headers: [['Server', `${PRODUCT.token}/${PRODUCT.version}`]], body: new Uint8Array() };
}

function endWith(socket: Socket, response: HttpResponse): void {
  const reason = response.reason ?? STATUS_CODES[response.status] ?? '';
  socket.end(renderRawResponse(response, reason), () => socket.destroy());
}

interface RawRequest {
  readonly request: HttpRequest;
  /** `1.1` */
  readonly httpVersion: string;
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/(\d\.\d)$/u;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/u;

/**
 * Parses a request that Node's parser rejects: Node knows a fixed list of methods, and a client that uses another one
 * must get a regular response. Returns undefined if the bytes do not contain a complete, well-formed head (RFC 9112
 * §2). Ignores the body.
 */
export function parseRawRequest(packet: Uint8Array): RawRequest | undefined {
  const text = Buffer.from(packet).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [requestLine = '', ...headerLines] = text.slice(0, end).split('\r\n');
  const [, method, target, httpVersion] = REQUEST_LINE.exec(requestLine) ?? [];
  const headers = parseHeaders(headerLines);
  if (method === undefined || target === undefined || httpVersion === undefined || headers === undefined)
    return undefined;
  return { request: { method, ...parseTarget(target), headers, body: new Uint8Array() }, httpVersion };
}

function parseHeaders(lines: readonly string[]): HeaderList | undefined {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers.push([name.toLowerCase(), decodeHeaderText(value)]);
  }
  return headers;
}

/** Renders the whole response, after which the connection ends. */
export function renderRawResponse(response: HttpResponse, reason: string): Buffer {
  const { body = new Uint8Array() } = response;
  if (!(body instanceof Uint8Array)) throw new Error('a method unknown to Node cannot have a streamed response');
  const headers: HeaderList = [
    ...response.headers,
    ['Content-Length', String(body.byteLength)],
    ['Connection', 'close'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${encodeHeaderText(value)}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${response.status} ${reason}\r\n${lines}\r\n`, 'latin1'), body]);
}
