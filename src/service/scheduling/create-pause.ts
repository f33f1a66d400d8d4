// Long computations call a pause after each slice. The pause yields to the event loop only after a minimum time, since
// yielding costs more than most slices. Of several paused computations, one continues per turn of the event loop, so
// that ten of them delay requests no longer than one.

/** Time that a computation may block the event loop. */
const MIN_WORK_MS = 0.5;

const DONE: Promise<void> = Promise.resolve();

/** @param clock milliseconds of a monotonic clock */
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
