// Long computations call a pause after each slice. It yields to the event loop only after a minimum time, since yielding
// costs more than most slices.
import { setImmediate } from 'node:timers/promises';

/** How long a computation may delay a request. */
const MIN_WORK_MS = 3;

export function createPause(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < MIN_WORK_MS) return;
    await setImmediate();
    start = performance.now();
  };
}
