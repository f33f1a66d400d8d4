// A server and its database → how much memory and how many handles they take now, as Linux counts them.
// https://docs.kernel.org/filesystems/proc.html
import { readdirSync, readFileSync } from 'node:fs';
import { withConnection } from '../../src/embedded/script/sql-session.ts';
import type { LoadWindow } from './mixed-load.ts';
import { LOGIN } from './soak-schema.ts';

export interface Sample extends LoadWindow {
  /** Minutes since the start. */
  readonly time: number;
  /** Megabytes that the server takes. */
  readonly resident: number;
  /** Megabytes of its heap that are in use after a collection. */
  readonly heap: number;
  /** Open files and sockets of the server. */
  readonly handles: number;
  /** Sessions of the server; undefined while the database is away. */
  readonly sessions: number | undefined;
  /** Megabytes that the process of a session has for itself, on average; undefined where there is none. */
  readonly sessionMemory: number | undefined;
  /** Megabytes that one of them has at most. */
  readonly largestSession: number | undefined;
}

const MEGABYTE = 1_000_000;

export interface Sampled {
  readonly serverPid: number;
  readonly heapFile: string;
  /** Of the superuser. */
  readonly databaseUri: string;
}

export async function takeSample(sampled: Sampled, time: number, window: LoadWindow): Promise<Sample> {
  const sessions = await readSessions(sampled.databaseUri).catch(() => undefined);
  const memories = sessions?.flatMap(readOwnMemory) ?? [];
  return {
    ...window,
    time,
    resident: readKilobytes(`/proc/${sampled.serverPid}/status`, /VmRSS:\s+(\d+) kB/u),
    heap: Number(readFileSync(sampled.heapFile, 'utf8')) / MEGABYTE,
    handles: countHandles(sampled.serverPid),
    sessions: sessions?.length,
    ...(memories.length === 0 ? NO_MEMORY : summarize(memories)),
  };
}

const NO_MEMORY = { sessionMemory: undefined, largestSession: undefined };

function summarize(memories: readonly number[]): Pick<Sample, 'sessionMemory' | 'largestSession'> {
  const sum = memories.reduce((total, memory) => total + memory, 0);
  return { sessionMemory: sum / memories.length, largestSession: Math.max(...memories) };
}

export function countHandles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Process ids. */
export async function readSessions(databaseUri: string): Promise<readonly number[]> {
  const sql = `select pid from pg_stat_activity where usename = '${LOGIN}'`;
  const { rows } = await withConnection(databaseUri, (client) => client.query<{ readonly pid: number }>(sql));
  return rows.map(({ pid }) => pid);
}

/** Without the memory that all sessions share; nothing of one that has ended meanwhile. */
function readOwnMemory(pid: number): readonly number[] {
  try {
    return [readKilobytes(`/proc/${pid}/smaps_rollup`, /Anonymous:\s+(\d+) kB/u)];
  } catch {
    return [];
  }
}

/** Megabytes. */
function readKilobytes(file: string, pattern: RegExp): number {
  return (Number(pattern.exec(readFileSync(file, 'utf8'))?.[1]) * 1024) / MEGABYTE;
}
