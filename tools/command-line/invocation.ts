// Parses the command-line arguments into a command and its configuration (`operating.md` §2). An error is a message to
// print above the usage.
import { type DialectName, DIALECTS } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { Command, CommandName, Invocation, CommandLineConfig } from './command.ts';
import {
  type CommandSpec,
  findCommand,
  listKnownFlags,
  MAIN,
  renderUnknownCommand,
  suggestCommand,
} from './commands.ts';
import { isUri } from './project-arguments.ts';
import { findFirstOperand, readArguments, type Arguments } from './arguments.ts';

const RUNTIME_METRICS = '--runtime-metrics';
const EMPTY_CONFIG: CommandLineConfig = { file: undefined, dialect: undefined, options: {} };

type Environment = Readonly<Record<string, string | undefined>>;

/** @param args without the interpreter and the program */
export function parseInvocation(args: readonly string[], environment: Environment): Result<Invocation, string> {
  const parsed = parseArguments(args);
  if (!parsed.ok || parsed.value.command.kind !== 'serve' || parsed.value.command.demo === 'requested') return parsed;
  const { command, config } = parsed.value;
  const isUnconfigured = args.length === 0 || setsOnlyListenOrLog(config);
  return isUnconfigured && !isServiceConfigured(environment)
    ? ok({ command: { ...command, demo: 'default' }, config })
    : parsed;
}

/** Returns the name of the command, even if its arguments are invalid; undefined for the whole program. */
export function nameCommand(args: readonly string[]): CommandName | undefined {
  return chooseCommand(takeRuntimeOptions(args).own).spec.name;
}

/** The exit code of what could not run, where it is not 1: that means differences or warnings there. */
const COULD_NOT_RUN: ReadonlyMap<CommandName | undefined, number> = new Map([
  ['compare', 2],
  ['doctor', 2],
  ['deploy', 2],
  ['dev', 2],
  ['diff', 2],
  ['migrate', 2],
  ['new', 2],
  ['check', 3],
]);

/** Returns the exit code of invalid arguments of a command (`project.md` §6 item 1 and §7). */
export function usageExitCodeOf(command: CommandName | undefined): number {
  return COULD_NOT_RUN.get(command) ?? 1;
}

/** Options that configure only where the server listens and what it logs, not what it serves. */
const LISTEN_OR_LOG = /^(?:(?:admin-)?server|log)-/u;

function setsOnlyListenOrLog({ file, dialect, options }: CommandLineConfig): boolean {
  const names = Object.keys(options);
  return (
    file === undefined && dialect === undefined && names.length > 0 && names.every((name) => LISTEN_OR_LOG.test(name))
  );
}

/** Returns whether a variable configures which database to serve, or how. */
function isServiceConfigured(environment: Environment): boolean {
  const listenOrLog = /^SVC_(?:(?:ADMIN_)?SERVER|LOG)_/u;
  return Object.entries(environment).some(
    ([name, value]) => value && /^(?:SVC_|PG|DATABASE_URL$)/u.test(name) && !listenOrLog.test(name),
  );
}

function parseArguments(args: readonly string[]): Result<Invocation, string> {
  const { own, hasStatistics } = takeRuntimeOptions(args);
  const { spec, rest } = chooseCommand(own);
  const read = readArguments(hasStatistics && spec === MAIN ? [RUNTIME_METRICS, ...rest] : rest, listKnownFlags(spec));
  if (!read.ok) return read;
  const given = read.value;
  const config = spec.isConfigured ? readConfig(given) : ok(EMPTY_CONFIG);
  if (!config.ok) return config;
  const command = buildCommand(spec, given);
  if (!command.ok) return command;
  if (command.value.kind === 'serve' && command.value.demo === 'requested' && 'db-uri' in config.value.options)
    return fail('--demo uses its own database, so it cannot be combined with --db-uri or a URI');
  return ok({ command: command.value, config: config.value });
}

/** Removes `+RTS … -RTS`, in which some operators pass `-T` to enable runtime statistics. */
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

/** Returns the command named by the first operand, else the command that serves. */
function chooseCommand(args: readonly string[]): { readonly spec: CommandSpec; readonly rest: readonly string[] } {
  const index = findFirstOperand(args, listKnownFlags(MAIN));
  const spec = index === undefined ? undefined : findCommand(args[index]);
  return spec === undefined ? { spec: MAIN, rest: args } : { spec, rest: args.toSpliced(index ?? 0, 1) };
}

function buildCommand(spec: CommandSpec, given: Arguments): Result<Command, string> {
  return given.switches.has('help') ? ok({ kind: 'help', about: spec.name }) : spec.build(given);
}

function readConfig({
  operands,
  options: { dialect: dialectName, ...options },
}: Arguments): Result<CommandLineConfig, string> {
  const dialect = readDialect(dialectName);
  if (!dialect.ok) return dialect;
  const uris = operands.filter(isUri);
  const files = operands.filter((operand) => !isUri(operand));
  const [file, second] = files;
  if (file !== undefined && second !== undefined) {
    const isCommand = suggestCommand(file) !== undefined;
    return fail(isCommand ? renderUnknownCommand(file) : `Specify only one configuration file, not also ${second}`);
  }
  // The message repeats neither URI, because they may contain passwords.
  if (uris.length + ('db-uri' in options ? 1 : 0) > 1) return fail('Specify only one database');
  const [uri] = uris;
  return ok({ file, dialect: dialect.value, options: uri === undefined ? options : { ...options, 'db-uri': uri } });
}

function readDialect(name: string | undefined): Result<DialectName | undefined, string> {
  if (name === undefined) return ok(undefined);
  const dialect = Object.values(DIALECTS).find((candidate) => candidate.name === name);
  return dialect === undefined
    ? fail(`--dialect requires one of ${Object.keys(DIALECTS).join(', ')}`)
    : ok(dialect.name);
}
