// Routes of one command, such as `rowhouse dev`, which are answered before the API.
import type { HttpRequest, HttpResponse } from '../../contract/http.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Client } from '../../observe/request-report.ts';
import type { HttpHandler } from './http-handler.ts';

export interface ExtraRoute {
  /** Below `/explorer/`, where no table or function has a path. */
  readonly path: string;
  /** Errors are rendered and logged like those of the API. */
  answer(request: HttpRequest, client: Client): Promise<Result<HttpResponse, ApiError>>;
}

/** The body of a request to a route is always buffered, up to the limit for all bodies. */
export function addRoutes(api: HttpHandler, routes: readonly ExtraRoute[]): HttpHandler {
  if (routes.length === 0) return api;
  const byPath = new Map(routes.map((route) => [route.path, route]));
  return {
    ...api,
    async handle(request, client, signal) {
      const route = byPath.get(request.path);
      if (route === undefined) return api.handle(request, client, signal);
      const answer = await route.answer(request, client);
      return answer.ok ? answer.value : api.refuse(request, client, answer.error);
    },
    async check(request, client) {
      return byPath.has(request.path) ? ok({ arrivesAbove: undefined }) : api.check(request, client);
    },
  };
}
