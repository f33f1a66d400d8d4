import { expect, test } from 'vitest';
import { parseInvocation } from '../../src/cli/invocation.ts';

const SERVE = { kind: 'serve', file: undefined, isDemo: false, hasRuntimeMetrics: false };

test.each([
  ['', { command: SERVE, dialect: undefined }],
  ['--dialect postgrest', { command: SERVE, dialect: 'postgrest' }],
  ['--dialect=svc my.conf', { command: { ...SERVE, file: 'my.conf' }, dialect: 'svc' }],
  ['my.conf --dialect postgrest', { command: { ...SERVE, file: 'my.conf' }, dialect: 'postgrest' }],
  ['--dialect svc --dialect=postgrest', { command: SERVE, dialect: 'postgrest' }],
  ['--dump-config --dialect svc', { command: { kind: 'dumpConfig', file: undefined }, dialect: 'svc' }],
  ['-- --dialect=x', { command: { ...SERVE, file: '--dialect=x' }, dialect: undefined }],
])('the invocation %j', (args, invocation) => {
  expect(parseInvocation(args.split(' ').filter(Boolean))).toEqual({ ok: true, value: invocation });
});

test.each([
  ['--dialect', '--dialect needs one of svc, postgrest'],
  ['--dialect=', '--dialect needs one of svc, postgrest'],
  ['--dialect my.conf', '--dialect needs one of svc, postgrest'],
  ['--dialect svc --no-such-option', 'Invalid option: --no-such-option'],
])('the invocation %j is refused', (args, error) => {
  expect(parseInvocation(args.split(' '))).toEqual({ ok: false, error });
});
