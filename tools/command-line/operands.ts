// What an operand names: a folder, the folder of a project, or a database.
import { statSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../src/contract/result.ts';

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

/** @returns the folder of SQL files that the command means (`project.md` §1 item 1); undefined: it serves a database */
export function findProject(operand: string | undefined): Result<string | undefined, string> {
  const folder = operand ?? '.';
  if (!isFolder(folder)) return ok(undefined);
  if (isProjectFolder(folder)) return ok(path.resolve(folder));
  if (operand !== undefined)
    return fail(`The folder ${operand} has no schema/. Create it, with files such as schema/tables.sql.`);
  return ok(undefined);
}

/** Accepts any scheme, so that a misspelled one can be reported. */
export function isUri(operand: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:\/\/|postg\w*:)/iu.test(operand);
}
