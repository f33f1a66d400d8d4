// Where the data of a project's embedded PostgreSQL may lie.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { TOOLS_FOLDER } from './tools-folder.ts';

/**
 * Returns the folders that can hold the data, in order of preference: PostgreSQL does not run as root, and another user
 * may not be able to enter the folder of the project.
 *
 * @param root of the project
 * @param place below the folder `.rowhouse/` of the project
 */
export function listDataFolders(root: string, place: string): readonly [inProject: string, outside: string] {
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return [path.join(root, TOOLS_FOLDER, place), path.join('/var/lib/rowhouse', digest, place)];
}
