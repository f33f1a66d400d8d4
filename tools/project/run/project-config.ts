// The configuration of a project: `rowhouse.conf` and the environment, but not a database (`project.md` §1 item 6).
import { fail } from '../../../src/contract/result.ts';
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import {
  type ConfigLocation,
  createConfigReader,
  overrideOptions,
} from '../../../src/service/configuration/read-config.ts';
import { type Outcome, problemOf } from '../folder/problem.ts';
import type { Project } from '../folder/read-project.ts';

/** @param defaultSchema exposed if `db-schemas` is not set */
export function readProjectConfig(project: Pick<Project, 'configFile'>, defaultSchema: string): Outcome<AppConfig> {
  const config = createConfigReader(locateProjectConfig(project, defaultSchema))(new Map(), undefined);
  return config.ok ? config : fail([problemOf(undefined, config.error.message)]);
}

/** The database of the configuration file is not used. */
export function locateProjectConfig(
  { configFile: file }: Pick<Project, 'configFile'>,
  defaultSchema: string,
): ConfigLocation {
  const defaults = { 'db-schemas': defaultSchema };
  return overrideOptions({ file, environment: process.env, isLenient: true, defaults }, { 'db-uri': '' });
}
