// Whether a path from outside names a folder.
import { statSync } from 'node:fs';
import path from 'node:path';

/** @returns false for what cannot be examined, such as a path below a file */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Returns whether a folder contains the SQL files of a project (`project.md` §1 item 1). */
export function isProjectFolder(folder: string): boolean {
  return isFolder(path.join(folder, 'schema'));
}
