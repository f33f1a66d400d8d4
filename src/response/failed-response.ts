// Builds the response to a failure: usually only the error, sometimes with headers computed before the failure.
import { isBodiless, type HeaderList, type HttpResponse } from '../contract/http.ts';
import { fail, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { renderError, type ErrorContext } from '../errors/render-error.ts';
import { overrideHeaders } from './setting-headers.ts';

export interface FailedResponse {
  readonly error: ApiError;
  /** Sent in addition to the headers of the error. */
  readonly headers: HeaderList;
  /** Replaces the status of the error. */
  readonly status: number | undefined;
}

export function plainFailure(error: ApiError): FailedResponse {
  return { error, headers: [], status: undefined };
}

export function refuse(error: ApiError): Result<never, FailedResponse> {
  return fail(plainFailure(error));
}

export function buildFailedResponse(failure: FailedResponse, context: ErrorContext): HttpResponse {
  const response = renderError(failure.error, context);
  const status = failure.status ?? response.status;
  return {
    ...response,
    status,
    headers: overrideHeaders(response.headers, failure.headers),
    body: isBodiless(status) ? undefined : response.body,
  };
}
