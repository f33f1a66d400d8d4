// Resolves the dialect from command line, variables and file. It must be known before anything else is read, because it
// names the variables. If no variable of the dialect itself is set, those of another one are read, so that an existing
// environment works unchanged.
import { type Dialect, type DialectName, DIALECTS, SVC_DIALECT } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isAppSettingVariable } from './app-settings.ts';
import type { ConfigSources } from './config-sources.ts';
import type { ConfigValue } from '../syntax/config-value.ts';
import { environmentName } from '../table/option.ts';
import { OPTION_NAMES, OPTIONS } from '../table/options.ts';

export interface DialectChoice {
  readonly dialect: Dialect;
  /** Prefix of the variables to read. */
  readonly environmentPrefix: string;
}

type DialectSources = Pick<ConfigSources, 'dialect' | 'environment' | 'file'>;

const PREFIXES: readonly string[] = Object.values(DIALECTS).map(({ environmentPrefix }) => environmentPrefix);

/** All option names and aliases except `dialect`, which may be set under any prefix. */
const NAMES: readonly string[] = [...OPTION_NAMES].filter((name) => name !== OPTIONS.dialect.name);

export function resolveDialect(sources: DialectSources): Result<DialectChoice, string> {
  const name = sources.dialect === undefined ? findDialectName(sources) : ok(sources.dialect);
  if (!name.ok) return name;
  const dialect = DIALECTS[name.value];
  return ok({ dialect, environmentPrefix: chooseEnvironment(dialect, sources.environment) });
}

/** Returns the first usable value; variables of any prefix take precedence over the file. */
function findDialectName({ environment, file }: DialectSources): Result<DialectName, string> {
  const { name, type } = OPTIONS.dialect;
  const variables = PREFIXES.map((prefix) => environment.get(environmentName(name, prefix)));
  const candidates = variables
    .filter((text) => text !== undefined)
    .map((text): ConfigValue => ({ kind: 'text', text }));
  const inFile = file.get(name);
  for (const value of inFile === undefined ? candidates : [...candidates, inFile]) {
    const parsed = type.parse(value, name);
    if (!parsed.ok) return fail(parsed.error);
    if (parsed.value !== undefined) return ok(parsed.value);
  }
  return ok(SVC_DIALECT.name);
}

function chooseEnvironment({ environmentPrefix: own }: Dialect, environment: ConfigSources['environment']): string {
  const variables = [...environment.keys()];
  return [own, ...PREFIXES].find((prefix) => variables.some((name) => isOptionVariable(name, prefix))) ?? own;
}

/** Ignores variables that merely share the prefix, such as those set by container platforms. */
function isOptionVariable(variable: string, prefix: string): boolean {
  return isAppSettingVariable(variable, prefix) || NAMES.some((name) => environmentName(name, prefix) === variable);
}
