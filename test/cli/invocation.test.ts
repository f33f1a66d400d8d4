import { describe, expect, test } from 'vitest';
import type { Command, StatedConfig } from '../../src/cli/arguments/command.ts';
import { parseInvocation } from '../../src/cli/invocation.ts';

const SERVE = { kind: 'serve', demo: 'unwanted', hasRuntimeMetrics: false } as const;
const TYPES: Command = { kind: 'types', areFunctionsExact: false };
const UNSTATED: StatedConfig = { file: undefined, dialect: undefined, options: {} };

type Environment = Parameters<typeof parseInvocation>[1];

function parse(line: string, environment: Environment = {}): ReturnType<typeof parseInvocation> {
  return parseInvocation(line.split(' ').filter(Boolean), environment);
}

test.each<[string, Command, Partial<StatedConfig>]>([
  ['my.conf', SERVE, { file: 'my.conf' }],
  ['-- -odd.conf', SERVE, { file: '-odd.conf' }],
  ['--demo', { ...SERVE, demo: 'wanted' }, {}],
  ['--runtime-metrics my.conf', { ...SERVE, hasRuntimeMetrics: true }, { file: 'my.conf' }],
  ['+RTS -T -RTS', { ...SERVE, hasRuntimeMetrics: true }, {}],
  ['my.conf +RTS -N2 -T', { ...SERVE, hasRuntimeMetrics: true }, { file: 'my.conf' }],
  ['+RTS -N2 -RTS my.conf +RTS -T -RTS', { ...SERVE, hasRuntimeMetrics: true }, { file: 'my.conf' }],
  ['+RTS -N2 -RTS', SERVE, {}],
  ['-h', { kind: 'help', about: undefined }, {}],
  ['--help', { kind: 'help', about: undefined }, {}],
  ['help', { kind: 'help', about: undefined }, {}],
  ['help types', { kind: 'help', about: 'types' }, {}],
  ['-v', { kind: 'version' }, {}],
  ['--version my.conf', { kind: 'version' }, { file: 'my.conf' }],
  ['-e', { kind: 'example', format: 'file' }, {}],
  ['--example', { kind: 'example', format: 'file' }, {}],
  ['--example-file', { kind: 'example', format: 'file' }, {}],
  ['--example-env', { kind: 'example', format: 'environment' }, {}],
  ['--example-db', { kind: 'example', format: 'database' }, {}],
  ['--config-schema', { kind: 'configSchema' }, {}],
  ['--dump-config', { kind: 'dumpConfig' }, {}],
  ['my.conf --dump-config', { kind: 'dumpConfig' }, { file: 'my.conf' }],
  ['--dump-schema my.conf', { kind: 'dumpSchema' }, { file: 'my.conf' }],
  ['--ready my.conf', { kind: 'ready' }, { file: 'my.conf' }],
  ['sql init.sql', { kind: 'loadSql', file: 'init.sql', database: undefined }, {}],
  ['sql init.sql --database harbor', { kind: 'loadSql', file: 'init.sql', database: 'harbor' }, {}],
  ['sql --database=harbor init.sql', { kind: 'loadSql', file: 'init.sql', database: 'harbor' }, {}],
  ['sql --help', { kind: 'help', about: 'sql' }, {}],
  ['types', TYPES, {}],
  ['types my.conf', TYPES, { file: 'my.conf' }],
  ['types --exact-functions my.conf', { kind: 'types', areFunctionsExact: true }, { file: 'my.conf' }],
  ['types --help', { kind: 'help', about: 'types' }, {}],
  ['--dialect postgrest types', TYPES, { dialect: 'postgrest' }],
  ['./types', SERVE, { file: './types' }],
  ['completion zsh', { kind: 'completion', shell: 'zsh' }, {}],
  ['--dialect postgrest', SERVE, { dialect: 'postgrest' }],
  ['--dialect=svc my.conf', SERVE, { file: 'my.conf', dialect: 'svc' }],
  ['--dialect svc --dialect=postgrest', SERVE, { dialect: 'postgrest' }],
  ['--dump-config --dialect svc', { kind: 'dumpConfig' }, { dialect: 'svc' }],
  ['-- --dialect=x', SERVE, { file: '--dialect=x' }],
])('the arguments %j', (line, command, config) => {
  expect(parse(line)).toEqual({ ok: true, value: { command, config: { ...UNSTATED, ...config } } });
});

