// Options given by the caller → the location of the configuration, with these options taking precedence.
import { environmentName } from '../../config/table/option.ts';
import { DIALECTS } from '../../contract/dialect.ts';
import type { ConfigLocation } from './read-config.ts';

/** The options, by name, take precedence over file and environment. */
export function overrideOptions(location: ConfigLocation, options: Readonly<Record<string, string>>): ConfigLocation {
  const decided = new Set(Object.keys(options).flatMap(listVariables));
  const environment = Object.entries(location.environment).filter(([name]) => !decided.has(name));
  return {
    ...location,
    environment: Object.fromEntries(environment),
    overrides: { ...location.overrides, ...options },
  };
}

/** The variables by which any dialect states the option. */
export function listVariables(option: string): readonly string[] {
  return Object.values(DIALECTS).map(({ environmentPrefix }) => environmentName(option, environmentPrefix));
}
