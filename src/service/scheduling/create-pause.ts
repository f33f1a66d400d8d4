// Long computations call a pause after each slice. It yields to the event loop only after a minimum time, since yielding
// costs more than most slices. Those that have yielded go on one in each turn of the loop: ten of them must not delay a
// request ten times as long as one.

/** How long a computation may delay a request. */
const MIN_WORK_MS = 0.5;

const DONE: Promise<void> = Promise.resolve();

/** @param clock milliseconds of a monotonic clock */
export function createPause(clock: () => number = () => performance.now()): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let start = clock();
  const goOn = (): void => {
    start = clock();
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(goOn);
  };
  return () => {
    if (clock() - start < MIN_WORK_MS) return DONE;
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(goOn);
    });
  };
}
