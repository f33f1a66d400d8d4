// Renders the effective configuration as the text of `--dump-config` (`operating.md` §2.1): a configuration file that
// loads to the same configuration and dumps to the same text. It contains the secrets in plain text.
import { quoteConfigText } from '../../src/config/syntax/config-string.ts';
import { compareCodePoints } from '../../src/util/code-points.ts';
import { DIALECTS, SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { appSettingKey } from '../../src/config/resolve/app-settings.ts';
import { resolveJwtCachePolicy } from '../../src/config/resolve/jwt-cache-policy.ts';
import { encodeBase64 } from '../../src/config/resolve/jwt-secret.ts';
import type { OptionKey } from '../../src/config/table/option.ts';
import { OPTIONS, printDefault, printOptionValue, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';

export function renderConfigDump(config: AppConfig): string {
  const options = PUBLIC_OPTION_KEYS.filter((key) => isDumped(key, config)).map(
    (key) => `${OPTIONS[key].name} = ${renderValue(key, config)}`,
  );
  const settings = config.appSettings.map(([name, value]) => `${appSettingKey(name)} = ${quoteConfigText(value)}`);
  const lines = [...options, ...settings].sort(compareCodePoints);
  return `${lines.join('\n')}\n`;
}

/** An unset option has its dialect's default, and an unset dialect is the default one. */
function isDumped(key: OptionKey, config: AppConfig): boolean {
  const dialect = DIALECTS[config.dialect];
  if (dialect.dumpsEveryOption || OPTIONS[key].isOwn === undefined) return true;
  return printOption(key, config) !== printDefault(key, key === 'dialect' ? SVC_DIALECT : dialect);
}

function renderValue(key: OptionKey, config: AppConfig): string {
  const text = printOption(key, config);
  return text !== undefined && OPTIONS[key].type.isBare ? text : quoteConfigText(text ?? '');
}

function printOption(key: OptionKey, config: AppConfig): string | undefined {
  // An unset lifetime enables the cache if the number of entries is set, which it is in every dump.
  if (key === 'jwtCacheMaxLifetime' && resolveJwtCachePolicy(config) === undefined) return '0';
  if (key === 'jwtSecret' && config.jwtSecretIsBase64 && config.jwtSecret) return encodeBase64(config.jwtSecret);
  return printOptionValue(key, config[key]);
}
