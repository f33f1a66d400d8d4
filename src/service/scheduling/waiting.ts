// Ways to wait: between the slices of a computation, with a timeout, before a retry.

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

/** Returns the seconds to wait before the n-th retry (from 0): 1, 2, 4 … 32, 32 (`operating.md` §6.5). */
export function retryDelay(attempt: number): number {
  return 2 ** Math.min(attempt, 5);
}
