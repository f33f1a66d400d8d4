// Adapts the API service to the interface of an HTTP server.
import type { HttpHandler } from './http-handler.ts';
import { describeCrash } from '../../observe/describe-crash.ts';
import type { Service } from '../../service/service.ts';

export function createApiHandler({ requests, logger }: Pick<Service, 'requests' | 'logger'>): HttpHandler {
  return {
    get admit() {
      return requests.admit;
    },
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
