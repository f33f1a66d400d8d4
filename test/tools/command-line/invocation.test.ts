import { describe, expect, test } from 'vitest';
import type { CommandLineConfig } from '../../../tools/command-line/command.ts';
import { identifyCommand, parseInvocation } from '../../../tools/command-line/invocation.ts';
import { PROGRAM } from '../../../tools/commands/index.ts';
import { ok, type Result } from '../../../src/contract/result.ts';

/** The name of a command, and its options. */
type Command = readonly [name: string | undefined, options: unknown];

const SERVE_OPTIONS = { kind: 'serve', demo: 'off', hasRuntimeMetrics: false } as const;
const SERVE: Command = [undefined, SERVE_OPTIONS];
const SERVE_WITH_METRICS: Command = [undefined, { ...SERVE_OPTIONS, hasRuntimeMetrics: true }];
const TYPES: Command = ['types', { areFunctionsExact: false }];
const EMPTY_CONFIG: CommandLineConfig = { file: undefined, dialect: undefined, options: {} };

type Environment = Parameters<typeof parseInvocation>[2];

interface Parsed {
  readonly command: Command;
  readonly config: CommandLineConfig;
}

function parse(line: string, environment: Environment = {}): Result<Parsed, string> {
  const parsed = parseInvocation(PROGRAM, line.split(' ').filter(Boolean), environment);
  if (!parsed.ok) return parsed;
  const { command, options, config } = parsed.value;
  return ok({ command: [command.name, options], config });
}

test.each<[string, Command, Partial<CommandLineConfig>]>([
  ['my.conf', SERVE, { file: 'my.conf' }],
  ['-- -odd.conf', SERVE, { file: '-odd.conf' }],
  ['--demo', [undefined, { ...SERVE_OPTIONS, demo: 'requested' }], {}],
  ['--runtime-metrics my.conf', SERVE_WITH_METRICS, { file: 'my.conf' }],
  ['+RTS -T -RTS', SERVE_WITH_METRICS, {}],
  ['my.conf +RTS -N2 -T', SERVE_WITH_METRICS, { file: 'my.conf' }],
  ['+RTS -N2 -RTS my.conf +RTS -T -RTS', SERVE_WITH_METRICS, { file: 'my.conf' }],
  ['+RTS -N2 -RTS', SERVE, {}],
  ['-h', ['help', undefined], {}],
  ['--help', ['help', undefined], {}],
  ['help', ['help', undefined], {}],
  ['help options', ['help', { group: undefined }], {}],
  ['help options live', ['help', { group: 'live' }], {}],
  ['help types', ['help', 'types'], {}],
  ['-v', [undefined, { kind: 'version' }], {}],
  ['--version my.conf', [undefined, { kind: 'version' }], { file: 'my.conf' }],
  ['-e', [undefined, { kind: 'example', format: 'file' }], {}],
  ['--example', [undefined, { kind: 'example', format: 'file' }], {}],
  ['--example-file', [undefined, { kind: 'example', format: 'file' }], {}],
  ['--example-env', [undefined, { kind: 'example', format: 'environment' }], {}],
  ['--example-db', [undefined, { kind: 'example', format: 'database' }], {}],
  ['--config-schema', [undefined, { kind: 'configSchema' }], {}],
  ['--dump-config', [undefined, { kind: 'dumpConfig' }], {}],
  ['my.conf --dump-config', [undefined, { kind: 'dumpConfig' }], { file: 'my.conf' }],
  ['--dump-schema my.conf', [undefined, { kind: 'dumpSchema' }], { file: 'my.conf' }],
  ['--ready my.conf', [undefined, { kind: 'ready' }], { file: 'my.conf' }],
  ['sql init.sql', ['sql', { file: 'init.sql', database: undefined }], {}],
  ['sql init.sql --database harbor', ['sql', { file: 'init.sql', database: 'harbor' }], {}],
  ['sql --database=harbor init.sql', ['sql', { file: 'init.sql', database: 'harbor' }], {}],
  ['sql --help', ['help', 'sql'], {}],
  ['types', TYPES, {}],
  ['types my.conf', TYPES, { file: 'my.conf' }],
  ['types --exact-functions my.conf', ['types', { areFunctionsExact: true }], { file: 'my.conf' }],
  ['types --help', ['help', 'types'], {}],
  ['--dialect postgrest types', TYPES, { dialect: 'postgrest' }],
  ['./types', SERVE, { file: './types' }],
  ['completion zsh', ['completion', 'zsh'], {}],
  ['--dialect postgrest', SERVE, { dialect: 'postgrest' }],
  ['--dialect=svc my.conf', SERVE, { file: 'my.conf', dialect: 'svc' }],
  ['--dialect svc --dialect=postgrest', SERVE, { dialect: 'postgrest' }],
  ['--dump-config --dialect svc', [undefined, { kind: 'dumpConfig' }], { dialect: 'svc' }],
  ['-- --dialect=x', SERVE, { file: '--dialect=x' }],
])('the arguments %j are parsed', (line, command, config) => {
  expect(parse(line)).toEqual({ ok: true, value: { command, config: { ...EMPTY_CONFIG, ...config } } });
});

