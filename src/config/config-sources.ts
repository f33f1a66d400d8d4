// Where options come from: in-database settings, environment, configuration file; and which of them decides
// (`operating.md` §1.1).
import type { DialectName } from '../contract/dialect.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ConfigEntries } from './config-file.ts';
import type { ConfigValue } from './config-value.ts';
import { environmentName, inDatabaseName } from './option.ts';

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
}

/** Once it is known how variables are called. */
export interface NamedSources extends ConfigSources {
  readonly environmentPrefix: string;
}

/** What an option must tell for its value to be found. */
interface Findable<T> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly isInDatabase?: true;
  readonly type: { readonly parse: (value: ConfigValue, optionName: string) => Result<T | undefined, string> };
}

/** The configured value; undefined when no source has a usable one. Aliases count only when the name itself has none. */
export function findOptionValue<T>(option: Findable<T>, sources: NamedSources): Result<T | undefined, string> {
  const inDatabase = option.isInDatabase ? findInDatabase(option.name, sources.database) : undefined;
  const stated = [inDatabase ?? findOutside(option.name, sources)];
  const alternatives = (option.aliases ?? []).map((alias) => findOutside(alias, sources));
  for (const value of [...stated, ...alternatives]) {
    const parsed = value && option.type.parse(value, option.name);
    if (parsed !== undefined && (!parsed.ok || parsed.value !== undefined)) return parsed;
  }
  return ok(undefined);
}

/** Empty may be a left-over of what a function had set, so it states nothing (`operating.md` §1.7 item 6). */
function findInDatabase(name: string, settings: InDatabaseSettings): ConfigValue | undefined {
  const setting = settings.get(inDatabaseName(name));
  if (setting === undefined || (setting.source === 'function' && setting.value === '')) return undefined;
  return { kind: 'text', text: setting.value };
}

function findOutside(name: string, { environment, environmentPrefix, file }: NamedSources): ConfigValue | undefined {
  const text = environment.get(environmentName(name, environmentPrefix));
  return text === undefined ? file.get(name) : { kind: 'text', text };
}
