// Serves the API inside a `node:http` server of a host application, Express included. The limits of single requests
// apply as in our own server; limits of connections are up to the host.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HostedConnections } from '../limits/connections.ts';
import { parseTarget } from '../receive/read-head.ts';
import type { Service } from '../../service/service.ts';
import { Admission } from '../limits/admission.ts';
import { BodyWatch } from '../limits/body-pace.ts';
import { BODY_TAKEN, checkBasePath, type HandlerOptions, type HandlerParts, mountHandler } from './mounted-handler.ts';
import { hasBody } from '../receive/read-body.ts';
import { createSending } from '../send/send-wait.ts';
import { type Edge, refuseExchange, serveExchange } from '../exchange/serve-exchange.ts';

/** Answers every request. */
export type NodeHandler<Incoming extends IncomingMessage = IncomingMessage> = (
  request: Incoming,
  response: ServerResponse,
) => void;

/** `basePath` defaults to the path under which an Express application has mounted the handler. */
export type NodeHandlerOptions<Incoming extends IncomingMessage = IncomingMessage> = HandlerOptions<Incoming>;

export function createNodeHandler<Incoming extends IncomingMessage>(
  service: Service,
  { options = {}, onLimit, unsent }: HandlerParts<NodeHandlerOptions<Incoming>>,
): NodeHandler<Incoming> {
  checkBasePath(options.basePath ?? '');
  const api = service.serving.requests;
  const limits = service.serving.state;
  const shared: Omit<Edge, 'handler'> = {
    connections: new HostedConnections(),
    pipelines: { release: () => undefined },
    onLimit,
    limits,
    admission: new Admission({
      limits,
      countPermitWaiters: () => service.serving.waitingForPermit,
    }),
    bodies: new BodyWatch(() => limits.config.serverBodyTimeout * 1000),
    sending: createSending(limits, onLimit, (error) => api.onConnectionError(error), unsent),
  };
  return (incoming, outgoing) => {
    const { basePath = readString(incoming, 'baseUrl') ?? '', authenticate } = options;
    // The host is in the header.
    const place = {
      basePath,
      path: readPath(incoming),
      origin: Reflect.get(incoming.socket, 'encrypted') === true ? 'https://' : 'http://',
    };
    const handler = mountHandler(api, incoming, { ...place, authenticate });
    const exchange = { incoming, outgoing, awaitsContinue: false };
    const edge = { ...shared, handler };
    // The body was read before the handler got the request.
    if (hasBody(incoming) && (incoming.readableDidRead || incoming.readableEnded))
      refuseExchange(exchange, BODY_TAKEN, edge);
    else serveExchange(exchange, edge);
  };
}

/**
 * Returns the path below the root of the server: Express removes the mount path from `url` and keeps it in `baseUrl`.
 */
function readPath(incoming: IncomingMessage): string {
  const { url = '/' } = incoming;
  const mount = readString(incoming, 'baseUrl');
  const original = parseTarget(readString(incoming, 'originalUrl') ?? url).path;
  return mount === undefined || mount === original ? original : mount + parseTarget(url).path;
}

function readString(incoming: IncomingMessage, name: 'baseUrl' | 'originalUrl'): string | undefined {
  const value: unknown = Reflect.get(incoming, name);
  return typeof value === 'string' ? value : undefined;
}