describe('without arguments', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['--server-port 4000 --admin-server-port 4001 --log-level info', {}, true],
    ['', { SVC_SERVER_PORT: '4000', SVC_ADMIN_SERVER_PORT: '4001', SVC_LOG_LEVEL: 'info' }, true],
    ['--server-port 4000', { SVC_DB_SCHEMAS: 'api' }, false],
    ['--server-port 4000 --db-schemas api', {}, false],
    ['--server-port 4000 my.conf', {}, false],
    ['--server-port 4000 --dialect postgrest', {}, false],
  ])('host, port and logging options do not affect what is served: %s %o', (line, environment, isDefault) => {
    const parsed = parse(line, environment);
    expect(parsed.ok && parsed.value.command[1]).toEqual({ ...SERVE_OPTIONS, demo: isDefault ? 'default' : 'off' });
  });

  test('the demo is the default unless a variable configures what to serve', () => {
    const command: Command = [undefined, { ...SERVE_OPTIONS, demo: 'default' }];
    expect(parse('', { PATH: '/bin', SVC_DB_URI: '' })).toEqual({ ok: true, value: { command, config: EMPTY_CONFIG } });
  });

  test.each(['SVC_DB_SCHEMAS', 'PGRST_DB_URI', 'PGHOST', 'DATABASE_URL'])('%s prevents the demo', (name) => {
    expect(parse('', { [name]: 'x' })).toEqual({ ok: true, value: { command: SERVE, config: EMPTY_CONFIG } });
  });
});

const DEV = {
  role: undefined,
  inspectUri: undefined,
  typesFile: undefined,
  isLossAllowed: false,
  areRolesApplied: false,
  isFresh: false,
  isReseeded: false,
};

test.each([
  ['dev', DEV],
  ['dev --role clerk', { ...DEV, role: 'clerk' }],
  ['dev --inspect-uri @owner.uri', { ...DEV, inspectUri: '@owner.uri' }],
  [
    'dev --types api.ts --allow-loss --fresh --reseed',
    { ...DEV, typesFile: 'api.ts', isLossAllowed: true, isFresh: true, isReseeded: true },
  ],
])('%s is parsed as the command dev', (line, options) => {
  expect(parse(line)).toEqual({ ok: true, value: { command: ['dev', options], config: EMPTY_CONFIG } });
});

describe('every configuration option is a flag', () => {
  test.each<[string, Record<string, string>]>([
    ['--db-anon-role web_anon', { 'db-anon-role': 'web_anon' }],
    ['--db-anon-role=web_anon --server-port 4000', { 'db-anon-role': 'web_anon', 'server-port': '4000' }],
    ['--server-port 1 --server-port 2', { 'server-port': '2' }],
    ['--db-plan-enabled', { 'db-plan-enabled': 'true' }],
    ['--db-plan-enabled=false', { 'db-plan-enabled': 'false' }],
    ['--db-extra-search-path=', { 'db-extra-search-path': '' }],
    ['--db-schema api', { 'db-schemas': 'api' }],
    ['--app.settings.motto=a=b', { 'app.settings.motto': 'a=b' }],
    ['postgres://u:p@host/db', { 'db-uri': 'postgres://u:p@host/db' }],
    ['postgress:u:p@host/db', { 'db-uri': 'postgress:u:p@host/db' }],
    ['types --db-schemas api postgresql:///db', { 'db-schemas': 'api', 'db-uri': 'postgresql:///db' }],
  ])('%s', (line, options) => {
    expect(parse(line)).toMatchObject({ ok: true, value: { config: { file: undefined, options } } });
  });

  test('a file and a database can be combined', () => {
    expect(parse('my.conf postgres:///db')).toMatchObject({
      value: { config: { file: 'my.conf', options: { 'db-uri': 'postgres:///db' } } },
    });
  });
});

