// Texts of the command line that need no configuration: usage, help, version (`operations.md` §2).
import { environmentName } from '../config/option.ts';
import { OPTIONS, printDefault, PUBLIC_OPTION_KEYS } from '../config/options.ts';
import { type Dialect, DIALECTS } from '../contract/dialect.ts';
import { PRODUCT } from '../contract/product.ts';
import { FLAGS } from './flags.ts';

const { name, version, token } = PRODUCT;

export function renderVersion(): string {
  return `${name} ${version}\n`;
}

function renderUsage(): string {
  const indent = ' '.repeat(`Usage: ${token}`.length);
  return `Usage: ${token} [-v|--version] [-e|--example] [--dump-config | --dump-schema | --ready]
${indent} [--runtime-metrics] [--demo] [--dialect NAME] [FILENAME]
       ${token} sql FILE.sql [--database NAME]
       ${token} types [--dialect NAME] [FILENAME]
`;
}

/** What to print on stderr when the arguments cannot be understood. */
export function renderUsageError(message: string): string {
  return `${message}\n\n${renderUsage()}`;
}

export function renderHelp(dialect: Dialect): string {
  const flags = FLAGS.map(({ name, letter, doc }) => [letter ? `-${letter}, --${name}` : `--${name}`, doc] as const);
  const options = PUBLIC_OPTION_KEYS.map((key) => [OPTIONS[key].name, describeOption(key, dialect)] as const);
  return `${renderUsage()}
  ${name} ${version} / create a REST API to an existing Postgres database

Available options:
${renderColumns(flags)}
  --dialect NAME: speak this dialect (${Object.keys(DIALECTS).join(', ')})
  FILENAME: a configuration file
  sql FILE.sql: run a file of SQL in the embedded database
  types: show the TypeScript types of the exposed schemas, for typed clients

Configuration, in the file by these names or in the environment as in ${environmentName('db-schemas', dialect.environmentPrefix)}:
${renderColumns(options)}`;
}

function describeOption(key: (typeof PUBLIC_OPTION_KEYS)[number], dialect: Dialect): string {
  const text = printDefault(key, dialect);
  return text ? `${OPTIONS[key].doc} (default: ${text})` : OPTIONS[key].doc;
}

function renderColumns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}
