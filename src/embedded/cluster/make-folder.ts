// Makes folders that PostgreSQL's user can reach whatever the umask is, and tells our folders from planted ones.
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { isRoot } from './process-user.ts';

/** Nothing happens when it exists. Root's folders may be passed through by others, but not listed. Throws on failure. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  makeOne(folder);
  chmodSync(folder, isRoot() ? 0o711 : 0o700);
}

/** Another start may have been faster. Node's own way to pass over that, `recursive`, never ends below `/proc`. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** A real folder of the current user that nobody else can write to. */
export function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}
