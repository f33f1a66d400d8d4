// Recovery times after faults, collected for the table in docs/operations.md.

import { isLong } from '../support/long-form.ts';

/** In milliseconds. On a shared machine, the tests only check that the server recovers at all. */
export const LONGEST_RECOVERY: number = isLong ? 2000 : 60_000;

const times = new Map<string, number[]>();

export function noteRecovery(fault: string, milliseconds: number): void {
  times.set(fault, [...(times.get(fault) ?? []), milliseconds]);
}

export function printRecoveries(): void {
  if (!isLong) return;
  for (const [fault, all] of times)
    console.log(`recovery  ${fault.padEnd(60)} ${all.map((time) => `${Math.round(time)} ms`).join(', ')}`);
}
