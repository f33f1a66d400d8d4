// Starts the postmaster of a cluster, waits until it accepts connections, and stops it.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { EmbeddedError } from './embedded-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import type { ProcessUser } from './process-user.ts';
import { databaseEnvironment, runProgram } from './run-program.ts';

export interface PostmasterPlan {
  readonly binFolder: string;
  readonly clusterFolder: string;
  readonly logFile: string;
  readonly user: ProcessUser | undefined;
  /** Parameters that override `postgresql.conf`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly port: number;
  /** Folder of a Unix socket, in addition to TCP. */
  readonly socketFolder: string | undefined;
}

export interface Postmaster {
  readonly pid: number;
  /** Resolves once the process has exited, for any reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown; after 1 s immediate shutdown, from which the next start recovers; after 0.5 s more SIGKILL. */
  stop(): Promise<void>;
}

const { O_CREAT, O_WRONLY, O_TRUNC, O_APPEND } = constants;
/** Restarts with each new log output, because recovery may take longer; it logs its progress every ten seconds. */
const START_TIMEOUT_MS = 30_000;

export async function launchPostmaster(plan: PostmasterPlan): Promise<Result<Postmaster, EmbeddedError>> {
  const child = spawnPostmaster(plan);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const { pid } = child;
  if (pid === undefined) return fail({ kind: 'startFailed', details: `cannot run ${plan.binFolder}/postgres` });
  const postmaster = { pid, ended, stop: (): Promise<void> => stopPostmaster(plan, pid, ended) };
  if (await isReady(plan, child)) return ok(postmaster);
  await postmaster.stop();
  return fail(explainFailure(plan));
}

function spawnPostmaster(plan: PostmasterPlan): ChildProcess {
  const settings = {
    ...plan.settings,
    port: String(plan.port),
    listen_addresses: '127.0.0.1',
    // A comma-separated list, so the name is quoted.
    unix_socket_directories: plan.socketFolder === undefined ? '' : `"${plan.socketFolder.replaceAll('"', '""')}"`,
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(plan.logFile, O_CREAT | O_WRONLY | O_TRUNC | O_APPEND, 0o600);
  // Detached, because Ctrl-C signals the whole process group, but the server needs its database until it has stopped.
  const child = spawn(path.join(plan.binFolder, 'postgres'), ['-D', plan.clusterFolder, ...parameters], {
    ...plan.user,
    cwd: '/',
    env: databaseEnvironment(),
    detached: process.platform !== 'win32',
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  closeSync(log);
  child.unref();
  return child;
}

async function isReady(plan: PostmasterPlan, child: ChildProcess): Promise<boolean> {
  let deadline = Date.now() + START_TIMEOUT_MS;
  let logSize = 0;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const file = readPostmasterFile(plan.clusterFolder);
    if (file !== undefined && file.pid === child.pid && file.isReady) return true;
    const { size } = statSync(plan.logFile);
    if (size > logSize) deadline = Date.now() + START_TIMEOUT_MS;
    logSize = size;
    await sleep(20);
  }
  return false;
}

async function stopPostmaster(plan: PostmasterPlan, pid: number, ended: Promise<void>): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['INT', 1000],
    ['QUIT', 500],
    ['KILL', 500],
  ] as const) {
    await sendSignal(plan.binFolder, pid, signal);
    if (await settlesWithin(ended, timeoutMs)) return;
  }
}

async function sendSignal(binFolder: string, pid: number, signal: 'INT' | 'QUIT' | 'KILL'): Promise<void> {
  // Windows has no signals, so PostgreSQL emulates them with `pg_ctl kill`.
  if (process.platform === 'win32') {
    await runProgram(path.join(binFolder, 'pg_ctl'), ['kill', signal, String(pid)], undefined);
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch {
    // Already gone.
  }
}

async function settlesWithin(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const settled = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return settled;
}

function explainFailure(plan: PostmasterPlan): EmbeddedError {
  const log = readFileSync(plan.logFile, 'utf8').trim();
  const owner = /lock file "postmaster.pid" already exists[^]*PID (\d+)/.exec(log)?.[1];
  if (owner !== undefined) return { kind: 'folderInUse', folder: plan.clusterFolder, pid: Number(owner) };
  if (/could not (bind|create any TCP)/.test(log)) return { kind: 'portInUse', port: plan.port };
  return { kind: 'startFailed', details: findReason(log) };
}

/** Returns the last lines of a log, from the first one that says why the server could not go on. */
export function findReason(log: string): string {
  const lines = log.split('\n');
  const reason = lines.findIndex((line) => /(?:FATAL|PANIC): /u.test(line));
  return (reason === -1 ? lines.slice(-LOG_LINES) : lines.slice(reason, reason + LOG_LINES)).join('\n');
}

const LOG_LINES = 5;
