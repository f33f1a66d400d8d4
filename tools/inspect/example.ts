// Renders examples of a complete configuration from the option table: as a file, as environment variables or as
// in-database settings. Options without a default, or with an effect even when set to it, are commented out.
import type { Dialect } from '../../src/contract/dialect.ts';
import { appSettingKey } from '../../src/config/resolve/app-settings.ts';
import { quoteConfigText } from '../../src/config/syntax/config-string.ts';
import { environmentName, inDatabaseName, type OptionKey } from '../../src/config/table/option.ts';
import { OPTIONS, printDefault, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';

interface ExampleFormat {
  readonly comment: string;
  readonly renderEntry: (key: OptionKey, value: string, dialect: Dialect) => string;
}

const FILE: ExampleFormat = {
  comment: '# ',
  renderEntry: (key, value) => `${OPTIONS[key].name} = ${OPTIONS[key].type.isBare ? value : quoteConfigText(value)}`,
};

const ENVIRONMENT: ExampleFormat = {
  comment: '# ',
  renderEntry: (key, value, dialect) => `${environmentName(OPTIONS[key].name, dialect.environmentPrefix)}=${value}`,
};

const DATABASE: ExampleFormat = {
  comment: '-- ',
  renderEntry: (key, value, dialect) => {
    const setting = dialect.settingsPrefix + inDatabaseName(OPTIONS[key].name);
    return `ALTER ROLE authenticator SET ${setting} = '${value.replaceAll("'", "''")}';`;
  },
};

/** Returns a configuration file that can be loaded unchanged. */
export function renderExampleFile(dialect: Dialect): string {
  const settings = `## Passed to the database in every transaction\n# ${appSettingKey('motto')} = "any text"\n`;
  return `${renderExample(FILE, PUBLIC_OPTION_KEYS, dialect)}\n${settings}`;
}

export function renderExampleEnvironment(dialect: Dialect): string {
  return renderExample(ENVIRONMENT, PUBLIC_OPTION_KEYS, dialect);
}

/** Returns statements for the options that can be set in the database, for a login role named `authenticator`. */
export function renderExampleDatabase(dialect: Dialect): string {
  return renderExample(
    DATABASE,
    PUBLIC_OPTION_KEYS.filter((key) => OPTIONS[key].isInDatabase),
    dialect,
  );
}

function renderExample(format: ExampleFormat, keys: readonly OptionKey[], dialect: Dialect): string {
  return keys.map((key) => renderOption(format, key, dialect)).join('\n');
}

function renderOption(format: ExampleFormat, key: OptionKey, dialect: Dialect): string {
  const { doc, example, follows, isSwitch } = OPTIONS[key];
  const text = printDefault(key, dialect) ?? '';
  const isActive = text !== '' && follows === undefined && isSwitch === undefined;
  const entry = format.renderEntry(key, text === '' ? (example ?? '') : text, dialect);
  return `${format.comment.trimEnd()}${format.comment}${doc}\n${isActive ? entry : format.comment + entry}\n`;
}
