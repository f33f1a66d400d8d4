// Reads the CPU time of processes on Linux; returns `undefined` elsewhere.
// https://www.kernel.org/doc/html/latest/filesystems/proc.html, table 1-4
import { readdirSync, readFileSync } from 'node:fs';

const MICROSECONDS_PER_TICK = 10_000;

/** In microseconds. */
export interface CpuTime {
  readonly user: number;
  /** Time in the kernel: sockets, files. */
  readonly system: number;
}

interface ProcessTimes {
  readonly parent: number;
  readonly own: CpuTime;
  /** CPU time of exited children. */
  readonly children: CpuTime;
}

/** Returns the CPU time of all threads of a process. */
export function readProcessTime(pid: number): CpuTime | undefined {
  return readTimes(pid)?.own;
}

/** Returns the CPU time of a process and all its children, including exited ones. */
export function readFamilyTime(pid: number): CpuTime | undefined {
  const head = readTimes(pid);
  if (head === undefined) return undefined;
  const children = listProcesses().filter(({ parent }) => parent === pid);
  return children.reduce((sum, { own }) => add(sum, own), add(head.own, head.children));
}

/** Returns a function that computes the CPU time since now, divided by the number of work items. */
export function startMeter(read: () => CpuTime | undefined): (count: number) => CpuTime | undefined {
  const start = read();
  return (count) => {
    const end = read();
    if (start === undefined || end === undefined) return undefined;
    return { user: (end.user - start.user) / count, system: (end.system - start.system) / count };
  };
}

export function totalTime(time: CpuTime | undefined): number | undefined {
  return time === undefined ? undefined : time.user + time.system;
}

function add(one: CpuTime, other: CpuTime): CpuTime {
  return { user: one.user + other.user, system: one.system + other.system };
}

function listProcesses(): readonly ProcessTimes[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return names.flatMap((name) => readTimes(Number(name)) ?? []);
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name is in parentheses and may contain any characters.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const time = (number: number): number => Number(fields[number - 3]) * MICROSECONDS_PER_TICK;
    return {
      parent: Number(fields[4 - 3]),
      own: { user: time(14), system: time(15) },
      children: { user: time(16), system: time(17) },
    };
  } catch {
    return undefined;
  }
}
