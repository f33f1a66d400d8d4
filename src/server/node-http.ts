// `node:http` on one side, plain records on the other. Reads each request whole, writes each response whole.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import { Connections } from './connections.ts';
import { decodeHeaderText, encodeHeaderText } from './header-text.ts';
import { answerSafely, type HttpHandler, refuseSafely } from './http-handler.ts';
import { bodyTooLarge, type BodyRead, hasBody, isDeclaredTooLarge, NO_BODY, readBody } from './read-body.ts';
import { answerRaw, answerRefusedPacket, type ParserError, plainAnswer } from './refused-packet.ts';
import { parseTarget } from './request-target.ts';

export interface HttpServerOptions {
  /** Bytes; may change while the server runs. */
  readonly maxBodySize: () => number;
  /** Characters. */
  readonly maxUrlLength: number;
}

export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
}

/** Bytes of headers beside the URL. */
const HEADER_ROOM = 65_536;
/** Longer than proxies keep idle connections (mostly 60 s), which would else run into one that is being closed. */
const KEEP_ALIVE = 75_000;
/** Milliseconds after a refused body in which the client may still send it, so that it comes to read the answer. */
const LINGER = 5000;

export function createHttpServer(handler: HttpHandler, options: HttpServerOptions): HttpServer {
  const maxHeaderSize = options.maxUrlLength + HEADER_ROOM;
  // Node's own answers lack the `Server` header (`operations.md` §10.6): hosts and expectations are judged here.
  const server = createServer({
    maxHeaderSize,
    noDelay: true,
    keepAliveTimeout: KEEP_ALIVE,
    requireHostHeader: false,
  });
  // What a body may take is decided where it is read.
  server.requestTimeout = 0;
  const connections = new Connections(server);
  const edge: Edge = { handler, options, connections };
  server.on('request', (incoming, outgoing) => void serve(incoming, outgoing, edge));
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!isDeclaredTooLarge(incoming, options.maxBodySize())) outgoing.writeContinue();
    void serve(incoming, outgoing, edge);
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void serve(incoming, outgoing, edge);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    const request = buildRequest(incoming, NO_BODY);
    void answerRaw(socket, { request, httpVersion: incoming.httpVersion }, handler);
  });
  server.on('clientError', (error: ParserError, socket: Socket) => {
    handler.onConnectionError(error);
    // An answer to an earlier request may be on its way.
    if (connections.isServing(socket)) socket.destroy();
    else void answerRefusedPacket(socket, error, handler);
  });
  return { server, connections };
}

interface Edge {
  readonly handler: HttpHandler;
  readonly options: HttpServerOptions;
  readonly connections: Connections;
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, edge: Edge): Promise<void> {
  const { handler, connections } = edge;
  const { socket } = incoming;
  const presence = connections.begin(incoming);
  if (presence === undefined) return;
  outgoing.on('close', () => connections.finish(socket, presence));
  const client = { address: socket.remoteAddress, httpVersion: incoming.httpVersion };
  const maxBodySize = edge.options.maxBodySize();
  const body = hasBody(incoming) ? await readBody(incoming, maxBodySize) : NO_BODY;
  if (body.kind === 'aborted') return;
  if (body.kind === 'tooLarge') discardRest(incoming);
  const request = buildRequest(incoming, body);
  const isHostless = lacksHost(incoming);
  const response = isHostless
    ? plainAnswer(400)
    : body.kind === 'tooLarge'
      ? handler.refuse(request, client, bodyTooLarge(maxBodySize))
      : await answerSafely(handler, request, { client, signal: presence });
  if (connections.endsWith(socket, presence) || isHostless) outgoing.shouldKeepAlive = false;
  if (sendSafely(outgoing, response, { request, handler })) return;
  const isAnswered =
    !outgoing.headersSent && sendSafely(outgoing, refuseSafely(handler, request, client), { request, handler });
  if (!isAnswered) outgoing.destroy();
}

/** @returns whether it is on its way */
function sendSafely(
  outgoing: ServerResponse,
  response: HttpResponse,
  { request, handler }: { readonly request: HttpRequest; readonly handler: HttpHandler },
): boolean {
  try {
    send(outgoing, response, request.method);
    return true;
  } catch (error) {
    handler.onCrash(error);
    return false;
  }
}

/** RFC 9112 §3.2: only HTTP/1.0 can do without. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && headers.host === undefined;
}

/** Unread bytes would be taken for the next request, and closing on them would take the answer from the client. */
function discardRest(incoming: IncomingMessage): void {
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroy(), LINGER);
  incoming.once('close', () => clearTimeout(timer));
}

function buildRequest(incoming: IncomingMessage, body: BodyRead): HttpRequest {
  const raw = incoming.rawHeaders;
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.push([(raw[index] ?? '').toLowerCase(), decodeHeaderText(raw[index + 1] ?? '')]);
  return {
    method: incoming.method ?? 'GET',
    ...parseTarget(incoming.url ?? '/'),
    headers,
    body: body.kind === 'body' ? body.bytes : NO_BODY.bytes,
  };
}

function send(outgoing: ServerResponse, response: HttpResponse, method: string): void {
  const { status, reason, headers, body } = response;
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, encodeHeaderText(value));
  if (body !== undefined && method !== 'HEAD') lines.push('Content-Length', String(body.byteLength));
  // Node's own words for a number that has no standard phrase would be "unknown".
  outgoing.writeHead(status, encodeHeaderText(reason ?? STATUS_CODES[status] ?? ''), lines);
  if (body === undefined || body.byteLength === 0 || method === 'HEAD') outgoing.end();
  else outgoing.end(body);
}
