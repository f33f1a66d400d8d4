// `rowhouse diff`: compares the folder of a project with a database (`project.md` §3).
import { statSync } from 'node:fs';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf } from '../command-line/command.ts';
import { isUri } from '../command-line/project-arguments.ts';
import { type Problem, problemOf, renderProblem } from '../project/folder/problem.ts';
import { readProject } from '../project/folder/read-project.ts';
import { type ApiDiff, diffApis } from './diff-apis.ts';

/** @returns 0 if no client breaks, 1 if one does, 2 if the comparison could not run */
export async function diff(command: CommandOf<'diff'>): Promise<0 | 1 | 2> {
  const done = await runDiff(command);
  if (done.ok) {
    process.stdout.write(done.value.text);
    return done.value.isBroken ? 1 : 0;
  }
  for (const problem of done.error) process.stderr.write(`${renderProblem(problem)}\n`);
  return 2;
}

async function runDiff(command: CommandOf<'diff'>): Promise<Result<ApiDiff, readonly Problem[]>> {
  const places = sortOperands(command.operands);
  if (!places.ok) return fail([problemOf(undefined, places.error)]);
  const project = await readProject(places.value.folder);
  if (!project.ok) return project;
  return diffApis(command, project.value, places.value.uri);
}

interface Places {
  readonly folder: string;
  readonly uri: string | undefined;
}

/** A folder is the project, a URI the database. An error never repeats a URI, which may contain a password. */
function sortOperands(operands: readonly string[]): Result<Places, string> {
  const uris = operands.filter(isUri);
  const folders = operands.filter((operand) => !isUri(operand));
  if (uris.length > 1 || folders.length > 1) return fail('diff compares one folder with one database');
  const [folder = '.'] = folders;
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) return fail(`${folder} is not a folder`);
  return ok({ folder, uri: uris[0] });
}
