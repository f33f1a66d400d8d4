// How long it took until all was well again after a fault, gathered for the table in docs/operations.md.

import { isLong } from '../support/long-form.ts';

/** Milliseconds. On a machine that others use too, only that it comes back at all. */
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
