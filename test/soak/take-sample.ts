// Reads the memory and the handles of a server and its database sessions on Linux.
// https://docs.kernel.org/filesystems/proc.html
import { readdirSync, readFileSync } from 'node:fs';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import type { LoadWindow } from './mixed-load.ts';
import { LOGIN } from './soak-schema.ts';

export interface Sample extends LoadWindow {
  /** Minutes since the start. */
  readonly time: number;
  /** Resident memory of the server in megabytes. */
  readonly resident: number;
  /** Megabytes of its heap in use after a collection. */
  readonly heap: number;
  /** Open files and sockets of the server. */
  readonly handles: number;
  /** Sessions of the server; undefined while the database is down. */
  readonly sessions: number | undefined;
  /** Average unshared megabytes per session; undefined without sessions. */
  readonly sessionMemory: number | undefined;
  /** Unshared megabytes of the largest session. */
  readonly largestSession: number | undefined;
}

const MEGABYTE = 1_000_000;

export interface Sampled {
  readonly serverPid: number;
  readonly heapFile: string;
  /** Superuser connection. */
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

/** Returns process ids. */
export async function readSessions(databaseUri: string): Promise<readonly number[]> {
  const sql = `select pid from pg_stat_activity where usename = '${LOGIN}' and backend_type = 'client backend'`;
  const { rows } = await withConnection(databaseUri, (client) => client.query<{ readonly pid: number }>(sql));
  return rows.map(({ pid }) => pid);
}

/** Returns memory not shared with other sessions; empty if the session has ended. */
function readOwnMemory(pid: number): readonly number[] {
  try {
    return [readKilobytes(`/proc/${pid}/smaps_rollup`, /Anonymous:\s+(\d+) kB/u)];
  } catch {
    return [];
  }
}

/** Returns a value in megabytes. */
function readKilobytes(file: string, pattern: RegExp): number {
  return (Number(pattern.exec(readFileSync(file, 'utf8'))?.[1]) * 1024) / MEGABYTE;
}
