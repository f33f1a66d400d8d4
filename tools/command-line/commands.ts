// The table of commands: the purpose and flags of each, and how its arguments become a `Command`. Parsing, help and
// completion all use it. To pass a file that has the name of a command, write `./types`.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { suggest } from '../../src/util/suggest.ts';
import type { Command, CommandName, Shell, CommandOf } from './command.ts';
import {
  type Flag,
  HELP,
  MAIN_FLAGS,
  ALIAS_FLAGS,
  OPTION_FLAGS,
  OPTION_GROUPS,
  DEFAULT_LIFETIME,
  MCP_FLAGS,
  TOKEN_FLAGS,
} from './flags.ts';
import { COMPARE_FLAGS, readCompareArguments } from './compare-arguments.ts';
import {
  CHECK_FLAGS,
  DEPLOY_FLAGS,
  DIFF_FLAGS,
  MIGRATE_FLAGS,
  NEW_FLAGS,
  readCheckArguments,
  readDeployArguments,
  readDiffArguments,
  readMigrateArguments,
  readNewArguments,
} from './project-arguments.ts';
import { INIT_FLAGS, readInitArguments } from './init-arguments.ts';
import type { KnownFlags, Arguments } from './arguments.ts';

export interface CommandSpec {
  /** Undefined for the command that serves. */
  readonly name: CommandName | undefined;
  /** Operands as shown in the usage: `FILE.sql`. */
  readonly operands: string;
  readonly doc: string;
  readonly flags: readonly Flag[];
  /** Whether the command accepts the configuration: a file, a database URI and every option. */
  readonly isConfigured: boolean;
  /** @param given without operands if `isConfigured` */
  readonly build: (given: Arguments) => Result<Command, string>;
}

/** Operands of the commands that accept the configuration. */
const SOURCE = '[--OPTION VALUE]... [FILE] [URI]';

const EXACT_FUNCTIONS = 'exact-functions';

export const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

