// Runs the HTTP server with a handler that the test supplies, and with limits low enough for tests.
import { enableExtensions } from '../../src/contract/extensions.ts';
import { once } from 'node:events';
import { ok } from '../../src/contract/result.ts';
import type { HttpHandler } from '../../src/http/exchange/http-handler.ts';
import type { HttpLimits, LimitName } from '../../src/http/limits/limits.ts';
import { createHttpServer, type HttpServer } from '../../src/http/exchange/node-http.ts';
import { UnsentBytes } from '../../src/http/limits/unsent-bytes.ts';
import { listen } from './listen.ts';
import { use } from './use.ts';

export interface HandlerServer {
  readonly http: HttpServer;
  readonly port: number;
  readonly crashes: readonly unknown[];
  /** Limits that requests or connections exceeded, in order. */
  readonly exceeded: readonly LimitName[];
  readonly unsent: UnsentBytes;
  close(): Promise<void>;
}

export const LIMITS: HttpLimits = {
  dbPool: 10,
  extensions: enableExtensions([]),
  mcpPath: undefined,
  serverBodyTimeout: 60,
  serverHeadersTimeout: 60,
  serverKeepAliveTimeout: 75,
  serverMaxBodySize: 1_000_000,
  serverMaxConnectionRequests: 1,
  serverMaxConnections: 10_000,
  serverMaxHeaders: 200,
  serverMaxRequests: 1000,
  serverMaxWait: 1,
  serverSendTimeout: 60,
  urlMaxLength: 1000,
};

/** Starts servers that are closed after the test. */
export function useHandlerServers(): typeof startHandlerServer {
  return (...settings) => use(startHandlerServer(...settings));
}

export async function startHandlerServer(
  handler: Partial<HttpHandler> = {},
  limits: Partial<HttpLimits> = {},
  maxUnsentBytes = 1_000_000,
): Promise<HandlerServer> {
  const crashes: unknown[] = [];
  const exceeded: LimitName[] = [];
  const unsent = new UnsentBytes(maxUnsentBytes);
  const http = createHttpServer(
    {
      handle: () => Promise.resolve({ status: 200, headers: [], body: new Uint8Array() }),
      check: () => Promise.resolve(ok({ arrivesAbove: undefined })),
      refuse: (_request, _client, error) => describe(error),
      refuseConnection: (error) => describe(error),
      onCrash: (error) => crashes.push(error),
      onConnectionError: () => {},
      ...handler,
    },
    {
      limits: { config: { ...LIMITS, ...limits } },
      onLimit: (name) => exceeded.push(name),
      countPermitWaiters: () => 0,
      unsent,
    },
  );
  const { server } = http;
  const port = await listen(server);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { http, port, crashes, exceeded, unsent, close };
}

/** Renders the status of a limit error, or 503, with the error itself as the JSON body. */
function describe(error: Parameters<HttpHandler['refuseConnection']>[0]): ReturnType<HttpHandler['refuseConnection']> {
  const status = error.kind === 'limitExceeded' ? error.status : 503;
  return { status, headers: [], body: Buffer.from(JSON.stringify(error)) };
}
