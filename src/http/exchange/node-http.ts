// Serves HTTP with `node:http`: translates its events to exchanges and sets the limits that Node enforces itself.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Admission } from '../limits/admission.ts';
import { BodyWatch } from '../limits/body-pace.ts';
import { Connections } from '../limits/connections.ts';
import type { HttpHandler } from './http-handler.ts';
import { type CurrentLimits, type HttpLimits, type LimitName, maxHeadSize } from '../limits/limits.ts';
import { readHead } from '../receive/read-head.ts';
import { answerRaw, answerRefusedPacket, type ParserError } from './refused-packet.ts';
import { createSending } from '../send/send-wait.ts';
import { type Edge, serveExchange } from './serve-exchange.ts';
import { PipelineQueue, RequestScheduler } from '../limits/pipeline-queue.ts';
import { UnsentBytes } from '../limits/unsent-bytes.ts';

export interface HttpServerOptions {
  readonly limits: CurrentLimits;
  /** Called when a limit rejects or disconnects a client. */
  readonly onLimit: (name: LimitName) => void;
  /** See `AdmissionGauges`. */
  readonly countPermitWaiters: () => number;
  /** Counts response bytes in sockets. Defaults to a count of this server only. */
  readonly unsent?: UnsentBytes;
}

export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
}

interface ServerEdge extends Edge {
  readonly connections: Connections;
  readonly pipelines: PipelineQueue;
}

/** How often Node checks the timeout of request heads. */
const HEADS_INTERVAL_MS = 1000;

export function createHttpServer(handler: HttpHandler, options: HttpServerOptions): HttpServer {
  const { limits, onLimit, countPermitWaiters, unsent = new UnsentBytes() } = options;
  const server = createLimitedServer(limits.config);
  server.on('drop', () => onLimit('server-max-connections'));
  // Without an error listener, a failing connection would end the process.
  server.on('connection', (socket: Socket) => socket.on('error', ignore));
  const scheduler = new RequestScheduler((exchange) => serveExchange(exchange, edge));
  const pipelines = new PipelineQueue(server, {
    begin: scheduler.schedule,
    limits,
    onOverflow: () => onLimit('server-max-connection-requests'),
  });
  const edge: ServerEdge = {
    handler,
    limits,
    onLimit,
    connections: new Connections(server),
    pipelines,
    admission: new Admission({ limits, countPermitWaiters }),
    bodies: new BodyWatch(() => limits.config.serverBodyTimeout * 1000),
    sending: createSending(limits, onLimit, (error) => handler.onConnectionError(error), unsent),
  };
  listenToRequests(server, edge);
  listenToErrors(server, edge);
  return { server, connections: edge.connections };
}

function createLimitedServer(limits: HttpLimits): Server {
  const server = createServer({
    maxHeaderSize: maxHeadSize(limits),
    noDelay: true,
    keepAliveTimeout: limits.serverKeepAliveTimeout * 1000,
    headersTimeout: limits.serverHeadersTimeout * 1000,
    connectionsCheckingInterval: HEADS_INTERVAL_MS,
    // The timeout of bodies is enforced where they are read.
    requestTimeout: 0,
    // Node's own error responses lack the `Server` header (`operating.md` §10.6), so `Host` and `Expect` are checked
    // here.
    requireHostHeader: false,
  });
  server.maxConnections = limits.serverMaxConnections;
  // Node drops excess headers: one more than the limit shows that there are too many.
  server.maxHeadersCount = limits.serverMaxHeaders + 1;
  return server;
}

function listenToRequests(server: Server, { pipelines, handler, connections }: ServerEdge): void {
  server.on('request', (incoming, outgoing) => pipelines.enqueue({ incoming, outgoing, awaitsContinue: false }));
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    pipelines.enqueue({ incoming, outgoing, awaitsContinue: true }),
  );
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    pipelines.enqueue({ incoming, outgoing, awaitsContinue: false }),
  );
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    if (connections.isServing(socket)) return void socket.destroy();
    void answerRaw(socket, { request: readHead(incoming), httpVersion: incoming.httpVersion }, handler);
  });
}

function listenToErrors(server: Server, edge: ServerEdge): void {
  const { handler, connections, pipelines } = edge;
  server.on('clientError', (error: ParserError, socket: Socket) => {
    handler.onConnectionError(error);
    // Data after a request that announced the end of the connection: the request is still answered.
    if (error.code === 'HPE_CLOSED_CONNECTION' && connections.isServing(socket)) return;
    const refuse = (): void => void answerRefusedPacket(socket, error, edge);
    if (!pipelines.endAfterResponses(socket, refuse)) socket.destroy();
  });
  server.on('timeout', (socket: Socket) => {
    // Running statements and clients that read their response slowly have their own limits.
    if (!connections.isServing(socket)) socket.destroy();
  });
}

function ignore(): void {}
