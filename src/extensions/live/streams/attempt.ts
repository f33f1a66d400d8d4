// Turns exceptions in the background tasks of streams into errors. No caller would catch them, and the clients of the
// task would wait forever.
import { fail, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { describeCrash } from '../../../observe/describe-crash.ts';
import type { Observe } from '../../../observe/observation.ts';

/** Logs an exception, which indicates a bug. @returns the error for the clients of the task */
export function noteCrash(error: unknown, observe: Observe): ApiError {
  observe({ kind: 'handlerCrashed', reason: describeCrash(error) });
  return { kind: 'undecodableResult', details: 'Internal error' };
}

/** Runs the task. An exception becomes an error. */
export async function attempt<T>(
  task: () => Promise<Result<T, ApiError>>,
  observe: Observe,
): Promise<Result<T, ApiError>> {
  try {
    return await task();
  } catch (error) {
    return fail(noteCrash(error, observe));
  }
}
