// The file `.env` of a project: variables such as secrets, for every command in the folder. A variable that is set wins.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { isProjectFolder } from './operands.ts';

/** Adds the variables of the first folder of a project among the working directory and the arguments. */
export function addEnvironmentFile(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  const folder = ['.', ...args].find(isProjectFolder);
  if (folder === undefined) return;
  for (const [name, value] of Object.entries(readVariables(path.join(folder, '.env')))) environment[name] ??= value;
}

/** @returns none if there is no such file */
function readVariables(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
