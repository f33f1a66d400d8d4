// The table of all options, from which resolution, dump, help, examples, JSON Schema and reference derive.
import { compareCodePoints } from '../../util/code-points.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { AppConfig } from './app-config.ts';
import type { Option, OptionKey, OptionTable } from './option.ts';
import { AUTH_OPTIONS } from './options-auth.ts';
import { DATABASE_OPTIONS } from './options-database.ts';
import { STREAM_OPTIONS } from './options-live.ts';
import { SERVER_OPTIONS } from './options-server.ts';
import { SERVICE_OPTIONS } from './options-service.ts';

export const OPTIONS: OptionTable = {
  ...SERVER_OPTIONS,
  ...DATABASE_OPTIONS,
  ...AUTH_OPTIONS,
  ...SERVICE_OPTIONS,
  ...STREAM_OPTIONS,
};

export const OPTION_KEYS: readonly OptionKey[] = Object.keys(OPTIONS).filter(isOptionKey);

export const PUBLIC_OPTION_KEYS: readonly OptionKey[] = OPTION_KEYS.filter(
  (key) => OPTIONS[key].isInternal === undefined,
).sort((a, b) => compareCodePoints(OPTIONS[a].name, OPTIONS[b].name));

export const OPTION_NAMES: ReadonlySet<string> = new Set(namesOf(OPTION_KEYS));

/** Names of documented options and their aliases. */
export const PUBLIC_OPTION_NAMES: readonly string[] = namesOf(PUBLIC_OPTION_KEYS);

function namesOf(keys: readonly OptionKey[]): readonly string[] {
  return keys.flatMap((key) => [OPTIONS[key].name].concat(OPTIONS[key].aliases ?? []));
}

function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTIONS, key);
}

/** Renders a value of an option as text that any source accepts; undefined if it is not set. */
export function printOptionValue<Key extends OptionKey>(key: Key, value: AppConfig[Key]): string | undefined {
  return value === undefined ? undefined : OPTIONS[key].type.print(value);
}

export function defaultOf<Key extends OptionKey>(key: Key, dialect: Dialect): AppConfig[Key] {
  const option: Option<AppConfig[Key]> = OPTIONS[key];
  return option.defaultIn?.(dialect) ?? option.default;
}

/** Renders the default as text; undefined if the option has none. */
export function printDefault(key: OptionKey, dialect: Dialect): string | undefined {
  return printOptionValue(key, defaultOf(key, dialect));
}
