// Command line, variables and file → the dialect, which must be known before anything else is read, since it names the
// variables. Those of another dialect are read where none of its own is set: an environment may stay as it is.
import { type Dialect, type DialectName, DIALECTS, SVC_DIALECT } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isAppSettingVariable } from './app-settings.ts';
import type { ConfigSources } from './config-sources.ts';
import type { ConfigValue } from '../syntax/config-value.ts';
import { environmentName } from '../table/option.ts';
import { OPTION_NAMES, OPTIONS } from '../table/options.ts';

export interface DialectChoice {
  readonly dialect: Dialect;
  /** Of the variables to read. */
  readonly environmentPrefix: string;
}

type DialectSources = Pick<ConfigSources, 'dialect' | 'environment' | 'file'>;

const PREFIXES: readonly string[] = Object.values(DIALECTS).map(({ environmentPrefix }) => environmentPrefix);

/** Every option and alias but the dialect, which any environment may state. */
const NAMES: readonly string[] = [...OPTION_NAMES].filter((name) => name !== OPTIONS.dialect.name);

export function resolveDialect(sources: DialectSources): Result<DialectChoice, string> {
  const name = sources.dialect === undefined ? findDialectName(sources) : ok(sources.dialect);
  if (!name.ok) return name;
  const dialect = DIALECTS[name.value];
  return ok({ dialect, environmentPrefix: chooseEnvironment(dialect, sources.environment) });
}

/** The first usable statement; variables of any prefix go before the file. */
function findDialectName({ environment, file }: DialectSources): Result<DialectName, string> {
  const { name, type } = OPTIONS.dialect;
  const variables = PREFIXES.map((prefix) => environment.get(environmentName(name, prefix)));
  const stated = variables.filter((text) => text !== undefined).map((text): ConfigValue => ({ kind: 'text', text }));
  const inFile = file.get(name);
  for (const value of inFile === undefined ? stated : [...stated, inFile]) {
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

/** A variable that only shares the prefix, as container platforms set them, says nothing. */
function isOptionVariable(variable: string, prefix: string): boolean {
  return isAppSettingVariable(variable, prefix) || NAMES.some((name) => environmentName(name, prefix) === variable);
}
