import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { REQUEST_CANCELLED } from '../../postgres/connect/cancel.ts';

/** Resolves with the promise, or with an error as soon as the signal aborts. */
export function unlessAborted<T>(
  promise: Promise<Result<T, ApiError>>,
  signal: CancelSignal | undefined,
): Promise<Result<T, ApiError>> {
  if (signal === undefined) return promise;
  if (signal.aborted) return Promise.resolve(fail(REQUEST_CANCELLED));
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(fail(REQUEST_CANCELLED));
    signal.addEventListener('abort', leave);
    promise.finally(() => signal.removeEventListener('abort', leave)).then(resolve, reject);
  });
}
