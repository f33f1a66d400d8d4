// The configuration of a project for its tests.
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import {
  createConfigReader,
  overrideOptions,
  type ReadConfig,
} from '../../../src/service/configuration/read-config.ts';
import type { Project } from '../../project/folder/read-project.ts';

/** What concerns the place of a server, and not what it answers. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'db-channel-enabled': 'false',
  'db-pool': '4',
  'db-uri-replicas': '',
  'server-workers': '1',
};

export interface TestDatabaseFacts {
  readonly uri: string;
  /** Of `db-schemas`, if the project does not set it. */
  readonly defaultSchema: string;
}

export interface TestConfig {
  readonly config: AppConfig;
  readonly readConfig: ReadConfig;
  /** Of the process, without the variables that would lead to another database. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Throws if the configuration is invalid. */
export function readTestConfig(
  { configFile }: Pick<Project, 'configFile'>,
  { uri, defaultSchema }: TestDatabaseFacts,
): TestConfig {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
  const defaults = { 'db-schemas': defaultSchema };
  const location = overrideOptions({ file: configFile, environment, defaults }, { ...OVERRIDES, 'db-uri': uri });
  const readConfig = createConfigReader(location);
  const config = readConfig(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
  return { config: config.value, readConfig, environment };
}
