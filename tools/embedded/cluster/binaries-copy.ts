// Copies the PostgreSQL distribution to a folder that another user can access. Later starts reuse a copy, but only if
// no other user can have written to it.
import { chmodSync, cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isOwnFolder, makeFolder } from './make-folder.ts';
import { isRoot } from './process-user.ts';

/** Lists folders for a copy, in order of preference. Temporary folders come last, because systems clean them up. */
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
      cpSync(source, draft, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
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

function isNeeded(file: string): boolean {
  return !file.endsWith('.a') && path.basename(file) !== 'include';
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(file);
    else if (entry.isFile()) chmodSync(file, path.basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
