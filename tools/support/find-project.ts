// Finds out whether a command means a folder of SQL files (`project.md` §1 item 1).
import { statSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../src/contract/result.ts';

/** @returns the folder of the project that the command means; undefined: it serves a database */
export function findProject(operand: string | undefined): Result<string | undefined, string> {
  const folder = operand ?? '.';
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const hasSchema = statSync(path.join(folder, 'schema'), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (hasSchema) return ok(path.resolve(folder));
  if (operand !== undefined && isFolder)
    return fail(`The folder ${operand} has no schema/. Create it, with files such as schema/tables.sql.`);
  return ok(undefined);
}
