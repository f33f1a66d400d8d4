// Resolves the values passed to the database in every transaction: `app.settings.*` of the file and of the environment
// (`operating.md` §1.5, §4.4).
import type { Dialect } from '../../contract/dialect.ts';
import { isConfigKey } from '../syntax/config-syntax.ts';
import type { NamedSources } from './config-sources.ts';
import { type ConfigValue, readText } from '../syntax/config-value.ts';
import { environmentName } from '../table/option.ts';

const PREFIX = 'app.settings.';

/** Returns the full name of an application setting, as in the file and the dump. */
export function appSettingKey(name: string): string {
  return PREFIX + name;
}

/**
 * Lists file entries first, then variables: PostgreSQL ignores case, so the later of `X` and `x` wins there too. Unlike
 * for options, an empty value counts as set. Omits variables whose name could not be a key of the file.
 */
export function resolveAppSettings(
  sources: NamedSources,
  dialect: Dialect,
): readonly (readonly [name: string, value: string])[] {
  const settings = new Map<string, string>();
  for (const [key, value] of sources.file) {
    const text = readSetting(value, dialect);
    if (isAppSettingKey(key) && text !== undefined) settings.set(key.slice(PREFIX.length), text);
  }
  const prefix = variablePrefix(sources.environmentPrefix);
  for (const [key, text] of sources.environment) {
    const name = key.startsWith(prefix) ? key.slice(prefix.length) : '';
    if (isConfigKey(appSettingKey(name))) settings.set(name, text);
  }
  return [...settings];
}

function readSetting(value: ConfigValue, { areBareSettingsTyped }: Dialect): string | undefined {
  if (value.kind === 'boolean' && areBareSettingsTyped) return value.value ? 'Bool True' : 'Bool False';
  return readText(value);
}

export function isAppSettingKey(key: string): boolean {
  return key.startsWith(PREFIX);
}

export function isAppSettingVariable(name: string, environmentPrefix: string): boolean {
  return name.startsWith(variablePrefix(environmentPrefix));
}

function variablePrefix(environmentPrefix: string): string {
  return environmentName('app-settings-', environmentPrefix);
}
