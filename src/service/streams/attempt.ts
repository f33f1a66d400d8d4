// Turns exceptions in the background tasks of streams into errors. Nobody else would catch them: the clients of the task
// would wait for ever.
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { describeCrash } from '../../observe/describe-crash.ts';
import type { Observe } from '../../observe/observation.ts';

/** Logs an exception, which indicates a bug. @returns the error that its clients get */
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
