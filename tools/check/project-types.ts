// TypeScript types of a project's folder: printed by `rowhouse types DIR`, and compared with a file by `rowhouse check`.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { overrideOptions } from '../../src/service/configuration/read-config.ts';
import { withScratchCluster } from '../diff/scratch-server.ts';
import { type Problem, problemOf, renderProblem } from '../project/folder/problem.ts';
import { type Project, readProject } from '../project/folder/read-project.ts';
import { buildDatabase } from '../project/run/build-database.ts';
import { locateProjectConfig, readProjectConfig } from '../project/run/project-config.ts';
import { findDefaultSchema } from '../project/run/web-roles.ts';
import { withConfig } from '../support/with-config.ts';
import { loadTypes, type TypesOptions } from '../typegen/load-types.ts';

interface BuiltProject {
  readonly project: Project;
  /** Of the database that was made from the folder. */
  readonly uri: string;
  readonly config: AppConfig;
}

/** @returns undefined for variants that cannot be generated */
export async function generateTypes(
  { project, uri, config }: BuiltProject,
  variants: readonly TypesOptions[],
): Promise<readonly (string | undefined)[]> {
  const location = overrideOptions(locateProjectConfig(project, config.dbSchemas.join(',')), { 'db-uri': uri });
  const texts = await withConfig(location, async ({ pool }) => {
    const found: (string | undefined)[] = [];
    for (const options of variants) {
      const types = await loadTypes(pool, config, options);
      found.push(types.ok ? types.value : undefined);
    }
    return found;
  });
  return texts ?? [];
}

/** @returns the exit code: 0, or 2 if the database cannot be made */
export async function printProjectTypes(folder: string, options: TypesOptions): Promise<number> {
  const project = await readProject(folder);
  const types = project.ok ? await buildTypes(project.value, options) : project;
  if (types.ok) process.stdout.write(types.value);
  else for (const problem of types.error) process.stderr.write(`${renderProblem(problem)}\n`);
  return types.ok ? 0 : 2;
}

function buildTypes(project: Project, options: TypesOptions): Promise<Result<string, readonly Problem[]>> {
  return withScratchCluster((scratch) =>
    scratch.withNewDatabase(async (client, uri) => {
      const built = await buildDatabase(project, client, { roles: 'all', hasSeed: false });
      if (!built.ok) return built;
      const config = readProjectConfig(project, await findDefaultSchema(client));
      if (!config.ok) return config;
      const [types] = await generateTypes({ project, uri, config: config.value }, [options]);
      return types === undefined ? fail([problemOf(undefined, 'The types cannot be generated.')]) : ok(types);
    }),
  );
}
