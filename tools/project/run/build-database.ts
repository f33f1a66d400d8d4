// Makes an empty database contain what a project describes.
import type { ClientBase } from 'pg';
import { fail, ok } from '../../../src/contract/result.ts';
import type { Outcome } from '../folder/problem.ts';
import type { Project } from '../folder/read-project.ts';
import { runRoles, type RolesMode } from './run-roles.ts';
import { runSeeds } from './run-seed.ts';
import { runSchema } from './schema-run.ts';

export interface BuildOptions {
  readonly roles: RolesMode;
  readonly hasSeed: boolean;
}

export interface BuildOutcome {
  /** Differences between `roles.sql` and roles that existed before, as texts for a person. */
  readonly roleDifferences: readonly string[];
}

/**
 * Runs `roles.sql`, `schema/` and `seed/`, each in a transaction.
 *
 * @param client of an empty database, not in a transaction; rejects only if its connection is lost
 * @returns what is wrong with the files, causes first; steps before the failed one stay
 */
export async function buildDatabase(
  project: Project,
  client: ClientBase,
  { roles: mode, hasSeed }: BuildOptions,
): Promise<Outcome<BuildOutcome>> {
  const roles = project.roles === undefined ? ok([]) : await runRoles(client, project.roles, mode);
  if (!roles.ok) return fail([roles.error]);
  const problems = await runSchema(client, project.schema);
  if (problems.length > 0) return fail(problems);
  const problem = hasSeed ? await runSeeds(client, project) : undefined;
  return problem === undefined ? ok({ roleDifferences: roles.value }) : fail([problem]);
}
