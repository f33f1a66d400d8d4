// The folder `.rowhouse/` of a project, which holds what the tools make.
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
