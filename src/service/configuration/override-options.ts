// Adds options of the caller to the configuration sources.
import { environmentName } from '../../config/table/option.ts';
import { DIALECTS } from '../../contract/dialect.ts';
import type { ConfigLocation } from './read-config.ts';

/** Makes the options take precedence over file and environment. */
export function overrideOptions(location: ConfigLocation, options: Readonly<Record<string, string>>): ConfigLocation {
  const overridden = new Set(Object.keys(options).flatMap(listVariables));
  const environment = Object.entries(location.environment).filter(([name]) => !overridden.has(name));
  return {
    ...location,
    environment: Object.fromEntries(environment),
    overrides: { ...location.overrides, ...options },
  };
}

/** Returns the environment variables that set the option in any dialect. */
export function listVariables(option: string): readonly string[] {
  return Object.values(DIALECTS).map(({ environmentPrefix }) => environmentName(option, environmentPrefix));
}
