// Looks options up in their sources, in order of precedence: in-database settings, environment, configuration file
// (`operating.md` §1.1).
import type { DialectName } from '../../contract/dialect.ts';
import { ok, type Result } from '../../contract/result.ts';
import { findPlatformVariable } from './platform-variables.ts';
import type { ConfigEntries } from '../syntax/config-file.ts';
import type { ConfigValue } from '../syntax/config-value.ts';
import { environmentName, inDatabaseName } from '../table/option.ts';

export interface InDatabaseSetting {
  readonly value: string;
  /** `role`: set by `ALTER ROLE`; `function`: set by the pre-config function. */
  readonly source: 'role' | 'function';
}

/** Keyed by name without the settings prefix: `db_schemas`. */
export type InDatabaseSettings = ReadonlyMap<string, InDatabaseSetting>;

export interface ConfigSources {
  /** The dialect from the command line. */
  readonly dialect: DialectName | undefined;
  readonly database: InDatabaseSettings;
  readonly environment: ReadonlyMap<string, string>;
  readonly file: ConfigEntries;
  /** Keys of the file that other values of the file interpolate. */
  readonly fileVariables: ReadonlySet<string>;
  /** Keys in `file` that come from the command line or the embedding program instead. */
  readonly overrideKeys: ReadonlySet<string>;
}

/** The sources, once the dialect has determined the prefixes. */
export interface NamedSources extends ConfigSources {
  readonly environmentPrefix: string;
  readonly settingsPrefix: string;
}

/** The properties of an option that the lookup needs. */
interface LookupOption<T> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly isInDatabase?: true;
  readonly type: { readonly parse: (value: ConfigValue, optionName: string) => Result<T | undefined, string> };
}

export interface SourceValue {
  readonly value: ConfigValue;
  /** Where the value comes from, for messages: `SVC_DB_POOL`. */
  readonly place: string;
}

/** Returns the configured value, or undefined if no source has a usable one. */
export function findOptionValue<T>(option: LookupOption<T>, sources: NamedSources): Result<T | undefined, string> {
  for (const { value } of findSourceValues(option, sources)) {
    const parsed = option.type.parse(value, option.name);
    if (!parsed.ok || parsed.value !== undefined) return parsed;
  }
  return ok(undefined);
}

/**
 * Returns the value set under the name itself, then one per alias; aliases count only if the name has no usable value.
 */
export function findSourceValues(
  { name, aliases = [], isInDatabase }: Pick<LookupOption<unknown>, 'name' | 'aliases' | 'isInDatabase'>,
  sources: NamedSources,
): readonly SourceValue[] {
  const inDatabase = isInDatabase ? findInDatabase(name, sources) : undefined;
  const sourceValues = [
    inDatabase ?? findOutside(name, sources),
    ...aliases.map((alias) => findOutside(alias, sources)),
  ];
  return sourceValues.filter((value) => value !== undefined);
}

/** An empty value may be left over from a function's setting, so it counts as unset (`operating.md` §1.7 item 6). */
function findInDatabase(name: string, { database, settingsPrefix }: NamedSources): SourceValue | undefined {
  const setting = database.get(inDatabaseName(name));
  if (setting === undefined || (setting.source === 'function' && setting.value === '')) return undefined;
  return { value: { kind: 'text', text: setting.value }, place: `${settingsPrefix}${inDatabaseName(name)}` };
}

function findOutside(name: string, sources: NamedSources): SourceValue | undefined {
  const { environment, environmentPrefix, file } = sources;
  const own = readVariable(environmentName(name, environmentPrefix), environment);
  if (own !== undefined) return own;
  const value = file.get(name);
  if (value !== undefined) return { value, place: placeOfKey(name, sources) };
  const platformVariable = findPlatformVariable(name, environment);
  return platformVariable === undefined ? undefined : readVariable(platformVariable, environment);
}

/** Returns where a key of `file` comes from, for messages. */
export function placeOfKey(key: string, { overrideKeys }: ConfigSources): string {
  return overrideKeys.has(key) ? 'the options given' : 'the configuration file';
}

function readVariable(variable: string, environment: ReadonlyMap<string, string>): SourceValue | undefined {
  const text = environment.get(variable);
  return text === undefined ? undefined : { value: { kind: 'text', text }, place: variable };
}
