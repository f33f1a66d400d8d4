// Creates clusters. `initdb` takes most of the time of a command that needs an empty PostgreSQL for a moment, so the first
// cluster without a password is kept in the system's folder of temporary files, and the next ones are copies of it.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { tryOr } from '../../support/thrown.ts';
import type { EmbeddedError } from './embedded-error.ts';
import { isOwnFolder, makeFolder } from './make-folder.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { findBarrier, type ProcessUser } from './process-user.ts';
import { type ProgramOutcome, runProgram } from './run-program.ts';

export interface ClusterPlan {
  readonly dataFolder: string;
  readonly clusterFolder: string;
  readonly binaries: PostgresBinaries;
  readonly user: ProcessUser | undefined;
  /** Password of the superuser `postgres`; without one, all connections are trusted. */
  readonly password: string | undefined;
}

/** Creates a PostgreSQL cluster, or accepts an existing one. A new one is renamed into place only when complete. */
export async function initializeCluster(plan: ClusterPlan): Promise<Result<undefined, EmbeddedError>> {
  const { dataFolder, clusterFolder, binaries, user } = plan;
  try {
    makeFolder(dataFolder);
  } catch (error) {
    return fail({ kind: 'folderUnusable', folder: dataFolder, details: String(error) });
  }
  const barrier = user === undefined ? undefined : findBarrier(dataFolder, user);
  if (barrier !== undefined) return fail({ kind: 'folderNotEnterable', folder: dataFolder, barrier });
  if (!existsSync(clusterFolder)) return await createCluster(plan);
  const found = tryOr(() => readFileSync(path.join(clusterFolder, 'PG_VERSION'), 'utf8').trim(), undefined);
  if (found === binaries.majorVersion) return ok(undefined);
  if (found === undefined) {
    return fail({ kind: 'folderUnusable', folder: clusterFolder, details: 'it contains no PostgreSQL data' });
  }
  return fail({ kind: 'versionMismatch', folder: dataFolder, found, needed: binaries.majorVersion });
}

async function createCluster(plan: ClusterPlan): Promise<Result<undefined, EmbeddedError>> {
  const { dataFolder: folder, clusterFolder, user } = plan;
  let draft: string | undefined;
  try {
    draft = mkdtempSync(path.join(folder, 'initdb-'));
    if (user !== undefined) chownSync(draft, user.uid, user.gid);
    const outcome = await fillDraft(plan, draft);
    if (!outcome.succeeded) return fail({ kind: 'initializationFailed', folder, details: outcome.output });
    // If two processes create the cluster, the first wins. PostgreSQL's own lock decides which of them may run.
    if (!existsSync(clusterFolder)) renameSync(path.join(draft, 'cluster'), clusterFolder);
    return ok(undefined);
  } catch (error) {
    return fail({ kind: 'folderUnusable', folder, details: String(error) });
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  }
}

async function fillDraft(plan: ClusterPlan, draft: string): Promise<ProgramOutcome> {
  const { password, user } = plan;
  const cluster = path.join(draft, 'cluster');
  if (password !== undefined) return await runInitdb(plan, cluster, writePasswordFile(draft, password, user));
  const kept = nameKeptCluster(plan);
  if (copyKept(kept, cluster, user)) return { succeeded: true, output: '' };
  const outcome = await runInitdb(plan, cluster, undefined);
  if (outcome.succeeded) keep(cluster, kept);
  return outcome;
}

// C.UTF-8 classifies all letters, while sorting by code point; systems without it get plain C.
async function runInitdb(
  { binaries, user }: ClusterPlan,
  cluster: string,
  passwordFile: string | undefined,
): Promise<ProgramOutcome> {
  const initdb = path.join(binaries.binFolder, 'initdb');
  const authentication =
    passwordFile === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const target = ['-D', cluster, '-U', 'postgres', ...authentication];
  const common = [...target, '--encoding=UTF8', '--lc-collate=C', '--no-sync', '--no-instructions'];
  const outcome = await runProgram(initdb, [...common, '--lc-ctype=C.UTF-8'], user);
  return outcome.succeeded ? outcome : await runProgram(initdb, [...common, '--lc-ctype=C'], user);
}

function writePasswordFile(folder: string, password: string, user: ProcessUser | undefined): string {
  const file = path.join(folder, 'password');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  if (user !== undefined) chownSync(file, user.uid, user.gid);
  return file;
}

/** In the kept folder, beside `cluster`: how many files and folders it has. */
const COUNT_FILE = 'count';

/** Other binaries, another user of the system or another owner of the files: another cluster. */
function nameKeptCluster({ binaries, user }: ClusterPlan): string {
  const parts = [binaries.binFolder, binaries.version, process.getuid?.() ?? 0, user?.uid ?? 0];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `rowhouse-cluster-${digest}`);
}

/** @returns false if there is none, if another user can write to it, or if the system has removed some of its files */
function copyKept(kept: string, target: string, user: ProcessUser | undefined): boolean {
  if (!isOwnFolder(kept)) return false;
  try {
    const count = Number(readFileSync(path.join(kept, COUNT_FILE), 'utf8'));
    cpSync(path.join(kept, 'cluster'), target, { recursive: true });
    const copied = listFiles(target);
    for (const file of copied) makePrivate(file, user);
    if (copied.length === count) return true;
  } catch {
    // It is replaced below.
  }
  rmSync(target, { recursive: true, force: true });
  rmSync(kept, { recursive: true, force: true });
  return false;
}

/** Copies are made with the modes and the owner of this process. */
function makePrivate(file: string, user: ProcessUser | undefined): void {
  chmodSync(file, statSync(file).isDirectory() ? 0o700 : 0o600);
  if (user !== undefined) chownSync(file, user.uid, user.gid);
}

/** Without room in the folder, or if another process was faster, nothing is kept. */
function keep(cluster: string, kept: string): void {
  let draft: string | undefined;
  try {
    draft = mkdtempSync(`${kept}-`);
    cpSync(cluster, path.join(draft, 'cluster'), { recursive: true });
    writeFileSync(path.join(draft, COUNT_FILE), String(listFiles(cluster).length));
    renameSync(draft, kept);
  } catch {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  }
}

/** Returns the folder itself and everything in it. */
function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...entries.map((entry) => path.join(folder, entry))];
}
