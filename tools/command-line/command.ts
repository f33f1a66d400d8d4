// What a command is: its purpose and its flags, how its arguments become options, and what it runs. Each is a file of
// `commands/`; parsing, help and completion use the list of them.
import type { DialectName } from '../../src/contract/dialect.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import type { ProcessSignals } from '../../src/server/process-signals.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import { suggest } from '../../src/util/suggest.ts';
import type { Arguments, KnownFlags } from './arguments.ts';
import { ALIAS_FLAGS, type Flag, OPTION_FLAGS } from './flags.ts';

export interface Command {
  /** Undefined for the command that serves. To pass a file that has the name of a command, write `./types`. */
  readonly name: string | undefined;
  /** Operands as shown in the usage: `FILE.sql`. */
  readonly operands: string;
  readonly doc: string;
  readonly flags: readonly Flag[];
  /** Whether the command accepts the configuration: a file, a database URI and every option. */
  readonly isConfigured: boolean;
  /**
   * Exit code of what could not run: invalid arguments, or a file that cannot be read or written (`project.md` §6 item 1
   * and §7). Undefined: 1 for invalid arguments, and the tool reports the rest.
   */
  readonly failure: number | undefined;
  readonly prepare: (given: Arguments, circumstances: Circumstances) => Result<Prepared, string>;
}

export interface Program {
  readonly main: Command;
  readonly help: Command;
  /** All commands with a name, in the order of the help. */
  readonly commands: readonly Command[];
}

/** What a command may depend on beside its arguments. */
export interface Circumstances {
  readonly program: Program;
  readonly config: CommandLineConfig;
  /** Whether neither arguments nor environment specify a database to serve. */
  readonly isUnconfigured: boolean;
}

export interface CommandLineConfig {
  /** The configuration file. */
  readonly file: string | undefined;
  /** Undefined: taken from the environment or the file. */
  readonly dialect: DialectName | undefined;
  /** Keyed by option name; these override environment and file. */
  readonly options: Readonly<Record<string, string>>;
}

export interface RunContext {
  readonly program: Program;
  readonly location: ConfigLocation;
  /** Already caught if the command serves. */
  readonly signals: ProcessSignals;
}

/** A command with its arguments. */
export interface Prepared {
  readonly options: unknown;
  /** Serves requests; `interactive` for a person who watches the terminal. */
  readonly serving: 'service' | 'interactive' | undefined;
  /** @returns the exit code */
  readonly run: (context: RunContext) => Promise<number>;
}

/** What each flag does, under the flag as help shows it: `--yes`, `--role NAME` or `-v, --version`. */
export type FlagTable = Readonly<Record<`--${string}` | `-${string}, --${string}`, string>>;

type WithValue = `${string}--${string} ${string}`;

type NameOf<K> = K extends `${string}--${infer Name} ${string}`
  ? Name
  : K extends `${string}--${infer Name}`
    ? Name
    : never;

/** The arguments of a command. Its table says which names are valid. */
export interface Given<T extends FlagTable> {
  readonly has: (name: NameOf<keyof T>) => boolean;
  /** Returns the last value if there are several. */
  readonly value: (name: NameOf<Extract<keyof T, WithValue>>) => string | undefined;
  readonly values: (name: NameOf<Extract<keyof T, WithValue>>) => readonly string[];
  /** Arguments that are not flags; those of a configured command are its configuration. */
  readonly operands: readonly string[];
  /** The last of them, which follow `--`; undefined without it. */
  readonly trailing: readonly string[] | undefined;
}

interface Definition<T extends FlagTable, Options> extends Pick<Command, 'name' | 'operands' | 'doc'> {
  /** Without `--help`, which every command has. */
  readonly flags: T;
  readonly isConfigured?: true;
  readonly failure?: number;
  readonly read: (given: Given<T>, circumstances: Circumstances) => Result<Options, string>;
  readonly findServing?: (options: Options) => Prepared['serving'];
  /** Imports the tool, so that a command loads no other. */
  readonly run: (options: Options, context: RunContext) => Promise<number>;
}

/** Operands of the commands that accept the configuration. */
export const SOURCE = '[--OPTION VALUE]... [FILE] [URI]';

export const HELP = { '-h, --help': 'Show this help' };

export function defineCommand<T extends FlagTable, Options>(definition: Definition<T, Options>): Command {
  const { isConfigured = false, failure, read, findServing, run, ...shown } = definition;
  return {
    ...shown,
    flags: Object.entries({ ...definition.flags, ...HELP }).map(([spelled, doc]) => readFlag(spelled, doc)),
    isConfigured,
    failure,
    prepare({ switches, values, operands, trailing }, circumstances) {
      const given: Given<T> = {
        has: (name) => switches.has(name) || values.has(name),
        value: (name) => values.get(name)?.at(-1),
        values: (name) => values.get(name) ?? [],
        operands,
        trailing,
      };
      const options = read(given, circumstances);
      if (!options.ok) return options;
      const serving = findServing?.(options.value);
      return ok({ options: options.value, serving, run: (context) => run(options.value, context) });
    },
  };
}

function readFlag(spelled: string, doc: string): Flag {
  const [, letter, name = '', value] = /^(?:-(\w), )?--([\w-]+)(?: (.+))?$/u.exec(spelled) ?? [];
  return { name, doc, ...(letter !== undefined && { letter }), ...(value !== undefined && { value }) };
}

export function findCommand({ commands }: Program, name: string | undefined): Command | undefined {
  return commands.find((command) => command.name === name);
}

const MIN_SIMILARITY = 0.6;

/** Returns the name of the command that the word may be a misspelling of. */
export function suggestCommand({ commands }: Program, word: string): string | undefined {
  const names = commands.flatMap(({ name }) => name ?? []);
  return suggest(names, word, { minimum: MIN_SIMILARITY });
}

export function renderUnknownCommand(program: Program, word: string): string {
  const suggestion = suggestCommand(program, word);
  return `Unknown command: ${word}${suggestion === undefined ? '' : `\nDid you mean ${suggestion}?`}`;
}

export function listKnownFlags({ flags, isConfigured }: Command): KnownFlags {
  return { flags, options: isConfigured ? [...OPTION_FLAGS, ...ALIAS_FLAGS] : [] };
}