export const MAIN: CommandSpec = {
  name: undefined,
  operands: SOURCE,
  doc: 'Serve the database given by the URI, or by the file and the environment',
  flags: MAIN_FLAGS,
  isConfigured: true,
  build: buildMain,
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'dev',
    operands: '[--OPTION VALUE]... [DIR | FILE] [URI]',
    doc: 'Serve for local development: on this machine only, without tokens, picking up schema changes; uses the embedded database if you name none. With a folder of SQL files, make the database from schema/ and follow every save',
    flags: [
      {
        name: 'role',
        value: 'NAME',
        doc: 'Role of requests without a token (default: db-anon-role, or the login role)',
      },
      {
        name: 'inspect-uri',
        value: 'URI',
        doc: 'Connection of an owner of the tables, for the SQL page and the explanations of the explorer only; @FILE reads it from a file',
      },
      { name: 'types', value: 'FILE', doc: 'Write TypeScript types to FILE after each change of a project' },
      { name: 'allow-loss', doc: 'Apply changes of a project that lose data, without asking' },
      { name: 'roles', doc: 'On your own server, run all of roles.sql, not only what creates missing roles' },
      { name: 'reseed', doc: 'Empty the tables of a project and run seed/ again' },
      { name: 'fresh', doc: 'Recreate the database of a project from schema/ and seed/' },
      HELP,
    ],
    isConfigured: true,
    build: ({ values, switches }) =>
      ok({
        kind: 'dev',
        role: values.get('role')?.at(-1),
        inspectUri: values.get('inspect-uri')?.at(-1),
        typesFile: values.get('types')?.at(-1),
        isLossAllowed: switches.has('allow-loss'),
        areRolesApplied: switches.has('roles'),
        isFresh: switches.has('fresh'),
        isReseeded: switches.has('reseed'),
      }),
  },
  {
    name: 'sql',
    operands: '[FILE.sql]',
    doc: 'Run an SQL file in the embedded database of the demo; in the folder of a project that `dev` serves, run it in its database, or open psql there',
    flags: [
      {
        name: 'database',
        value: 'NAME',
        doc: "Database to use beside the demo's, created if missing (default: the project's, or the demo's)",
      },
      HELP,
    ],
    isConfigured: false,
    build: buildSql,
  },
  {
    name: 'types',
    operands: '[--OPTION VALUE]... [DIR | FILE] [URI]',
    doc: 'Show TypeScript types of the exposed schemas, for typed clients; with a folder of SQL files, of the database that they make (default: this folder, if it has schema/ and no option names a database)',
    flags: [
      {
        name: EXACT_FUNCTIONS,
        doc: 'Include null in the types of function arguments and results where PostgreSQL allows it',
      },
      HELP,
    ],
    isConfigured: true,
    build: ({ switches }) => ok({ kind: 'types', areFunctionsExact: switches.has(EXACT_FUNCTIONS) }),
  },
  {
    name: 'init',
    operands: '[URI]',
    doc: 'Set up a database: show the SQL for roles, privileges and the reload trigger, run it after you confirm, and write the configuration file',
    flags: [...INIT_FLAGS, HELP],
    isConfigured: false,
    build: readInitArguments,
  },
  {
    name: 'doctor',
    operands: SOURCE,
    doc: 'Check roles, policies, secrets and indexes, and report problems, each with the SQL that fixes it; exits with 2 for errors, 1 for warnings, else 0',
    flags: [
      { name: 'verbose', doc: 'Show notes too, which need no fix' },
      { name: 'json', doc: 'Report everything as JSON' },
      { name: 'fix', doc: 'Also write the SQL of what is shown to a file in migrations/, without running it' },
      HELP,
    ],
    isConfigured: true,
    build: ({ switches }) =>
      ok({
        kind: 'doctor',
        isJson: switches.has('json'),
        isVerbose: switches.has('verbose'),
        isFix: switches.has('fix'),
      }),
  },
  {
    name: 'token',
    operands: SOURCE,
    doc: 'Show a token signed with the configured secret, for testing',
    flags: [...TOKEN_FLAGS, HELP],
    isConfigured: true,
    build: readTokenArguments,
  },
  {
    name: 'mcp',
    operands: SOURCE,
    doc: 'Serve the database to an agent on standard input and output, with the Model Context Protocol',
    flags: [...MCP_FLAGS, HELP],
    isConfigured: true,
    build: readMcpArguments,
  },
  {
    name: 'compare',
    operands: 'OLD_URL NEW_URL',
    doc: 'Send the same requests to two servers and report how the responses differ, to prove a migration; exits with 0 if they are the same, 1 if they differ, 2 if the comparison could not run',
    flags: [...COMPARE_FLAGS, HELP],
    isConfigured: false,
    build: readCompareArguments,
  },
  {
    name: 'new',
    operands: 'NAME',
    doc: 'Write a project of SQL files: schema, roles, policies, rows, and a front end',
    flags: [...NEW_FLAGS, HELP],
    isConfigured: false,
    build: readNewArguments,
  },
  {
    name: 'diff',
    operands: '[DIR] [URI|SNAPSHOT]',
    doc: 'Show the SQL that brings a database to the schema of a folder of SQL files, or what its clients notice; exits with 0, or 1 if --check finds a difference, a loss is not allowed or a client breaks, or 2 if the comparison could not run',
    flags: [...DIFF_FLAGS, HELP],
    isConfigured: false,
    build: readDiffArguments,
  },
  {
    name: 'check',
    operands: '[DIR | URI] [-- COMMAND]',
    doc: 'Examine a folder of SQL files, or a database: whether the files run, and what its tables, policies, views and functions leave open; exits with 1 for a warning, 2 for an error, 3 if the check could not run',
    flags: [...CHECK_FLAGS, HELP],
    isConfigured: false,
    build: readCheckArguments,
  },
  {
    name: 'migrate',
    operands: '[DIR] URI',
    doc: 'Apply the pending files of migrations/ to a database, each in its own transaction; exits with 0 if all are applied, 2 if something could not run',
    flags: [...MIGRATE_FLAGS, HELP],
    isConfigured: false,
    build: readMigrateArguments,
  },
  {
    name: 'deploy',
    operands: '[DIR] URI',
    doc: 'Bring a database to the state of a project: show the plan, then create missing roles, set the password of the login role, apply migrations/ and check the result; exits with 0, 1 if the check finds an error, or 2 if something could not run',
    flags: [...DEPLOY_FLAGS, HELP],
    isConfigured: false,
    build: readDeployArguments,
  },
  {
    name: 'completion',
    operands: SHELLS.join('|'),
    doc: 'Show a script that enables completion of commands and options in your shell',
    flags: [HELP],
    isConfigured: false,
    build: buildCompletion,
  },
  {
    name: 'help',
    operands: '[COMMAND | options [GROUP]]',
    doc: 'Show help for a command, or for all configuration options or a group of them',
    flags: [HELP],
    isConfigured: false,
    build: buildHelp,
  },
];

const COMMAND_NAMES: readonly CommandName[] = COMMANDS.flatMap(({ name }) => name ?? []);

export function findCommand(name: CommandName | undefined): CommandSpec | undefined {
  return COMMANDS.find((command) => command.name === name);
}

const MIN_SIMILARITY = 0.6;

/** Returns the name of the command that the word may be a misspelling of. */
export function suggestCommand(word: string): CommandName | undefined {
  return suggest(COMMAND_NAMES, word, { minimum: MIN_SIMILARITY });
}

