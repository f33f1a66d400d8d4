// Combines the configuration of the command line with the environment into a `ConfigLocation`.
import { appSettingKey } from '../../src/config/resolve/app-settings.ts';
import { environmentName } from '../../src/config/table/option.ts';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { overrideOptions } from '../../src/service/configuration/override-options.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import type { CommandLineConfig } from './command.ts';

const SETTINGS = appSettingKey('');

export function locateConfig(
  { file, dialect, options }: CommandLineConfig,
  environment: ConfigLocation['environment'],
): ConfigLocation {
  const location = { file, dialect, environment: dropSettings(environment, Object.keys(options)) };
  return overrideOptions(location, options);
}

/** Removes environment variables of application settings that flags override, ignoring case. */
function dropSettings(environment: ConfigLocation['environment'], options: readonly string[]): typeof environment {
  const settings = options.filter((name) => name.startsWith(SETTINGS)).map((name) => name.slice(SETTINGS.length));
  const dropped = new Set(
    Object.values(DIALECTS).flatMap(({ environmentPrefix }) =>
      settings.map((name) => (environmentName('app-settings-', environmentPrefix) + name).toLowerCase()),
    ),
  );
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !dropped.has(name.toLowerCase())));
}
