// TypeScript types of a project's folder: printed by `rowhouse types DIR`, and compared with a file by `rowhouse check`.
import { fail, ok } from '../../src/contract/result.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { overrideOptions } from '../../src/service/configuration/read-config.ts';
import { withBuiltProject } from '../diff/built-project.ts';
import { type Outcome, problemOf, reportProblems } from '../project/folder/problem.ts';
import { type Project, readProject } from '../project/folder/read-project.ts';
import { locateProjectConfig } from '../project/run/project-config.ts';
import { withConfig } from '../support/with-config.ts';
import { loadTypes, type TypesOptions } from '../typegen/load-types.ts';

/**
 * @param uri of the database that was made from the folder
 * @returns undefined for variants that cannot be generated
 */
export async function generateTypes(
  project: Project,
  uri: string,
  config: AppConfig,
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
  if (!types.ok) return reportProblems(types.error);
  process.stdout.write(types.value);
  return 0;
}

function buildTypes(project: Project, options: TypesOptions): Promise<Outcome<string>> {
  return withBuiltProject(project, false, async ({ uri, config }) => {
    const [types] = await generateTypes(project, uri, config, [options]);
    return types === undefined ? fail([problemOf(undefined, 'The types cannot be generated.')]) : ok(types);
  });
}
