// The commands as a table: what each is for, its flags, and how its words become what the program does. Parsing, help and
// completion are made from it; a file of a command's name is given as `./types`.
import { fail, ok, type Result } from '../contract/result.ts';
import type { Command, CommandName, Shell } from './arguments/command.ts';
import { type Flag, HELP, MAIN_FLAGS } from './arguments/flags.ts';
import { ALIAS_FLAGS, OPTION_FLAGS } from './arguments/option-flags.ts';
import { INIT_FLAGS, readInitWords } from './init/read-init-words.ts';
import type { KnownFlags, Words } from './arguments/read-words.ts';
import { readTokenWords, TOKEN_FLAGS } from './token/read-token-words.ts';

export interface CommandSpec {
  /** Undefined: the one that serves. */
  readonly name: CommandName | undefined;
  /** How the usage shows what is no flag: `FILE.sql`. */
  readonly operands: string;
  readonly doc: string;
  readonly flags: readonly Flag[];
  /** Whether the configuration may be stated: a file, a database's URI and every option. */
  readonly isConfigured: boolean;
  /** @param words where `isConfigured`, without operands */
  readonly build: (words: Words) => Result<Command, string>;
}

/** What the usage shows where a configuration may be stated. */
const SOURCE = '[--OPTION VALUE]... [FILE] [URI]';

const EXACT_FUNCTIONS = 'exact-functions';

export const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

export const MAIN: CommandSpec = {
  name: undefined,
  operands: SOURCE,
  doc: 'Serve the database of the URI, or what file and environment say',
  flags: MAIN_FLAGS,
  isConfigured: true,
  build: buildMain,
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'dev',
    operands: SOURCE,
    doc: 'Serve for your own desk: on this machine only, without tokens, schema changes picked up; without a database the embedded one',
    flags: [{ name: 'role', value: 'NAME', doc: 'Role of requests without a token; else the login role' }, HELP],
    isConfigured: true,
    build: ({ values }) => ok({ kind: 'dev', role: values.get('role')?.at(-1) }),
  },
  {
    name: 'sql',
    operands: 'FILE.sql',
    doc: 'Run a file of SQL in the embedded database',
    flags: [
      { name: 'database', value: 'NAME', doc: "A database of its own, made when missing; else the demo's" },
      HELP,
    ],
    isConfigured: false,
    build: buildSql,
  },
  {
    name: 'types',
    operands: SOURCE,
    doc: 'Show the TypeScript types of the exposed schemas, for typed clients',
    flags: [
      { name: EXACT_FUNCTIONS, doc: 'Arguments and results of functions are null too where PostgreSQL allows it' },
      HELP,
    ],
    isConfigured: true,
    build: ({ switches }) => ok({ kind: 'types', areFunctionsExact: switches.has(EXACT_FUNCTIONS) }),
  },
  {
    name: 'init',
    operands: '[URI]',
    doc: 'Set a database up: show the SQL for roles, privileges and the reload trigger, run it when told so, and write the configuration file',
    flags: [...INIT_FLAGS, HELP],
    isConfigured: false,
    build: readInitWords,
  },
  {
    name: 'doctor',
    operands: SOURCE,
    doc: 'Look at roles, policies, secrets and indexes, and show what is wrong with the SQL that mends it; ends with 2 for errors, 1 for warnings, else 0',
    flags: [{ name: 'json', doc: 'For machines' }, HELP],
    isConfigured: true,
    build: ({ switches }) => ok({ kind: 'doctor', isJson: switches.has('json') }),
  },
  {
    name: 'token',
    operands: SOURCE,
    doc: 'Show a token signed with the configured secret, to try things out',
    flags: [...TOKEN_FLAGS, HELP],
    isConfigured: true,
    build: readTokenWords,
  },
  {
    name: 'completion',
    operands: SHELLS.join('|'),
    doc: 'Show a script that completes commands and options in a shell',
    flags: [HELP],
    isConfigured: false,
    build: buildCompletion,
  },
  {
    name: 'help',
    operands: '[COMMAND]',
    doc: 'Show what a command is for',
    flags: [HELP],
    isConfigured: false,
    build: buildHelp,
  },
];

export function findCommand(name: CommandName | undefined): CommandSpec | undefined {
  return COMMANDS.find((command) => command.name === name);
}

export function listKnownFlags({ flags, isConfigured }: CommandSpec): KnownFlags {
  return { flags, options: isConfigured ? [...OPTION_FLAGS, ...ALIAS_FLAGS] : [] };
}

function buildMain({ switches }: Words): Result<Command, string> {
  const printing = choosePrinting(switches);
  if (printing !== undefined) return ok(printing);
  const modes = (['dump-config', 'dump-schema', 'ready'] as const).filter((mode) => switches.has(mode));
  if (modes.length > 1) return fail(`Only one of ${modes.map((mode) => `--${mode}`).join(', ')} can be given`);
  const [mode] = modes;
  if (mode !== undefined && switches.has('demo')) return fail(`--demo cannot be given with --${mode}`);
  if (mode === 'dump-config') return ok({ kind: 'dumpConfig' });
  if (mode === 'dump-schema') return ok({ kind: 'dumpSchema' });
  if (mode === 'ready') return ok({ kind: 'ready' });
  const demo = switches.has('demo') ? 'wanted' : 'unwanted';
  return ok({ kind: 'serve', demo, hasRuntimeMetrics: switches.has('runtime-metrics') });
}

/** The commands that only print and need no configuration. */
function choosePrinting(switches: ReadonlySet<string>): Command | undefined {
  if (switches.has('version')) return { kind: 'version' };
  if (switches.has('example') || switches.has('example-file')) return { kind: 'example', format: 'file' };
  if (switches.has('example-env')) return { kind: 'example', format: 'environment' };
  if (switches.has('example-db')) return { kind: 'example', format: 'database' };
  return switches.has('config-schema') ? { kind: 'configSchema' } : undefined;
}

function buildSql({ operands, values }: Words): Result<Command, string> {
  const [file] = operands;
  return file === undefined || operands.length > 1
    ? fail('The command sql needs the name of one file')
    : ok({ kind: 'loadSql', file, database: values.get('database')?.at(-1) });
}

function buildCompletion({ operands }: Words): Result<Command, string> {
  const shell = SHELLS.find((name) => name === operands[0]);
  return shell === undefined || operands.length > 1
    ? fail(`The command completion needs one of ${SHELLS.join(', ')}`)
    : ok({ kind: 'completion', shell });
}

function buildHelp({ operands: [about] }: Words): Result<Command, string> {
  const isKnown = about === undefined || findCommand(about) !== undefined;
  return isKnown ? ok({ kind: 'help', about }) : fail(`There is no command ${about}`);
}
