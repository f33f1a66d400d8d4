// Parses the command-line arguments into a command and its configuration (`operating.md` §2). An error is a message to
// print above the usage.
import { type DialectName, DIALECTS } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { findFirstOperand, readArguments, type Arguments } from './arguments.ts';
import {
  type Command,
  type CommandLineConfig,
  findCommand,
  listKnownFlags,
  type Prepared,
  type Program,
  renderUnknownCommand,
  suggestCommand,
} from './command.ts';
import { isUri } from './operands.ts';

const RUNTIME_METRICS = '--runtime-metrics';
const EMPTY_CONFIG: CommandLineConfig = { file: undefined, dialect: undefined, options: {} };

type Environment = Readonly<Record<string, string | undefined>>;

export interface Invocation extends Prepared {
  readonly command: Command;
  readonly config: CommandLineConfig;
}

/** @param args without the interpreter and the program */
export function parseInvocation(
  program: Program,
  args: readonly string[],
  environment: Environment,
): Result<Invocation, string> {
  const { own, hasStatistics } = takeRuntimeOptions(args);
  const { command: named, rest } = chooseCommand(program, own);
  const metrics = hasStatistics && named === program.main ? [RUNTIME_METRICS] : [];
  const read = readArguments([...metrics, ...rest], listKnownFlags(named));
  if (!read.ok) return read;
  const config = named.isConfigured ? readConfig(program, read.value) : ok(EMPTY_CONFIG);
  if (!config.ok) return config;
  const isHelp = read.value.switches.has('help');
  const command = isHelp ? program.help : named;
  const given = isHelp ? { ...read.value, operands: named.name === undefined ? [] : [named.name] } : read.value;
  const isUnconfigured = (args.length === 0 || setsOnlyListenOrLog(config.value)) && !isServiceConfigured(environment);
  const prepared = command.prepare(given, { program, config: config.value, isUnconfigured });
  return prepared.ok ? ok({ command, config: config.value, ...prepared.value }) : prepared;
}

/** Returns the command named by the arguments, even if they are invalid; else the command that serves. */
export function identifyCommand(program: Program, args: readonly string[]): Command {
  return chooseCommand(program, takeRuntimeOptions(args).own).command;
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
function chooseCommand(
  program: Program,
  args: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  const index = findFirstOperand(args, listKnownFlags(program.main));
  const command = index === undefined ? undefined : findCommand(program, args[index]);
  return command === undefined
    ? { command: program.main, rest: args }
    : { command, rest: args.toSpliced(index ?? 0, 1) };
}

function readConfig(
  program: Program,
  { operands, options: { dialect: dialectName, ...options } }: Arguments,
): Result<CommandLineConfig, string> {
  const dialect = readDialect(dialectName);
  if (!dialect.ok) return dialect;
  const uris = operands.filter(isUri);
  const files = operands.filter((operand) => !isUri(operand));
  const [file, second] = files;
  if (file !== undefined && second !== undefined) {
    const isCommand = suggestCommand(program, file) !== undefined;
    return fail(
      isCommand ? renderUnknownCommand(program, file) : `Specify only one configuration file, not also ${second}`,
    );
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
