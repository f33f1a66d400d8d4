// The effective configuration → the text of `--dump-config` (`operating.md` §2.1): a configuration file that, read
// again, gives the same configuration and the same text. It holds the secrets in the clear.
import { compareCodePoints } from '../../util/code-points.ts';
import { DIALECTS, SVC_DIALECT } from '../../contract/dialect.ts';
import type { AppConfig } from '../table/app-config.ts';
import { appSettingKey } from '../resolve/app-settings.ts';
import { quoteConfigText } from '../syntax/config-text.ts';
import { resolveJwtCachePolicy } from '../resolve/jwt-cache-policy.ts';
import { encodeBase64 } from '../resolve/jwt-secret.ts';
import type { OptionKey } from '../table/option.ts';
import { OPTIONS, printDefault, printOptionValue, PUBLIC_OPTION_KEYS } from '../table/options.ts';

export function renderConfigDump(config: AppConfig): string {
  const options = PUBLIC_OPTION_KEYS.filter((key) => isDumped(key, config)).map(
    (key) => `${OPTIONS[key].name} = ${renderValue(key, config)}`,
  );
  const settings = config.appSettings.map(([name, value]) => `${appSettingKey(name)} = ${quoteConfigText(value)}`);
  const lines = [...options, ...settings].sort(compareCodePoints);
  return `${lines.join('\n')}\n`;
}

/** Without being stated, an option is what its dialect has, and the dialect the usual one. */
function isDumped(key: OptionKey, config: AppConfig): boolean {
  const dialect = key === 'dialect' ? SVC_DIALECT : DIALECTS[config.dialect];
  return OPTIONS[key].dump !== 'whenChanged' || printOption(key, config) !== printDefault(key, dialect);
}

function renderValue(key: OptionKey, config: AppConfig): string {
  const text = printOption(key, config);
  return text !== undefined && OPTIONS[key].type.isBare ? text : quoteConfigText(text ?? '');
}

function printOption(key: OptionKey, config: AppConfig): string | undefined {
  // A lifetime that is not set means "on" beside a number of entries, which every dump states.
  if (key === 'jwtCacheMaxLifetime' && resolveJwtCachePolicy(config) === undefined) return '0';
  if (key === 'jwtSecret' && config.jwtSecretIsBase64 && config.jwtSecret) return encodeBase64(config.jwtSecret);
  return printOptionValue(key, config[key]);
}
