// Sends a number of requests: the load generators run for a given time instead.
import type { Load, LoadOrder } from './run-load.ts';

const STEP_MS = 1000;

export interface Minimum {
  readonly count: number;
  /** Ends even if fewer requests were sent. */
  readonly milliseconds: number;
}

export async function sendAtLeast(
  load: Load,
  order: Omit<LoadOrder, 'milliseconds'>,
  { count, milliseconds }: Minimum,
): Promise<void> {
  let [sent, time] = [0, 0];
  while (sent < count && time < milliseconds) {
    const result = await load.run({ ...order, milliseconds: STEP_MS });
    sent += result.count;
    time += result.milliseconds;
  }
}
