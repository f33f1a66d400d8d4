// An identity provider for tests: publishes keys and a discovery document over HTTP, in any form, and counts requests.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { KeyObject } from 'node:crypto';
import { publicJwk } from '../auth/sign-token.ts';
import { listen } from './listen.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface StubIssuer {
  readonly origin: string;
  /** Number of requests by path. */
  readonly requests: ReadonlyMap<string, number>;
  /** Replaces the answer at a path. */
  on(path: string, handler: Handler): void;
  publish(keys: Readonly<Record<string, KeyObject>>, cacheControl?: string): void;
  stop(): Promise<void>;
}

export async function startIssuer(): Promise<StubIssuer> {
  const handlers = new Map<string, Handler>();
  const requests = new Map<string, number>();
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? '';
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const handler = handlers.get(path);
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  };
  const server = createServer(answer);
  const port = await listen(server);
  const on = (path: string, handler: Handler): unknown => handlers.set(path, handler);
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    on,
    publish: (keys, cacheControl) => on('/keys', sendJson(keySet(keys), cacheControl)),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function keySet(keys: Readonly<Record<string, KeyObject>>): object {
  return { keys: Object.entries(keys).map(([kid, key]) => Object.assign(publicJwk(key), { kid })) };
}

export function sendJson(content: unknown, cacheControl?: string): Handler {
  return (_, response) => {
    if (cacheControl !== undefined) response.setHeader('Cache-Control', cacheControl);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(content));
  };
}
