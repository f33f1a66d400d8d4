// `node:http` on one side, plain records on the other: what its events mean, and the limits that it keeps by itself.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Admission } from './admission.ts';
import { Arrivals } from './arrivals.ts';
import { BodyWatch } from './body-pace.ts';
import { Connections } from './connections.ts';
import type { HttpHandler } from './http-handler.ts';
import { type HttpLimits, type LimitName, maxHeadSize } from './limits.ts';
import { readHead } from './read-head.ts';
import { answerRaw, answerRefusedPacket, type ParserError } from './refused-packet.ts';
import { type Edge, serveVisit } from './serve-visit.ts';
import { Turns } from './turns.ts';

export interface HttpServerOptions {
  /** Some may change while the server runs, the fixed ones among the options don't. */
  readonly limits: () => HttpLimits;
  /** Somebody was refused or disconnected beyond a limit. */
  readonly onLimit: (name: LimitName) => void;
}

export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
}

/** Milliseconds from one look at the heads on their way to the next. */
const HEADS_INTERVAL = 1000;

export function createHttpServer(handler: HttpHandler, { limits, onLimit }: HttpServerOptions): HttpServer {
  const server = createLimitedServer(limits());
  server.on('drop', () => onLimit('server-max-connections'));
  // Whatever becomes of a connection, and whoever else has left it: it must not end the process.
  server.on('connection', (socket: Socket) => socket.on('error', ignore));
  const arrivals = new Arrivals((visit) => void serveVisit(visit, edge));
  const turns = new Turns(server, {
    begin: (visit) => arrivals.arrive(visit),
    limit: () => limits().serverMaxConnectionRequests,
    onOverflow: () => onLimit('server-max-connection-requests'),
  });
  const edge: Edge = {
    handler,
    limits,
    onLimit,
    connections: new Connections(server),
    turns,
    admission: new Admission(limits),
    bodies: new BodyWatch(() => limits().serverBodyTimeout * 1000),
  };
  listenToRequests(server, edge);
  listenToTrouble(server, edge);
  return { server, connections: edge.connections };
}

function createLimitedServer(limits: HttpLimits): Server {
  const server = createServer({
    maxHeaderSize: maxHeadSize(limits),
    noDelay: true,
    keepAliveTimeout: limits.serverKeepAliveTimeout * 1000,
    headersTimeout: limits.serverHeadersTimeout * 1000,
    connectionsCheckingInterval: HEADS_INTERVAL,
    // What a body may take is decided where it is read.
    requestTimeout: 0,
    // Node's own answers lack the `Server` header (`operations.md` §10.6): hosts and expectations are judged here.
    requireHostHeader: false,
  });
  server.maxConnections = limits.serverMaxConnections;
  // Node drops what is beyond: one more shows that there are too many.
  server.maxHeadersCount = limits.serverMaxHeaders + 1;
  return server;
}

function listenToRequests(server: Server, { turns, handler, connections }: Edge): void {
  server.on('request', (incoming, outgoing) => turns.arrive({ incoming, outgoing, awaitsContinue: false }));
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    turns.arrive({ incoming, outgoing, awaitsContinue: true }),
  );
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    turns.arrive({ incoming, outgoing, awaitsContinue: false }),
  );
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    if (connections.isServing(socket)) return void socket.destroy();
    void answerRaw(socket, { request: readHead(incoming), httpVersion: incoming.httpVersion }, handler);
  });
}

function listenToTrouble(server: Server, edge: Edge): void {
  const { handler, connections, limits, onLimit } = edge;
  server.on('clientError', (error: ParserError, socket: Socket) => {
    handler.onConnectionError(error);
    // Bytes behind a request that was to be the last one: it is answered all the same.
    if (error.code === 'HPE_CLOSED_CONNECTION' && connections.isServing(socket)) return;
    // An answer to an earlier request may be on its way.
    if (connections.isServing(socket)) socket.destroy();
    else void answerRefusedPacket(socket, error, edge);
  });
  server.on('timeout', (socket: Socket) => {
    const isUnread = socket.writableLength > 0;
    // A statement takes the time it takes.
    if (!isUnread && connections.isServing(socket)) return;
    if (isUnread) {
      onLimit('server-send-timeout');
      handler.onConnectionError(new Error(`nothing of an answer was taken for ${limits().serverSendTimeout} s`));
    }
    socket.destroy();
  });
}

function ignore(): void {}
