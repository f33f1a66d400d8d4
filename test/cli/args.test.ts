import { describe, expect, test } from 'vitest';
import { type Command, parseArgs } from '../../src/cli/args.ts';

const SERVE: Command = { kind: 'serve', file: undefined, isDemo: false, hasRuntimeMetrics: false };

test.each<[string, Command]>([
  ['', SERVE],
  ['my.conf', { ...SERVE, file: 'my.conf' }],
  ['-- -odd.conf', { ...SERVE, file: '-odd.conf' }],
  ['--demo', { ...SERVE, isDemo: true }],
  ['--runtime-metrics my.conf', { ...SERVE, file: 'my.conf', hasRuntimeMetrics: true }],
  ['+RTS -T -RTS', { ...SERVE, hasRuntimeMetrics: true }],
  ['my.conf +RTS -N2 -T', { ...SERVE, file: 'my.conf', hasRuntimeMetrics: true }],
  ['+RTS -N2 -RTS my.conf +RTS -T -RTS', { ...SERVE, file: 'my.conf', hasRuntimeMetrics: true }],
  ['+RTS -N2 -RTS', SERVE],
  ['-h', { kind: 'help' }],
  ['--help', { kind: 'help' }],
  ['-v', { kind: 'version' }],
  ['--version my.conf', { kind: 'version' }],
  ['-e', { kind: 'example', format: 'file' }],
  ['--example', { kind: 'example', format: 'file' }],
  ['--example-file', { kind: 'example', format: 'file' }],
  ['--example-env', { kind: 'example', format: 'environment' }],
  ['--example-db', { kind: 'example', format: 'database' }],
  ['--config-schema', { kind: 'configSchema' }],
  ['--dump-config', { kind: 'dumpConfig', file: undefined }],
  ['my.conf --dump-config', { kind: 'dumpConfig', file: 'my.conf' }],
  ['--dump-schema my.conf', { kind: 'dumpSchema', file: 'my.conf' }],
  ['--ready my.conf', { kind: 'ready', file: 'my.conf' }],
  ['sql init.sql', { kind: 'loadSql', file: 'init.sql', database: undefined }],
  ['sql init.sql --database harbor', { kind: 'loadSql', file: 'init.sql', database: 'harbor' }],
  ['sql --database=harbor init.sql', { kind: 'loadSql', file: 'init.sql', database: 'harbor' }],
  ['sql --help', { kind: 'help' }],
  ['types', { kind: 'types', file: undefined }],
  ['types my.conf', { kind: 'types', file: 'my.conf' }],
  ['types --help', { kind: 'help' }],
  ['./types', { ...SERVE, file: './types' }],
])('the arguments %j', (args, command) => {
  expect(parseArgs(args.split(' ').filter(Boolean))).toEqual({ ok: true, value: command });
});

describe('refused arguments', () => {
  test.each([
    ['O60 --no-such-option', 'Invalid option: --no-such-option'],
    ['O60 -x', 'Invalid option: -x'],
    ['O60 -undefined', 'Invalid option: -undefined'],
    ['O60 --help=yes', 'Invalid option: --help=yes'],
    ['O60 -T', 'Invalid option: -T'],
    ['O60 --database x', 'Invalid option: --database'],
    ['- a.conf b.conf', 'Only one configuration file can be given, not also b.conf'],
    ['- --dump-config --dump-schema', 'Only one of --dump-config, --dump-schema can be given'],
    ['- --ready --dump-config', 'Only one of --dump-config, --ready can be given'],
    ['- --demo --dump-config', '--demo cannot be given with --dump-config'],
    ['- sql', 'The command sql needs the name of one file'],
    ['- sql a.sql b.sql', 'The command sql needs the name of one file'],
    ['- sql a.sql --database', '--database needs a name'],
    ['- sql a.sql --database=', '--database needs a name'],
    ['- sql a.sql --force', 'Invalid option: --force'],
    ['- types a.conf b.conf', 'Only one configuration file can be given, not also b.conf'],
    ['- types --demo', '--demo cannot be given with the command types'],
    ['- types --force', 'Invalid option: --force'],
  ])('%s', (titled, error) => {
    expect(parseArgs(titled.split(' ').slice(1))).toEqual({ ok: false, error });
  });
});