export function listKnownFlags({ flags, isConfigured }: CommandSpec): KnownFlags {
  return { flags, options: isConfigured ? [...OPTION_FLAGS, ...ALIAS_FLAGS] : [] };
}

export function renderUnknownCommand(word: string): string {
  const suggestion = suggestCommand(word);
  return suggestion === undefined
    ? `Unknown command: ${word}`
    : `Unknown command: ${word}\nDid you mean ${suggestion}?`;
}

function buildMain({ switches }: Arguments): Result<Command, string> {
  const printing = choosePrinting(switches);
  if (printing !== undefined) return ok(printing);
  const modes = (['dump-config', 'dump-schema', 'ready'] as const).filter((mode) => switches.has(mode));
  if (modes.length > 1) return fail(`Specify only one of ${modes.map((mode) => `--${mode}`).join(', ')}`);
  const [mode] = modes;
  if (mode !== undefined && switches.has('demo')) return fail(`--demo cannot be combined with --${mode}`);
  if (mode === 'dump-config') return ok({ kind: 'dumpConfig' });
  if (mode === 'dump-schema') return ok({ kind: 'dumpSchema' });
  if (mode === 'ready') return ok({ kind: 'ready' });
  const demo = switches.has('demo') ? 'requested' : 'off';
  return ok({ kind: 'serve', demo, hasRuntimeMetrics: switches.has('runtime-metrics') });
}

/** Returns the command for a flag that only prints and needs no configuration. */
function choosePrinting(switches: ReadonlySet<string>): Command | undefined {
  if (switches.has('version')) return { kind: 'version' };
  if (switches.has('example') || switches.has('example-file')) return { kind: 'example', format: 'file' };
  if (switches.has('example-env')) return { kind: 'example', format: 'environment' };
  if (switches.has('example-db')) return { kind: 'example', format: 'database' };
  return switches.has('config-schema') ? { kind: 'configSchema' } : undefined;
}

function buildSql({ operands, values }: Arguments): Result<Command, string> {
  const [file, ...others] = operands;
  const database = values.get('database')?.at(-1);
  if (others.length > 0 || (file === undefined && database !== undefined)) return fail('sql requires exactly one file');
  return ok({ kind: 'loadSql', file, database });
}

function buildCompletion({ operands }: Arguments): Result<Command, string> {
  const shell = SHELLS.find((name) => name === operands[0]);
  return shell === undefined || operands.length > 1
    ? fail(`completion requires one of ${SHELLS.join(', ')}`)
    : ok({ kind: 'completion', shell });
}

function buildHelp({ operands: [about, group] }: Arguments): Result<Command, string> {
  if (about === 'options') {
    if (group === undefined || OPTION_GROUPS.some(({ key }) => key === group))
      return ok({ kind: 'help', about: { group } });
    return fail(`Unknown group: ${group}\nGroups of options: ${OPTION_GROUPS.map(({ key }) => key).join(', ')}`);
  }
  const isKnown = about === undefined || findCommand(about) !== undefined;
  return isKnown ? ok({ kind: 'help', about }) : fail(renderUnknownCommand(about));
}

function readMcpArguments({ values }: Arguments): Result<CommandOf<'mcp'>, string> {
  const role = values.get('role')?.at(-1);
  const token = values.get('token')?.at(-1);
  if (role !== undefined && token !== undefined) return fail('Specify either --role or --token');
  if (role !== undefined) return ok({ kind: 'mcp', identity: { kind: 'role', role } });
  return ok({ kind: 'mcp', identity: token === undefined ? undefined : { kind: 'token', token } });
}

function readTokenArguments({ values }: Arguments): Result<CommandOf<'token'>, string> {
  const role = values.get('role')?.at(-1);
  if (role === undefined) return fail('token requires a role: --role=NAME');
  const lifetime = readLifetime(values.get('expires')?.at(-1) ?? DEFAULT_LIFETIME);
  if (lifetime === undefined) return fail('--expires requires a positive integer with a unit: 90s, 15m, 12h, 30d');
  const claims = (values.get('claim') ?? []).map(readClaim);
  if (claims.includes(undefined)) return fail('--claim requires a name and a value: --claim=NAME=VALUE');
  return ok({
    kind: 'token',
    role,
    lifetime,
    claims: Object.fromEntries(claims.filter((claim) => claim !== undefined)),
  });
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns seconds; undefined if the text is no positive integer with a unit. */
function readLifetime(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,9})([smhd])$/u.exec(text) ?? [];
  return Number(digits) * (SECONDS[unit] ?? 0) || undefined;
}

/** Returns undefined if the name or `=` is missing. */
function readClaim(text: string): readonly [name: string, value: unknown] | undefined {
  const end = text.indexOf('=');
  return end < 1 ? undefined : [text.slice(0, end), readValue(text.slice(end + 1))];
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
