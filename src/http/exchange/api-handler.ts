// The API as an HTTP server sees it.
import type { HttpHandler } from './http-handler.ts';
import type { Service } from '../../service/service.ts';

export function createApiHandler({ requests, logger }: Pick<Service, 'requests' | 'logger'>): HttpHandler {
  return {
    handle: (request, client, signal) => requests.handle(request, client, signal),
    check: (request, client) => requests.check(request, client),
    refuse: (request, client, error) => requests.refuse(request, client, error),
    refuseConnection: (error) => requests.refuseConnection(error),
    onCrash: (error) => logger.observe({ kind: 'handlerCrashed', reason: describeCrash(error) }),
    onConnectionError: (error) => {
      if (logger.isLogged('debug')) logger.observe({ kind: 'connectionFailed', reason: error.message });
    },
  };
}

/** Total: a program that the API is mounted in can throw what is no error, and what has no text. */
export function describeCrash(error: unknown): string {
  try {
    return String(error instanceof Error ? (error.stack ?? error.message) : error);
  } catch {
    return 'Something was thrown that has no text';
  }
}
