// Creates folders that the user of PostgreSQL can access regardless of the umask, and checks who owns a folder.
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { isRoot } from './process-user.ts';

/** Does nothing if the folder exists. Other users can enter folders of root, but not list them. Throws on failure. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  makeOne(folder);
  chmodSync(folder, isRoot() ? 0o711 : 0o700);
}

/** Ignores that another process created the folder first. Node's `recursive` would loop forever below `/proc`. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Returns whether this is a folder of the current user, not a link, to which no other user can write. */
export function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}
