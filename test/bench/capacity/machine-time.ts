// Reads the CPU time used by all processes of this machine, including interrupts and time stolen by a hypervisor.
// https://www.kernel.org/doc/html/latest/filesystems/proc.html, section 1.7
import { readFileSync } from 'node:fs';
import type { CpuTime } from '../servers/cpu-time.ts';

const MICROSECONDS_PER_TICK = 10_000;

/** CPU time since boot; `undefined` if the system does not report it. */
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