describe('without arguments', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['--server-port 4000 --admin-server-port 4001 --log-level info', {}, true],
    ['', { SVC_SERVER_PORT: '4000', SVC_ADMIN_SERVER_PORT: '4001', SVC_LOG_LEVEL: 'info' }, true],
    ['--server-port 4000', { SVC_DB_SCHEMAS: 'api' }, false],
    ['--server-port 4000 --db-schemas api', {}, false],
    ['--server-port 4000 my.conf', {}, false],
    ['--server-port 4000 --dialect postgrest', {}, false],
  ])('where it listens and what it logs says nothing of what is served: %s %o', (line, environment, isOffered) => {
    const parsed = parse(line, environment);
    expect(parsed.ok && parsed.value.command).toEqual({ ...SERVE, demo: isOffered ? 'offered' : 'unwanted' });
  });

  test('the demo is offered where no variable says what to serve', () => {
    const command: Command = { ...SERVE, demo: 'offered' };
    expect(parse('', { PATH: '/bin', SVC_DB_URI: '' })).toEqual({ ok: true, value: { command, config: UNSTATED } });
  });

  test.each(['SVC_DB_SCHEMAS', 'PGRST_DB_URI', 'PGHOST', 'DATABASE_URL'])('%s is obeyed', (name) => {
    expect(parse('', { [name]: 'x' })).toEqual({ ok: true, value: { command: SERVE, config: UNSTATED } });
  });
});

test.each<[string, Command]>([
  ['dev', { kind: 'dev', role: undefined }],
  ['dev --role clerk', { kind: 'dev', role: 'clerk' }],
])('%s is for the own desk', (line, command) => {
  expect(parse(line)).toEqual({ ok: true, value: { command, config: UNSTATED } });
});

describe('every option of the configuration is a flag', () => {
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

  test('a file and a database may be given together', () => {
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
  ['-', '--db-anon-role', '--db-anon-role needs a value: --db-anon-role=TEXT'],
  ['-', '--db-anon-role --demo', '--db-anon-role needs a value: --db-anon-role=TEXT'],
  ['-', '--db-channel-enabled false', 'Write --db-channel-enabled=false'],
  ['-', '--app.settings.motto', '--app.settings.motto needs a value: --app.settings.motto=TEXT'],
  ['-', 'a.conf b.conf', 'Only one configuration file can be given, not also b.conf'],
  ['-', 'postgres://u:hidden@a postgres://u:hidden@b', 'Only one database can be given'],
  ['-', '--db-uri postgres://a postgres://b', 'Only one database can be given'],
  ['-', '--dump-config --dump-schema', 'Only one of --dump-config, --dump-schema can be given'],
  ['-', '--ready --dump-config', 'Only one of --dump-config, --ready can be given'],
  ['-', '--demo --dump-config', '--demo cannot be given with --dump-config'],
  ['-', '--demo postgres:///db', '--demo brings its own database; leave out one of the two'],
  ['-', '--demo --db-uri postgres:///db', '--demo brings its own database; leave out one of the two'],
  ['-', '--dialect', '--dialect needs a value: --dialect=svc|postgrest'],
  ['-', '--dialect=', '--dialect needs one of svc, postgrest'],
  ['-', '--dialect my.conf', '--dialect needs one of svc, postgrest'],
  ['-', 'sql', 'The command sql needs the name of one file'],
  ['-', 'sql a.sql b.sql', 'The command sql needs the name of one file'],
  ['-', 'sql a.sql --database', '--database needs a value: --database=NAME'],
  ['-', 'sql a.sql --database=', '--database needs a value: --database=NAME'],
  ['-', 'sql a.sql --force', 'Invalid option: --force'],
  ['-', 'types a.conf b.conf', 'Only one configuration file can be given, not also b.conf'],
  ['-', 'types --demo', 'Invalid option: --demo'],
  ['-', 'completion', 'The command completion needs one of bash, zsh, fish'],
  ['-', 'completion csh', 'The command completion needs one of bash, zsh, fish'],
  ['-', 'help serve', 'There is no command serve'],
])('%s refused: %j', (_, line, error) => {
  expect(parse(line)).toEqual({ ok: false, error });
});
