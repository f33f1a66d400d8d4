// CPU time of processes, as Linux counts it; `undefined` elsewhere.
// https://www.kernel.org/doc/html/latest/filesystems/proc.html, table 1-4
import { readdirSync, readFileSync } from 'node:fs';

const MICROSECONDS_PER_TICK = 10_000;

interface ProcessTimes {
  readonly parent: number;
  readonly own: number;
  /** Of children that have ended. */
  readonly children: number;
}

/** Microseconds of all threads of a process. */
export function readProcessTime(pid: number): number | undefined {
  return readTimes(pid)?.own;
}

/** Microseconds of a process with all its children, those that have ended included. */
export function readFamilyTime(pid: number): number | undefined {
  const head = readTimes(pid);
  if (head === undefined) return undefined;
  const children = listProcesses().filter(({ parent }) => parent === pid);
  return children.reduce((sum, { own }) => sum + own, head.own + head.children);
}

function listProcesses(): readonly ProcessTimes[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return names.flatMap((name) => readTimes(Number(name)) ?? []);
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in parentheses and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (number: number): number => Number(fields[number - 3]);
    return {
      parent: field(4),
      own: (field(14) + field(15)) * MICROSECONDS_PER_TICK,
      children: (field(16) + field(17)) * MICROSECONDS_PER_TICK,
    };
  } catch {
    return undefined;
  }
}
