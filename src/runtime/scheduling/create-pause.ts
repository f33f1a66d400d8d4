// Long computations in slices call a pause after each: requests get their turn once the computation has worked for its
// share of time, not before, since a turn costs more than most slices.
import { setImmediate } from 'node:timers/promises';

/** Milliseconds: what a request may have to wait for a computation beside it. */
const SHARE = 3;

export function createPause(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SHARE) return;
    await setImmediate();
    start = performance.now();
  };
}
