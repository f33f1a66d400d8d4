// Creates a PostgreSQL cluster, or accepts an existing one. A new one is renamed into place only when complete.
import { chownSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { EmbeddedError } from './embedded-error.ts';
import { makeFolder } from './make-folder.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { findBarrier, type ProcessUser } from './process-user.ts';
import { runProgram, type ProgramOutcome } from './run-program.ts';

export interface ClusterPlan {
  readonly dataFolder: string;
  readonly clusterFolder: string;
  readonly binaries: PostgresBinaries;
  readonly user: ProcessUser | undefined;
  /** Password of the superuser `postgres`; without one, all connections are trusted. */
  readonly password: string | undefined;
}

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
  const found = readVersion(clusterFolder);
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
    const passwordFile = plan.password === undefined ? undefined : writePasswordFile(draft, plan.password, user);
    const outcome = await runInitdb(plan, draft, passwordFile);
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

// C.UTF-8 classifies all letters, while sorting by code point; systems without it get plain C.
async function runInitdb(plan: ClusterPlan, draft: string, passwordFile: string | undefined): Promise<ProgramOutcome> {
  const initdb = path.join(plan.binaries.binFolder, 'initdb');
  const authentication =
    passwordFile === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const target = ['-D', path.join(draft, 'cluster'), '-U', 'postgres', ...authentication];
  const common = [...target, '--encoding=UTF8', '--lc-collate=C', '--no-sync', '--no-instructions'];
  const outcome = await runProgram(initdb, [...common, '--lc-ctype=C.UTF-8'], plan.user);
  return outcome.succeeded ? outcome : await runProgram(initdb, [...common, '--lc-ctype=C'], plan.user);
}

function writePasswordFile(folder: string, password: string, user: ProcessUser | undefined): string {
  const file = path.join(folder, 'password');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  if (user !== undefined) chownSync(file, user.uid, user.gid);
  return file;
}

function readVersion(clusterFolder: string): string | undefined {
  try {
    return readFileSync(path.join(clusterFolder, 'PG_VERSION'), 'utf8').trim();
  } catch {
    return undefined;
  }
}
