// Builds the response to a failure: usually only the error, sometimes with headers computed before the failure.
import { isBodiless, type HeaderList, type HttpResponse } from '../contract/http.ts';
import { fail, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { renderError, type ErrorContext, type ErrorPlace } from '../errors/render-error.ts';
import { overrideHeaders } from './setting-headers.ts';

export interface FailedResponse {
  readonly error: ApiError;
  /** Sent in addition to the headers of the error. */
  readonly headers: HeaderList;
  /** Replaces the status of the error. */
  readonly status: number | undefined;
  /** The request of a batch that failed; undefined: none, or the request is not a batch. */
  readonly place?: ErrorPlace | undefined;
}

/** The response, or why there is none. */
export type Answer = Result<HttpResponse, FailedResponse>;

export function plainFailure(error: ApiError): FailedResponse {
  return { error, headers: [], status: undefined };
}

/** Returns a failure that is only an error. */
export function refuse(error: ApiError): Result<never, FailedResponse> {
  return fail(plainFailure(error));
}

export function buildFailedResponse(failure: FailedResponse, context: ErrorContext): HttpResponse {
  const response = renderError(failure.error, context, failure.place);
  const status = failure.status ?? response.status;
  return {
    ...response,
    status,
    headers: overrideHeaders([...response.headers], failure.headers),
    body: isBodiless(status) ? undefined : response.body,
  };
}
