// Reads the lock file that a running PostgreSQL keeps in its data folder, and tells a live one from a left-over.
// https://www.postgresql.org/docs/current/storage-file-layout.html
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

const RELEASE_WAIT_MS = 1500;

/** `undefined` without a file, or while it is only half written. */
export function readPostmasterFile(clusterFolder: string): PostmasterFile | undefined {
  const [pid, , , port, , , , status] = readLines(lockFile(clusterFolder));
  if (pid === undefined || port === undefined) return undefined;
  return { pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' };
}

/** The running PostgreSQL of this cluster; a lock file that belongs to none counts for nothing. */
export function findLivePostmaster(clusterFolder: string): PostmasterFile | undefined {
  const file = readPostmasterFile(clusterFolder);
  return file !== undefined && isPostmaster(file.pid, clusterFolder) ? file : undefined;
}

/**
 * Waits for the cluster to be free and clears what a killed PostgreSQL left. Gives the one that keeps it after
 * 1.5 seconds, which is longer than the database of a killed server takes to end.
 */
export async function awaitRelease(clusterFolder: string): Promise<PostmasterFile | undefined> {
  const deadline = Date.now() + RELEASE_WAIT_MS;
  let live = findLivePostmaster(clusterFolder);
  while (live !== undefined && Date.now() < deadline) {
    await sleep(50);
    live = findLivePostmaster(clusterFolder);
  }
  if (live === undefined) removeMistakableFile(clusterFolder);
  return live;
}

// PostgreSQL itself replaces the lock of a dead process, but believes one whose number some other program got since,
// as happens after a reboot.
function removeMistakableFile(clusterFolder: string): void {
  const file = readPostmasterFile(clusterFolder);
  if (file !== undefined && isAlive(file.pid) && !isPostmaster(file.pid, clusterFolder))
    rmSync(lockFile(clusterFolder));
}

function isPostmaster(pid: number, clusterFolder: string): boolean {
  if (!isAlive(pid)) return false;
  const commandLine = readCommandLine(pid);
  return commandLine === undefined || commandLine.includes(clusterFolder);
}

/** Whether a process of that number runs, whoever it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readCommandLine(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return undefined;
  }
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function lockFile(clusterFolder: string): string {
  return path.join(clusterFolder, 'postmaster.pid');
}
