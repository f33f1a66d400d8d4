// CPU time that all processes of this machine have taken, interrupts and what a hypervisor took included.
// https://www.kernel.org/doc/html/latest/filesystems/proc.html, section 1.7
import { readFileSync } from 'node:fs';
import type { CpuTime } from '../servers/cpu-time.ts';

const MICROSECONDS_PER_TICK = 10_000;

/** Since it was started; `undefined` where the system does not tell. */
export function readMachineTime(): CpuTime | undefined {
  const [line] = readLines();
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, stolen = 0] = line
    .split(/\s+/u)
    .slice(1)
    .map((ticks) => Number(ticks) * MICROSECONDS_PER_TICK);
  return { user: user + nice, system: system + interrupts + softInterrupts + stolen };
}

function readLines(): readonly string[] {
  try {
    return readFileSync('/proc/stat', 'latin1').split('\n');
  } catch {
    return [];
  }
}
