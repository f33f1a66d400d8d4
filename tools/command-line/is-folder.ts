// Whether a path from outside names a folder.
import { statSync } from 'node:fs';

/** @returns false for what cannot be examined, such as a path below a file */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
