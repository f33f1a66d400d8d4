// Command-line arguments → what the process is to do, and what they say of the configuration (`operating.md` §2). An
// error is a message to print above the usage.
import { type DialectName, DIALECTS } from '../contract/dialect.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { Command, CommandName, Invocation, StatedConfig } from './arguments/command.ts';
import { type CommandSpec, findCommand, listKnownFlags, MAIN } from './commands.ts';
import { findFirstOperand, readWords, type Words } from './arguments/read-words.ts';

const RUNTIME_METRICS = '--runtime-metrics';
const UNSTATED: StatedConfig = { file: undefined, dialect: undefined, options: {} };

type Environment = Readonly<Record<string, string | undefined>>;

/** @param args without interpreter and program */
export function parseInvocation(args: readonly string[], environment: Environment): Result<Invocation, string> {
  const parsed = parseArguments(args);
  if (!parsed.ok || parsed.value.command.kind !== 'serve' || parsed.value.command.demo === 'wanted') return parsed;
  const { command, config } = parsed.value;
  const isNothingSaid = args.length === 0 || saysOnlyWhere(config);
  return isNothingSaid && !isAnythingSaid(environment)
    ? ok({ command: { ...command, demo: 'offered' }, config })
    : parsed;
}

/** The command that the arguments are for, also where they are wrong; undefined for the program as a whole. */
export function nameCommand(args: readonly string[]): CommandName | undefined {
  return chooseCommand(takeRuntimeOptions(args).own).spec.name;
}

/** Options by which nobody says what is served, only where it listens and what it logs. */
const WHERE = /^(?:(?:admin-)?server|log)-/u;

function saysOnlyWhere({ file, dialect, options }: StatedConfig): boolean {
  const names = Object.keys(options);
  return file === undefined && dialect === undefined && names.length > 0 && names.every((name) => WHERE.test(name));
}

/** Whether a variable may say which database to serve, or how. */
function isAnythingSaid(environment: Environment): boolean {
  const isWhere = /^SVC_(?:(?:ADMIN_)?SERVER|LOG)_/u;
  return Object.entries(environment).some(
    ([name, value]) => value && /^(?:SVC_|PG|DATABASE_URL$)/u.test(name) && !isWhere.test(name),
  );
}

function parseArguments(args: readonly string[]): Result<Invocation, string> {
  const { own, hasStatistics } = takeRuntimeOptions(args);
  const { spec, rest } = chooseCommand(own);
  const read = readWords(hasStatistics && spec === MAIN ? [RUNTIME_METRICS, ...rest] : rest, listKnownFlags(spec));
  if (!read.ok) return read;
  const words = read.value;
  const config = spec.isConfigured ? readConfig(words) : ok(UNSTATED);
  if (!config.ok) return config;
  const command = buildCommand(spec, words);
  if (!command.ok) return command;
  if (command.value.kind === 'serve' && command.value.demo === 'wanted' && 'db-uri' in config.value.options)
    return fail('--demo brings its own database; leave out one of the two');
  return ok({ command: command.value, config: config.value });
}

/** Takes out `+RTS … -RTS`, by which some operators switch on runtime statistics with `-T`. */
function takeRuntimeOptions(args: readonly string[]): { own: readonly string[]; hasStatistics: boolean } {
  const start = args.indexOf('+RTS');
  if (start === -1) return { own: args, hasStatistics: false };
  const end = args.indexOf('-RTS', start);
  const options = args.slice(start + 1, end === -1 ? undefined : end);
  const rest = takeRuntimeOptions(end === -1 ? [] : args.slice(end + 1));
  return {
    own: [...args.slice(0, start), ...rest.own],
    hasStatistics: options.includes('-T') || rest.hasStatistics,
  };
}

/** The first operand names it, or nothing does. */
function chooseCommand(args: readonly string[]): { readonly spec: CommandSpec; readonly rest: readonly string[] } {
  const index = findFirstOperand(args, listKnownFlags(MAIN));
  const spec = index === undefined ? undefined : findCommand(args[index]);
  return spec === undefined ? { spec: MAIN, rest: args } : { spec, rest: args.toSpliced(index ?? 0, 1) };
}

function buildCommand(spec: CommandSpec, words: Words): Result<Command, string> {
  return words.switches.has('help') ? ok({ kind: 'help', about: spec.name }) : spec.build(words);
}

function readConfig({ operands, options: { dialect: dialectName, ...options } }: Words): Result<StatedConfig, string> {
  const dialect = readDialect(dialectName);
  if (!dialect.ok) return dialect;
  const uris = operands.filter(isUri);
  const files = operands.filter((operand) => !isUri(operand));
  if (files.length > 1) return fail(`Only one configuration file can be given, not also ${files[1]}`);
  // Neither is repeated: there may be a password in it.
  if (uris.length + ('db-uri' in options ? 1 : 0) > 1) return fail('Only one database can be given');
  const [uri] = uris;
  const [file] = files;
  return ok({ file, dialect: dialect.value, options: uri === undefined ? options : { ...options, 'db-uri': uri } });
}

/** Any scheme: one that is mistyped is told of by the reader of the option. */
function isUri(operand: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:\/\/|postg\w*:)/iu.test(operand);
}

function readDialect(name: string | undefined): Result<DialectName | undefined, string> {
  if (name === undefined) return ok(undefined);
  const dialect = Object.values(DIALECTS).find((candidate) => candidate.name === name);
  return dialect === undefined ? fail(`--dialect needs one of ${Object.keys(DIALECTS).join(', ')}`) : ok(dialect.name);
}
