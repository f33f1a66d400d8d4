// `rowhouse diff`: compares the folder of a project with a database or a snapshot (`project.md` §3).
import { problemOf, reportProblems } from '../project/folder/problem.ts';
import { readProject } from '../project/folder/read-project.ts';
import { type ApiAction, diffApis } from './diff-apis.ts';
import { diffSchemas } from './diff-schemas.ts';
import { sortOperands } from './operands.ts';
import { reportDiff, type SchemaAction } from './report-diff.ts';

interface DiffOptions {
  /** A folder and what it is compared with, each at most once. */
  readonly operands: readonly string[];
  readonly action: ApiAction | SchemaAction;
}

/** @returns 0; 1 if a client breaks, `--check` finds a difference, or a loss is not allowed; 2 if it could not run */
export async function diff({ operands, action }: DiffOptions): Promise<0 | 1 | 2> {
  const places = sortOperands(operands);
  if (!places.ok) return reportProblems([problemOf(undefined, places.error)]);
  const project = await readProject(places.value.folder);
  if (!project.ok) return reportProblems(project.error);
  const { target } = places.value;
  if (action.kind === 'schema') {
    const done = await diffSchemas(project.value, target);
    return done.ok ? reportDiff(done.value, project.value.root, target, action) : reportProblems(done.error);
  }
  const done = await diffApis(action, project.value, target);
  if (!done.ok) return reportProblems(done.error);
  process.stdout.write(done.value.text);
  return done.value.isBroken ? 1 : 0;
}
