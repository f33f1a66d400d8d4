// Where options come from: in-database settings, environment, configuration file; and which of them decides
// (`operating.md` §1.1).
import type { DialectName } from '../../contract/dialect.ts';
import { ok, type Result } from '../../contract/result.ts';
import { findAmbientVariable } from './ambient-variables.ts';
import type { ConfigEntries } from '../syntax/config-file.ts';
import type { ConfigValue } from '../syntax/config-value.ts';
import { environmentName, inDatabaseName } from '../table/option.ts';

export interface InDatabaseSetting {
  readonly value: string;
  /** `role`: from `ALTER ROLE`; `function`: set by the pre-config function. */
  readonly source: 'role' | 'function';
}

/** By name without the settings prefix: `db_schemas`. */
export type InDatabaseSettings = ReadonlyMap<string, InDatabaseSetting>;

export interface ConfigSources {
  /** What the command line says. */
  readonly dialect: DialectName | undefined;
  readonly database: InDatabaseSettings;
  readonly environment: ReadonlyMap<string, string>;
  readonly file: ConfigEntries;
  /** Keys of the file that others are made of. */
  readonly fileVariables: ReadonlySet<string>;
  /** Keys that stand in `file` without being of the file: the command line or the program states them. */
  readonly given: ReadonlySet<string>;
}

/** Once it is known how variables are called. */
export interface NamedSources extends ConfigSources {
  readonly environmentPrefix: string;
  /** Before the names in the database. */
  readonly settingsPrefix: string;
}

/** What an option must tell for its value to be found. */
interface Findable<T> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly isInDatabase?: true;
  readonly type: { readonly parse: (value: ConfigValue, optionName: string) => Result<T | undefined, string> };
}

export interface StatedValue {
  readonly value: ConfigValue;
  /** Where it is stated, for a message: `SVC_DB_POOL`. */
  readonly place: string;
}

/** The configured value; undefined when no source has a usable one. */
export function findOptionValue<T>(option: Findable<T>, sources: NamedSources): Result<T | undefined, string> {
  for (const { value } of findStatedValues(option, sources)) {
    const parsed = option.type.parse(value, option.name);
    if (!parsed.ok || parsed.value !== undefined) return parsed;
  }
  return ok(undefined);
}

/** What decides for the name itself, then for each alias: these count only when the name itself has nothing usable. */
export function findStatedValues(
  { name, aliases = [], isInDatabase }: Pick<Findable<unknown>, 'name' | 'aliases' | 'isInDatabase'>,
  sources: NamedSources,
): readonly StatedValue[] {
  const inDatabase = isInDatabase ? findInDatabase(name, sources) : undefined;
  const stated = [inDatabase ?? findOutside(name, sources), ...aliases.map((alias) => findOutside(alias, sources))];
  return stated.filter((value) => value !== undefined);
}

/** Empty may be a left-over of what a function had set, so it states nothing (`operating.md` §1.7 item 6). */
function findInDatabase(name: string, { database, settingsPrefix }: NamedSources): StatedValue | undefined {
  const setting = database.get(inDatabaseName(name));
  if (setting === undefined || (setting.source === 'function' && setting.value === '')) return undefined;
  return { value: { kind: 'text', text: setting.value }, place: `${settingsPrefix}${inDatabaseName(name)}` };
}

function findOutside(name: string, sources: NamedSources): StatedValue | undefined {
  const { environment, environmentPrefix, file } = sources;
  const own = readVariable(environmentName(name, environmentPrefix), environment);
  if (own !== undefined) return own;
  const value = file.get(name);
  if (value !== undefined) return { value, place: placeOfKey(name, sources) };
  const ambient = findAmbientVariable(name, environment);
  return ambient === undefined ? undefined : readVariable(ambient, environment);
}

/** For a message. */
export function placeOfKey(key: string, { given }: ConfigSources): string {
  return given.has(key) ? 'the options given' : 'the configuration file';
}

function readVariable(variable: string, environment: ReadonlyMap<string, string>): StatedValue | undefined {
  const text = environment.get(variable);
  return text === undefined ? undefined : { value: { kind: 'text', text }, place: variable };
}