test.each([
  ['O60', '--no-such-option', 'Invalid option: --no-such-option'],
  ['O60', '-x', 'Invalid option: -x'],
  ['O60', '-undefined', 'Invalid option: -undefined'],
  ['O60', '--help=yes', '--help takes no value'],
  ['O60', '-T', 'Invalid option: -T'],
  ['O60', '--database x', 'Invalid option: --database'],
  ['O60', '--db-annon-role x', 'Invalid option: --db-annon-role\nDid you mean --db-anon-role?'],
  ['O60', '--jwt-secrett=hidden', 'Invalid option: --jwt-secrett\nDid you mean --jwt-secret?'],
  ['-', '--db-anon-role', '--db-anon-role requires a value: --db-anon-role=TEXT'],
  ['-', '--db-anon-role --demo', '--db-anon-role requires a value: --db-anon-role=TEXT'],
  ['-', '--db-channel-enabled false', 'Write --db-channel-enabled=false'],
  ['-', '--app.settings.motto', '--app.settings.motto requires a value: --app.settings.motto=TEXT'],
  ['-', 'a.conf b.conf', 'Specify only one configuration file, not also b.conf'],
  ['-', 'postgres://u:hidden@a postgres://u:hidden@b', 'Specify only one database'],
  ['-', '--db-uri postgres://a postgres://b', 'Specify only one database'],
  ['-', '--dump-config --dump-schema', 'Specify only one of --dump-config, --dump-schema'],
  ['-', '--ready --dump-config', 'Specify only one of --dump-config, --ready'],
  ['-', '--demo --dump-config', '--demo cannot be combined with --dump-config'],
  ['-', '--demo postgres:///db', '--demo uses its own database, so it cannot be combined with --db-uri or a URI'],
  [
    '-',
    '--demo --db-uri postgres:///db',
    '--demo uses its own database, so it cannot be combined with --db-uri or a URI',
  ],
  ['-', '--dialect', '--dialect requires a value: --dialect=svc|postgrest'],
  ['-', '--dialect=', '--dialect requires one of svc, postgrest'],
  ['-', '--dialect my.conf', '--dialect requires one of svc, postgrest'],
  ['-', 'sql --database shop', 'sql requires exactly one file'],
  ['-', 'sql a.sql b.sql', 'sql requires exactly one file'],
  ['-', 'sql a.sql --database', '--database requires a value: --database=NAME'],
  ['-', 'sql a.sql --database=', '--database requires a value: --database=NAME'],
  ['-', 'sql a.sql --force', 'Invalid option: --force'],
  ['-', 'types a.conf b.conf', 'Specify only one configuration file, not also b.conf'],
  ['-', 'types --demo', 'Invalid option: --demo'],
  ['-', 'new', 'new requires the name of one folder'],
  ['-', 'new a b', 'new requires the name of one folder'],
  ['-', 'completion', 'completion requires one of bash, zsh, fish'],
  ['-', 'completion csh', 'completion requires one of bash, zsh, fish'],
  [
    '-',
    'help options lives',
    'Unknown group: lives\nGroups of options: database, tokens, server, requests, live, other',
  ],
  ['-', 'help serve', 'Unknown command: serve'],
  ['-', 'help doctr', 'Unknown command: doctr\nDid you mean doctor?'],
  ['-', 'doctr my.conf', 'Unknown command: doctr\nDid you mean doctor?'],
])('%s %j is rejected', (_, line, error) => {
  expect(parse(line)).toEqual({ ok: false, error });
});

test.each(['', ' '])('P31 a project without a name (%j) is rejected, not written into the current folder', (name) => {
  const error = 'new requires the name of one folder';
  expect(parseInvocation(PROGRAM, ['new', name], {})).toEqual({ ok: false, error });
});

test.each([
  ['diff --nope', 2],
  ['diff --check --write name shop', 2],
  ['migrate', 2],
  ['deploy', 2],
  ['new', 2],
  ['check --nope', 3],
  ['compare http://a', 2],
  ['doctor --nope', 2],
  ['--nope', 1],
  ['dev --nope', 2],
  ['types --nope', 1],
])('P23 P24 P27 P31 P48 %j exits with %i, which is no result', (line, code) => {
  expect(parse(line).ok).toBe(false);
  expect(identifyCommand(PROGRAM, line.split(' ')).failure ?? 1).toBe(code);
});
