// Renders usage, help and version, which need no configuration (`operating.md` §2).
import { environmentName } from '../../src/config/table/option.ts';
import { OPTIONS, printDefault, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import type { Dialect } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { type Command, findCommand, type Program } from './command.ts';
import { type Flag, OPTION_FLAGS, OPTION_GROUPS, type OptionFlag } from './flags.ts';

const { name, version, token } = PRODUCT;

interface HelpStyle {
  readonly dialect: Dialect;
  /** Whether headings are bold, using ANSI escape codes. */
  readonly isColored: boolean;
}

/** Options that most configurations set. */
const COMMON_OPTIONS: readonly string[] = [
  'db-uri',
  'db-schemas',
  'db-anon-role',
  'db-pool',
  'jwt-secret',
  'openapi-mode',
  'server-host',
  'server-port',
  'admin-server-port',
  'log-level',
];

export function renderVersion(): string {
  return `${name} ${version}\n`;
}

/** Renders the text to print on stderr when the arguments of a command are invalid. */
export function renderUsageError(program: Program, command: Command, message: string): string {
  if (command === program.main)
    return `${message}\n\n${renderUsage(program)}\n${token} help options shows all options.\n`;
  return `${message}\n\nUsage: ${renderSynopsis(command)}\n\n${token} help ${command.name} shows all flags.\n`;
}

/** The name of a command, a group of configuration options, or all of them; undefined for the whole program. */
export type HelpTopic = string | { readonly group: string | undefined } | undefined;

export function renderHelp(program: Program, about: HelpTopic, style: HelpStyle): string {
  if (typeof about === 'object') return renderOptionsHelp(program, about.group, style);
  const command = findCommand(program, about);
  return command === undefined ? renderProgramHelp(program, style) : renderCommandHelp(command, style);
}

function renderUsage({ main, commands }: Program): string {
  const indent = ' '.repeat(`Usage: ${token}`.length);
  const synopses = commands.map((command) => `       ${renderSynopsis(command)}\n`).join('');
  return `Usage: ${token} [-v|--version] [-e|--example]
${indent} [--dump-config | --dump-schema | --ready]
${indent} [--runtime-metrics] [--demo] ${main.operands}
${synopses}`;
}

function renderSynopsis({ name: command, operands, flags }: Command): string {
  const own = flags.flatMap((flag) => (flag.value === undefined ? [] : [`[--${flag.name} ${flag.value}]`]));
  // More than one would not fit on a terminal line; `help COMMAND` shows them all.
  return [token, command, ...(own.length > 1 ? ['[FLAG]...'] : own), operands].join(' ');
}

/** Fits a screen of 50 lines; `help options` shows the rest. */
function renderProgramHelp({ main, commands }: Program, style: HelpStyle): string {
  const common = COMMON_OPTIONS.flatMap((option) => OPTION_FLAGS.filter((flag) => flag.option === option));
  const groups = OPTION_GROUPS.map(({ key }) => key).join(', ');
  return [
    `Usage: ${token} [FLAG]... ${main.operands}\n       ${token} COMMAND [FLAG]... [OPERAND]...\n`,
    `  ${name} ${version} / create a REST API to an existing Postgres database\n`,
    renderSection('Commands', commands.map(summarizeCommand), style),
    renderSection('Common options', common.map(summarizeOption), style),
    renderSection(
      'More',
      [
        [token, 'Without anything: a demo with its own PostgreSQL'],
        [`${token} help COMMAND`, 'Flags of a command'],
        [`${token} help options`, 'All options and flags of the server'],
        ['', `or those of a group: ${groups}`],
      ],
      style,
    ),
  ].join('\n');
}

/** Characters of a line beside a name. */
const SUMMARY_LENGTH = 54;

function summarizeCommand({ name: command, doc }: Command): Row {
  return [command ?? '', summarize(doc)];
}

function summarizeOption({ name: flag, value, doc }: OptionFlag): Row {
  return [value === undefined ? `--${flag}` : `--${flag} ${value}`, summarize(doc)];
}

/** Cuts a description after the last clause that fits a line. */
function summarize(doc: string): string {
  const [clause = doc] = doc.split(/[:;(]/u);
  const parts = clause.trim().split(/, | and (?=report)/u);
  let text = parts[0] ?? '';
  for (const part of parts.slice(1))
    if (`${text}, ${part}`.length <= SUMMARY_LENGTH) text += `, ${part}`;
    else break;
  return text;
}

/** Shows all options, or those of a group. */
function renderOptionsHelp({ main }: Program, group: string | undefined, style: HelpStyle): string {
  const shown = OPTION_GROUPS.filter(({ key }) => group === undefined || key === group);
  const sections = shown.map(({ heading, prefixes }) => {
    const flags = OPTION_FLAGS.filter((flag) => prefixes.some((prefix) => flag.name.startsWith(prefix)));
    return renderSection(heading, describeOptions(flags, style), style);
  });
  const flags = group === undefined ? [renderSection('Flags', describeFlags(main.flags), style)] : [];
  return [...flags, ...sections, renderSources(style)].join('\n');
}

function renderCommandHelp(command: Command, style: HelpStyle): string {
  return [
    `Usage: ${renderSynopsis(command)}\n`,
    renderParagraph(command.doc),
    renderSection('Options', describeFlags(command.flags), style),
    ...(command.isConfigured ? [`For the configuration options, see ${token} help options.\n`] : []),
  ].join('\n');
}

/** Explains where options can be set and which source wins. */
function renderSources({ dialect }: HelpStyle): string {
  const variable = environmentName('db-schemas', dialect.environmentPrefix);
  return renderParagraph(
    `Set a configuration option with a flag, an environment variable (${variable} for db-schemas), a line in FILE (db-schemas = "api") or, for some options, a setting in the database. The database overrides flags, flags override the environment, and the environment overrides the file. Switch an option without a value on with --NAME and off with --NAME=false. Pass application settings as --app.settings.NAME=TEXT.`,
  );
}

function renderSection(heading: string, rows: readonly Row[], { isColored }: HelpStyle): string {
  return `${isColored ? `\u001B[1m${heading}:\u001B[22m` : `${heading}:`}\n${renderRows(rows)}`;
}

function describeFlags(flags: readonly Flag[]): readonly Row[] {
  return flags.map(({ name: flag, letter, value, doc }) => [
    `${letter === undefined ? '' : `-${letter}, `}--${flag}${value === undefined ? '' : ` ${value}`}`,
    doc,
  ]);
}

function describeOptions(flags: readonly OptionFlag[], { dialect }: HelpStyle): readonly Row[] {
  return flags.map((flag) => {
    const key = PUBLIC_OPTION_KEYS.find((candidate) => OPTIONS[candidate].name === flag.option);
    const text = key && printDefault(key, dialect);
    const doc = text ? `${flag.doc} (default: ${text.replaceAll(',', ', ')})` : flag.doc;
    return [flag.value === undefined ? `--${flag.name}` : `--${flag.name} ${flag.value}`, doc];
  });
}

/** Columns of a terminal. */
const WIDTH = 80;
const INDENT = 2;
const TEXT_COLUMN = 26;

type Row = readonly [name: string, text: string];

/** Puts each text beside its name, or below the name if that is too long. */
export function renderRows(rows: readonly Row[]): string {
  return rows.map(([name, text]) => `${renderRow(name, wrapWords(text, WIDTH - TEXT_COLUMN))}\n`).join('');
}

/** Wraps a paragraph to the full width. */
export function renderParagraph(text: string): string {
  return `${wrapWords(text, WIDTH).join('\n')}\n`;
}

function renderRow(name: string, lines: readonly string[]): string {
  const left = `${' '.repeat(INDENT)}${name}`;
  const margin = ' '.repeat(TEXT_COLUMN);
  const [first, ...rest] = lines.map((line) => margin + line);
  const fits = left.length <= TEXT_COLUMN - 2;
  return [...(fits ? [left.padEnd(TEXT_COLUMN) + (lines[0] ?? '')] : [left, first ?? '']), ...rest].join('\n');
}

/** Does not break words longer than the width. */
function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
