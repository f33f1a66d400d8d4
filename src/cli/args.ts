// Command-line arguments → what the process is to do (`operations.md` §2); an error is a message to print above the usage.
import { fail, ok, type Result } from '../contract/result.ts';
import { type Flag, FLAGS } from './flags.ts';

/** `file`: the configuration file. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'example'; readonly format: 'file' | 'environment' | 'database' }
  | { readonly kind: 'configSchema' }
  | { readonly kind: 'dumpConfig'; readonly file: string | undefined }
  | { readonly kind: 'dumpSchema'; readonly file: string | undefined }
  | { readonly kind: 'types'; readonly file: string | undefined }
  | { readonly kind: 'ready'; readonly file: string | undefined }
  | { readonly kind: 'loadSql'; readonly file: string; readonly database: string | undefined }
  | {
      readonly kind: 'serve';
      readonly file: string | undefined;
      /** Serves the demo in an embedded database. */
      readonly isDemo: boolean;
      readonly hasRuntimeMetrics: boolean;
    };

interface Arguments {
  readonly flags: ReadonlySet<Flag>;
  readonly files: readonly string[];
}

/** `args` without interpreter and program. */
export function parseArgs(args: readonly string[]): Result<Command, string> {
  const { own, hasStatistics } = takeRuntimeOptions(args);
  if (own[0] === 'sql') return parseLoadSql(own.slice(1));
  if (own[0] === 'types') return parseTypes(own.slice(1));
  const parsed = sortArguments(own);
  if (!parsed.ok) return parsed;
  const { flags, files } = parsed.value;
  return chooseCommand(hasStatistics ? { flags: new Set([...flags, 'runtime-metrics']), files } : { flags, files });
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

function sortArguments(args: readonly string[]): Result<Arguments, string> {
  const end = args.indexOf('--');
  const beforeEnd = end === -1 ? args : args.slice(0, end);
  const flags = new Set<Flag>();
  const files: string[] = [];
  for (const argument of beforeEnd) {
    if (!argument.startsWith('-') || argument === '-') {
      files.push(argument);
      continue;
    }
    const flag = FLAGS.find(({ name, letter }) => argument === `--${name}` || (letter && argument === `-${letter}`));
    if (flag === undefined) return fail(`Invalid option: ${argument}`);
    flags.add(flag.name);
  }
  if (end !== -1) files.push(...args.slice(end + 1));
  return ok({ flags, files });
}

/** `types [FILENAME]`; a configuration file of that name is given as `./types`. */
function parseTypes(args: readonly string[]): Result<Command, string> {
  const parsed = sortArguments(args);
  if (!parsed.ok) return parsed;
  const { flags, files } = parsed.value;
  if (flags.has('help')) return ok({ kind: 'help' });
  const [flag] = flags;
  if (flag !== undefined) return fail(`--${flag} cannot be given with the command types`);
  return files.length > 1 ? failWithFiles(files) : ok({ kind: 'types', file: files[0] });
}

function failWithFiles(files: readonly string[]): Result<never, string> {
  return fail(`Only one configuration file can be given, not also ${files[1]}`);
}

function chooseCommand({ flags, files }: Arguments): Result<Command, string> {
  if (files.length > 1) return failWithFiles(files);
  const printing = choosePrinting(flags);
  if (printing !== undefined) return ok(printing);
  const modes = (['dump-config', 'dump-schema', 'ready'] as const).filter((mode) => flags.has(mode));
  if (modes.length > 1) return fail(`Only one of ${modes.map((mode) => `--${mode}`).join(', ')} can be given`);
  const [mode] = modes;
  if (mode !== undefined && flags.has('demo')) return fail(`--demo cannot be given with --${mode}`);
  const [file] = files;
  if (mode === 'dump-config') return ok({ kind: 'dumpConfig', file });
  if (mode === 'dump-schema') return ok({ kind: 'dumpSchema', file });
  if (mode === 'ready') return ok({ kind: 'ready', file });
  return ok({ kind: 'serve', file, isDemo: flags.has('demo'), hasRuntimeMetrics: flags.has('runtime-metrics') });
}

/** The commands that only print and need no configuration. */
function choosePrinting(flags: ReadonlySet<Flag>): Command | undefined {
  if (flags.has('help')) return { kind: 'help' };
  if (flags.has('version')) return { kind: 'version' };
  if (flags.has('example') || flags.has('example-file')) return { kind: 'example', format: 'file' };
  if (flags.has('example-env')) return { kind: 'example', format: 'environment' };
  if (flags.has('example-db')) return { kind: 'example', format: 'database' };
  return flags.has('config-schema') ? { kind: 'configSchema' } : undefined;
}

const DATABASE_OPTION = '--database';

/** `sql FILE.sql [--database NAME]`; a configuration file of that name is given as `./sql`. */
function parseLoadSql(args: readonly string[]): Result<Command, string> {
  const rest = [...args];
  const files: string[] = [];
  let database: string | undefined;
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--help' || argument === '-h') return ok({ kind: 'help' });
    if (argument === DATABASE_OPTION || argument.startsWith(`${DATABASE_OPTION}=`)) {
      database = argument === DATABASE_OPTION ? rest.shift() : argument.slice(DATABASE_OPTION.length + 1);
      if (database === undefined || database === '') return fail(`${DATABASE_OPTION} needs a name`);
    } else if (argument.startsWith('-')) {
      return fail(`Invalid option: ${argument}`);
    } else {
      files.push(argument);
    }
  }
  const [file] = files;
  return file === undefined || files.length > 1
    ? fail('The command sql needs the name of one file')
    : ok({ kind: 'loadSql', file, database });
}
