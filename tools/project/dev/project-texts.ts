// The files of a project as the loop compares them: seeds do not count.
import { createHash } from 'node:crypto';
import type { Project } from '../folder/read-project.ts';

/** The texts by path. */
export function textsOf({ schema, roles }: Project): ReadonlyMap<string, string> {
  return new Map([...(roles === undefined ? [] : [roles]), ...schema].map(({ path, text }) => [path, text]));
}

export function digestOf(project: Project): string {
  const hash = createHash('sha256');
  for (const [name, text] of textsOf(project)) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex');
}
