// Samples the unshared memory of processes on Linux and returns the maximum.
// https://www.kernel.org/doc/html/latest/filesystems/proc.html, table 1-3
import { readdirSync, readFileSync } from 'node:fs';

const PAGE = 4096;
const INTERVAL_MS = 20;

export interface MemoryWatch {
  /** @returns bytes */
  stop(): number;
}

/** Samples the values of `read`. */
export function watchMemory(read: () => number): MemoryWatch {
  let most = read();
  const timer = setInterval(() => (most = Math.max(most, read())), INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(most, read());
    },
  };
}

/** Returns the bytes in memory that are neither shared nor mapped from files; 0 if the process has exited. */
export function readOwnMemory(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return (resident - shared) * PAGE;
  } catch {
    return 0;
  }
}

/** Returns the unshared memory of the largest child. */
export function readLargestChild(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && parentOf(name) === parent);
  return Math.max(0, ...pids.map((pid) => readOwnMemory(Number(pid))));
}

function parentOf(pid: string): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
