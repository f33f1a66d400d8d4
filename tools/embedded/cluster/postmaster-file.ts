// Reads the lock file of a running PostgreSQL from its data folder, and detects stale ones.
// https://www.postgresql.org/docs/current/storage-file-layout.html
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryOr } from '../../support/thrown.ts';

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

const RELEASE_WAIT_MS = 1500;

/** Returns undefined if there is no file or it is not completely written yet. */
export function readPostmasterFile(clusterFolder: string): PostmasterFile | undefined {
  const [pid, , , port, , , , status] = tryOr(() => readFileSync(lockFile(clusterFolder), 'utf8').split('\n'), []);
  if (pid === undefined || port === undefined) return undefined;
  return { pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' };
}

/** Returns the running PostgreSQL of this cluster, ignoring a stale lock file. */
export function findLivePostmaster(clusterFolder: string): PostmasterFile | undefined {
  const file = readPostmasterFile(clusterFolder);
  return file !== undefined && isPostmaster(file.pid, clusterFolder) ? file : undefined;
}

/**
 * Waits until the cluster is free, and removes a stale lock file. Returns the process that still uses it after
 * 1.5 seconds, which is longer than the database takes to stop after its server is killed.
 */
export async function awaitRelease(clusterFolder: string): Promise<PostmasterFile | undefined> {
  const deadline = Date.now() + RELEASE_WAIT_MS;
  let live = findLivePostmaster(clusterFolder);
  while (live !== undefined && Date.now() < deadline) {
    await sleep(50);
    live = findLivePostmaster(clusterFolder);
  }
  // PostgreSQL replaces the lock of a dead process, but not if another program has its pid, for example after a reboot.
  const stale = live === undefined ? readPostmasterFile(clusterFolder) : undefined;
  if (stale !== undefined && isAlive(stale.pid) && !isPostmaster(stale.pid, clusterFolder))
    rmSync(lockFile(clusterFolder));
  return live;
}

function isPostmaster(pid: number, clusterFolder: string): boolean {
  if (!isAlive(pid)) return false;
  const commandLine = tryOr(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), undefined);
  return commandLine === undefined || commandLine.includes(clusterFolder);
}

/** Returns whether a process with this pid exists, whichever program it runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function lockFile(clusterFolder: string): string {
  return path.join(clusterFolder, 'postmaster.pid');
}
