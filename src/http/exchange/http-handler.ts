// The interface between an HTTP server and the service behind it: the API or the admin endpoints.
import type { BodyReading } from '../../serve/check-head.ts';
import type { HttpRequest, HttpResponse } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Client } from '../../observe/request-report.ts';
import type { Admit, Admitted } from '../../serve/extension.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';

export interface HttpHandler {
  /** Call it once for each request, before any other work; undefined: all are admitted. */
  readonly admit?: Admit | undefined;
  /** @param signal aborts when the client disconnects */
  handle(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<HttpResponse>;
  /** Whether a body may be longer than what is read whole, because its rows are read while it arrives; undefined: none may. */
  readonly mayArrive?: ((request: HttpRequest) => boolean) | undefined;
  /** @returns how to read the body, or a response that does not depend on the body */
  check(request: HttpRequest, client: Client): Promise<Result<BodyReading, HttpResponse>>;
  /** Rejects a request that cannot be handled. */
  refuse(request: HttpRequest, client: Client, error: ApiError): HttpResponse;
  /** Rejects a connection whose bytes do not form a request. */
  refuseConnection(error: ApiError): HttpResponse;
  /** Called if a handler throws, which indicates a bug; only that request fails. */
  onCrash(error: unknown): void;
  /** Called if a connection fails, usually because of its client. */
  onConnectionError(error: Error): void;
}

/** Returns the handler's response, or an error response if it throws. */
export async function answerSafely(
  handler: HttpHandler,
  request: HttpRequest,
  client: Client,
  signal?: CancelSignal,
): Promise<HttpResponse> {
  try {
    return await handler.handle(request, client, signal);
  } catch (error) {
    handler.onCrash(error);
    return refuseSafely(handler, request, client);
  }
}

/** Admits the request if the handler throws: a bug must not lock clients out. */
export function admitSafely(
  admit: Admit,
  handler: HttpHandler,
  request: HttpRequest,
  client: Client,
): Admitted | Promise<Admitted> {
  const admitAnyway = (error: unknown): Admitted => {
    handler.onCrash(error);
    return ok(request);
  };
  try {
    const admitted = admit(request, client);
    return admitted instanceof Promise ? admitted.catch(admitAnyway) : admitted;
  } catch (error) {
    return admitAnyway(error);
  }
}

/** Returns the handler's check, or an error response if it throws: no caller would catch the exception. */
export async function checkSafely(
  handler: HttpHandler,
  request: HttpRequest,
  client: Client,
): Promise<Result<BodyReading, HttpResponse>> {
  try {
    return await handler.check(request, client);
  } catch (error) {
    handler.onCrash(error);
    return fail(refuseSafely(handler, request, client));
  }
}

/** Returns an error response for a request whose handler has failed. */
export function refuseSafely(handler: HttpHandler, request: HttpRequest, client: Client): HttpResponse {
  try {
    return handler.refuse(request, client, { kind: 'undecodableResult', details: 'Internal error' });
  } catch (error) {
    handler.onCrash(error);
    return { status: 500, headers: [], body: new Uint8Array() };
  }
}
