// Enters the cluster of a project's tests, and starts it if it does not run. Several processes may do so at once: one of
// them starts the keeper, the others wait for it.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../../../src/postgres/session/session.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';
import { loadInstance } from '../../demo/instance.ts';
import { findLivePostmaster, isAlive } from '../../embedded/cluster/postmaster-file.ts';
import { listDataFolders, makeToolsFolder } from '../../project/folder/tools-folder.ts';
import { PACKAGE_ROOT } from '../../support/own-command.ts';
import { openSuperuser, runSql } from '../sql/run-sql.ts';
import { CLUSTER_PLACE, type KeeperReport, TRY_PRESENCE } from './cluster-rules.ts';

/** A client in a cluster, which runs at least as long as the connection is open. */
export interface ClusterMember {
  /** Superuser connection to the database `postgres`. */
  readonly uri: string;
  readonly session: Session;
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 25;
const TRUE = 't';
const KEEPER_PROGRAM: string = path.join(PACKAGE_ROOT, 'dist', 'testing', 'keeper.js');

/** Throws if PostgreSQL cannot start, with a message for the user. */
export async function joinCluster(root: string): Promise<ClusterMember> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const member = await enterRunning(root);
    if (member !== undefined) return member;
    await startOnce(root);
    await sleep(PAUSE_MS);
  }
  throw new Error(`The PostgreSQL of the tests did not start within ${TIMEOUT_MS / 1000} s: ${root}`);
}

async function enterRunning(root: string): Promise<ClusterMember | undefined> {
  for (const folder of listDataFolders(root, CLUSTER_PLACE)) {
    const running = findLivePostmaster(path.join(folder, 'pgdata'));
    const instance = running?.isReady === true ? loadInstance(folder) : undefined;
    if (running === undefined || instance?.ok !== true) continue;
    const password = encodeURIComponent(instance.value.superuserPassword);
    return enter(`postgres://postgres:${password}@127.0.0.1:${running.port}/postgres`);
  }
  return undefined;
}

/** @returns undefined if the cluster is about to end, or has not quite started */
async function enter(uri: string): Promise<ClusterMember | undefined> {
  try {
    const session = await openSuperuser(uri);
    const [row] = await runSql(session, TRY_PRESENCE);
    if (row?.[0] === TRUE) return { uri, session };
    await session.close();
    return undefined;
  } catch (error) {
    if (!/authentication failed/u.test(String(error))) return undefined;
    throw new Error('The cluster of the tests has another password. Remove .rowhouse/testing.', { cause: error });
  }
}

/** Starts the keeper, unless another process does so at this moment. */
async function startOnce(root: string): Promise<void> {
  const lock = path.join(makeToolsFolder(root), 'testing.starting');
  if (!takeLock(lock)) return;
  try {
    const report = await startKeeper(root);
    if (report.kind === 'failed') throw new Error(report.message);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A process that has ended, or that takes longer than a start may take, no longer holds the lock. */
function takeLock(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    writeSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (isAbandoned(file)) rmSync(file, { force: true });
    return false;
  }
}

function isAbandoned(file: string): boolean {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const holder = Number.parseInt(readFileSync(file, 'utf8'), 10);
    // An empty file has just been created.
    return age > TIMEOUT_MS || (!Number.isNaN(holder) && !isAlive(holder));
  } catch {
    return false;
  }
}

function startKeeper(root: string): Promise<KeeperReport> {
  const keeper = spawn(process.execPath, [KEEPER_PROGRAM, root], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let errors = '';
  keeper.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => {
    const settle = (report: KeeperReport): void => {
      keeper.stdout.destroy();
      keeper.stderr.destroy();
      keeper.unref();
      resolve(report);
    };
    createInterface({ input: keeper.stdout }).once('line', (line) => settle(readReport(line)));
    keeper.once('error', (error) => settle({ kind: 'failed', message: error.message }));
    keeper.once('exit', (code) => settle({ kind: 'failed', message: errors || `The keeper exited with ${code}.` }));
  });
}

function readReport(line: string): KeeperReport {
  const { kind, message } = parseJsonObject(line) ?? {};
  if (kind === 'ready' || kind === 'busy') return { kind };
  return { kind: 'failed', message: typeof message === 'string' ? message : line };
}
