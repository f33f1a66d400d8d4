// `rowhouse diff`: compares the folder of a project with a database or a snapshot (`project.md` §3).
import type { CommandOf } from '../command-line/command.ts';
import { type Problem, problemOf, renderProblem } from '../project/folder/problem.ts';
import { type Project, readProject } from '../project/folder/read-project.ts';
import { diffApis } from './diff-apis.ts';
import { diffSchemas } from './diff-schemas.ts';
import { type Target, sortOperands } from './operands.ts';
import { reportDiff } from './report-diff.ts';

/** @returns 0; 1 if a client breaks, `--check` finds a difference, or a loss is not allowed; 2 if it could not run */
export async function diff({ operands, action }: CommandOf<'diff'>): Promise<0 | 1 | 2> {
  const places = sortOperands(operands);
  if (!places.ok) return reportProblems([problemOf(undefined, places.error)]);
  const project = await readProject(places.value.folder);
  if (!project.ok) return reportProblems(project.error);
  const { target } = places.value;
  return action.kind === 'api'
    ? compareApis(project.value, target, action)
    : compareSchemas(project.value, target, action);
}

type Action<K> = Extract<CommandOf<'diff'>['action'], { readonly kind: K }>;

async function compareApis(project: Project, target: Target, action: Action<'api'>): Promise<0 | 1 | 2> {
  const done = await diffApis(action, project, target);
  if (!done.ok) return reportProblems(done.error);
  process.stdout.write(done.value.text);
  return done.value.isBroken ? 1 : 0;
}

async function compareSchemas(project: Project, target: Target, action: Action<'schema'>): Promise<0 | 1 | 2> {
  const done = await diffSchemas(project, target);
  return done.ok ? reportDiff(done.value, { root: project.root, target }, action) : reportProblems(done.error);
}

function reportProblems(problems: readonly Problem[]): 2 {
  for (const problem of problems) process.stderr.write(`${renderProblem(problem)}\n`);
  return 2;
}
