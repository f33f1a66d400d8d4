// Chooses the number of processes that serve requests (`server-workers`).
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { AppConfig } from '../config/table/app-config.ts';

export interface WorkerChoice {
  /** With 1, this process serves the requests itself. */
  readonly count: number;
  /** The cores that the count depends on; undefined if the configuration contains the count. */
  readonly cores: number | undefined;
}

export function chooseWorkers({ serverWorkers, dbPool }: Pick<AppConfig, 'serverWorkers' | 'dbPool'>): WorkerChoice {
  if (serverWorkers !== 'auto') return { count: serverWorkers, cores: undefined };
  const cores = findCores();
  return { count: countWorkers(cores, dbPool), cores };
}

/**
 * PostgreSQL on the same machine needs about as many cores as the workers, and a worker needs about three connections.
 *
 * @param cores that the process may use; a container may have a fraction of one
 * @param pool `db-pool`, which the workers share
 */
export function countWorkers(cores: number, pool: number): number {
  return Math.max(1, Math.floor(Math.min(cores / 2, pool / 3)));
}

/**
 * Returns the number of cores that this process may use: those of its affinity mask, or fewer if its control group or a
 * parent of it has a quota (`docker run --cpus`, `CPUQuota=`). Node 20 ignores quotas.
 *
 * @param read the text of a file; throws if there is none
 */
export function findCores(parallelism: number = availableParallelism(), read: ReadText = readText): number {
  const groups = tryRead(read, '/proc/self/cgroup')?.trim().split('\n') ?? [];
  return Math.min(parallelism, ...groups.flatMap((group) => listQuotas(group, read)));
}

type ReadText = (file: string) => string;

const ROOT = '/sys/fs/cgroup';

/** @param group `0::/system.slice/rowhouse.service`, or with version 1 `4:cpu,cpuacct:/docker/12ab` */
function listQuotas(group: string, read: ReadText): readonly number[] {
  const [, id, controllers = '', place = '/'] = /^(\d+):([^:]*):(\/.*)$/u.exec(group) ?? [];
  if (id === '0') return listFolders(place).flatMap((folder) => findQuota(tryRead(read, `${ROOT}${folder}cpu.max`)));
  if (!controllers.split(',').includes('cpu')) return [];
  return listFolders(place).flatMap((folder) => {
    const at = `${ROOT}/cpu${folder}cpu.cfs_`;
    return findQuota(`${tryRead(read, `${at}quota_us`) ?? ''} ${tryRead(read, `${at}period_us`) ?? ''}`);
  });
}

/** `/a/b` → `/a/b/`, `/a/`, `/`; inside a container, the path may be that of the host, and only `/` exists. */
function listFolders(place: string): readonly string[] {
  const folder = place.endsWith('/') ? place : `${place}/`;
  return folder === '/' ? ['/'] : [folder, ...listFolders(path.dirname(place))];
}

/** @param text quota and period: `150000 100000`; `max` and -1 are no quota */
function findQuota(text = ''): readonly number[] {
  const [quota = 0, period = 0] = text.trim().split(/\s+/u).map(Number);
  return quota > 0 && period > 0 ? [quota / period] : [];
}

function tryRead(read: ReadText, file: string): string | undefined {
  try {
    return read(file);
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
