// What an HTTP server asks of the service behind it: the API or the admin endpoints.
import type { BodyReading } from '../../check-head.ts';
import type { HttpRequest, HttpResponse } from '../../contract/http.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Client } from '../../observe/request-report.ts';
import type { CancelSignal } from '../../postgres/connect/cancel.ts';

export interface HttpHandler {
  /** @param signal aborts when the client has disconnected */
  handle(request: HttpRequest, client: Client, signal?: CancelSignal): Promise<HttpResponse>;
  /** @returns how the body is read, or the answer to a request that gets it whatever its body is */
  check(request: HttpRequest, client: Client): Promise<Result<BodyReading, HttpResponse>>;
  /** Answers a request that cannot be handled. */
  refuse(request: HttpRequest, client: Client, error: ApiError): HttpResponse;
  /** Answers a connection whose bytes never became a request. */
  refuseConnection(error: ApiError): HttpResponse;
  /** A handler has thrown, which means a broken invariant; only that request fails. */
  onCrash(error: unknown): void;
  /** A connection failed, usually because of its client. */
  onConnectionError(error: Error): void;
}

/** The handler's answer, or an error response if it throws. */
export async function answerSafely(
  handler: HttpHandler,
  request: HttpRequest,
  { client, signal }: { readonly client: Client; readonly signal?: CancelSignal },
): Promise<HttpResponse> {
  try {
    return await handler.handle(request, client, signal);
  } catch (error) {
    handler.onCrash(error);
    return refuseSafely(handler, request, client);
  }
}

/** The handler's check, or an error response if it throws: nobody waits for it who would catch that. */
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

/** For a request on which the handler itself has failed. */
export function refuseSafely(handler: HttpHandler, request: HttpRequest, client: Client): HttpResponse {
  try {
    return handler.refuse(request, client, { kind: 'undecodableResult', details: 'Internal error' });
  } catch (error) {
    handler.onCrash(error);
    return { status: 500, headers: [], body: new Uint8Array() };
  }
}
