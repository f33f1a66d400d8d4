// Ways to wait: between the slices of a computation, with a timeout, until a signal aborts, before a retry.
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { REQUEST_CANCELLED } from '../../postgres/connect/cancel.ts';

/** Time that a computation may block the event loop. */
const MIN_WORK_MS = 0.5;

const DONE: Promise<void> = Promise.resolve();

/**
 * Long computations call a pause after each slice. The pause yields to the event loop only after a minimum time, since
 * yielding costs more than most slices. Of several paused computations, one continues per turn of the event loop, so
 * that ten of them delay requests no longer than one.
 *
 * @param clock milliseconds of a monotonic clock
 */
export function createPause(clock: () => number = () => performance.now()): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let start = clock();
  const resumeNext = (): void => {
    start = clock();
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(resumeNext);
  };
  return () => {
    if (clock() - start < MIN_WORK_MS) return DONE;
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(resumeNext);
    });
  };
}

/** Resolves with the promise, or after the timeout in milliseconds. Does not keep the process alive. */
export async function waitAtMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, deadline]);
  clearTimeout(timer);
}

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

/** Returns the seconds to wait before the n-th retry (from 0): 1, 2, 4 … 32, 32 (`operating.md` §6.5). */
export function retryDelay(attempt: number): number {
  return 2 ** Math.min(attempt, 5);
}
