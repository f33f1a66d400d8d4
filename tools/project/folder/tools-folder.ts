// The folder `.rowhouse/` of a project, which holds what the tools make.
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../embedded/cluster/make-folder.ts';

export const TOOLS_FOLDER = '.rowhouse';

/** Makes the folder, and has git ignore it if the project has no `.gitignore`. @returns its path. Throws on failure. */
export function makeToolsFolder(root: string): string {
  const folder = path.join(root, TOOLS_FOLDER);
  makeFolder(folder);
  const ignored = path.join(root, '.gitignore');
  if (!existsSync(ignored)) writeFileSync(ignored, `${TOOLS_FOLDER}/\n`);
  return folder;
}

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
