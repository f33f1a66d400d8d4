// Recognizes bodies whose rows are read one by one, perhaps while they arrive.
import type { HttpRequest } from '../contract/http.ts';
import type { Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ApiRequest } from './api-request.ts';
import type { Payload } from './payload/payload.ts';

/** Knows such bodies by their heads. */
export interface RowBodies {
  /** Whether a body may be read while it arrives instead of fitting into memory. `findArrivalSize` decides later. */
  readonly mayArrive: (request: Pick<HttpRequest, 'method' | 'headers'>) => boolean;
  /** @returns size in bytes above which the body is read while it arrives; undefined if it is always read whole */
  findArrivalSize(request: RowRequest, head: ApiRequest): number | undefined;
  /** @returns undefined if the rows are not read one by one */
  findReader(request: RowRequest, head: ApiRequest): ReadRows | undefined;
}

export type RowRequest = Pick<HttpRequest, 'headers' | 'arriving' | 'body'>;

/** @param pause lets other work run */
export type ReadRows = (pause: () => Promise<unknown>) => Promise<Result<Payload, ApiError>>;
