// Routes of one command, such as `rowhouse dev`, which are answered before the API.
import type { HttpRequest, HttpResponse } from '../../contract/http.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Client } from '../../observe/request-report.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { HttpHandler } from './http-handler.ts';

export interface ExtraRoute {
  /** Requests that are not admitted pass through to the API unchanged. */
  admits(request: HttpRequest, client: Client): boolean;
  /** Errors are rendered and logged like those of the API. */
  answer(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<Result<HttpResponse, ApiError>>;
}

/** The body of a request to a route is always buffered, up to the limit for all bodies. */
export function addRoutes(api: HttpHandler, routes: readonly ExtraRoute[]): HttpHandler {
  if (routes.length === 0) return api;
  const find = (request: HttpRequest, client: Client): ExtraRoute | undefined =>
    routes.find((route) => route.admits(request, client));
  return {
    get admit() {
      return api.admit;
    },
    get mayArrive() {
      return api.mayArrive;
    },
    refuse: (request, client, error) => api.refuse(request, client, error),
    refuseConnection: (error) => api.refuseConnection(error),
    onCrash: (error) => api.onCrash(error),
    onConnectionError: (error) => api.onConnectionError(error),
    async handle(request, client, signal) {
      const route = find(request, client);
      if (route === undefined) return api.handle(request, client, signal);
      const answer = await route.answer(request, client, signal);
      return answer.ok ? answer.value : api.refuse(request, client, answer.error);
    },
    async check(request, client) {
      return find(request, client) === undefined ? api.check(request, client) : ok({ arrivesAbove: undefined });
    },
  };
}
