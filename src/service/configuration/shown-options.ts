// Lists the effective options for display. Of options that contain secrets it shows only whether they are set.
import type { ShownOption } from '../../contract/status-document.ts';
import { DIALECTS } from '../../contract/dialect.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { appSettingKey } from '../../config/resolve/app-settings.ts';
import type { OptionKey } from '../../config/table/option.ts';
import { OPTIONS, printDefault, printOptionValue, PUBLIC_OPTION_KEYS } from '../../config/table/options.ts';

/** Connection strings can contain a password in several places, so they are hidden entirely. */
const SECRETS: ReadonlySet<OptionKey> = new Set(['dbUri', 'dbUriReplicas', 'liveDbUri', 'jwtSecret']);
/** Matches the name and password before the host in a URL. */
const USER_INFORMATION = /(?<=\/\/)[^/?#\s]*@/gu;

export function listShownOptions(config: AppConfig): readonly ShownOption[] {
  const options = PUBLIC_OPTION_KEYS.map((key) => showOption(key, config));
  // Application settings often contain keys for database functions.
  const settings = config.appSettings.map(([name]) => hide(appSettingKey(name), false));
  return [...options, ...settings];
}

function showOption(key: OptionKey, config: AppConfig): ShownOption {
  const { name } = OPTIONS[key];
  const value = SECRETS.has(key) ? undefined : printOptionValue(key, config[key]);
  const isDefault = printOptionValue(key, config[key]) === printDefault(key, DIALECTS[config.dialect]);
  if (SECRETS.has(key) && config[key] !== undefined) return hide(name, isDefault);
  return { name, value: value?.replaceAll(USER_INFORMATION, ''), isSecret: false, isDefault };
}

function hide(name: string, isDefault: boolean): ShownOption {
  return { name, isSecret: true, isDefault };
}
