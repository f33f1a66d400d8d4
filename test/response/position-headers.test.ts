import { expect, test } from 'vitest';
import { POSTGREST_DIALECT, SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { ScriptResult } from '../../src/contract/transaction.ts';
import { type PositionContext, positionHeaders } from '../../src/extensions/replicas/position-headers.ts';
import { LOG_END } from '../../src/sql/log-end.ts';
import { parsePreferences } from '../../src/request/preferences.ts';

const WRITE = { afterCommit: LOG_END };
const RESULT = resultOf(['000000020000000000000001', '1/A']);
const CONTEXT: PositionContext = { carrier: { name: 'svc-lsn', kind: 'header' }, basePath: undefined };

function resultOf(afterCommit?: readonly string[]): ScriptResult {
  return { kind: 'outcome', outcome: { afterCommit } } as unknown as ScriptResult;
}

test('a write returns its position in a header', () => {
  expect(positionHeaders(WRITE, RESULT, CONTEXT)).toEqual([['svc-lsn', '2:1/A']]);
});

test('the cookie path is the path of the API', () => {
  const carrier = { name: 'svc-lsn', kind: 'cookie' } as const;
  expect(positionHeaders(WRITE, RESULT, { carrier, basePath: '/api' })).toEqual([
    ['svc-lsn', '2:1/A'],
    ['Set-Cookie', 'svc-lsn=2:1/A; Path=/api; HttpOnly; SameSite=Lax'],
  ]);
});

test('an unknown position is returned as such', () => {
  expect(positionHeaders(WRITE, resultOf(), CONTEXT)).toEqual([['svc-lsn', 'unknown']]);
  expect(positionHeaders(WRITE, { kind: 'lines', lines: [] }, CONTEXT)).toEqual([['svc-lsn', 'unknown']]);
});

test('a script that did not query its position returns none', () => {
  expect(positionHeaders({}, RESULT, CONTEXT)).toEqual([]);
});

test('only our own dialect accepts Prefer: consistency=strong', () => {
  const parse = (value: string, dialect = SVC_DIALECT): unknown =>
    parsePreferences([['prefer', value]], { dialect, extensions: dialect.extensions });
  expect(parse('consistency=strong')).toEqual({ consistency: 'strong', invalid: [] });
  expect(parse('consistency=weak')).toEqual({ invalid: ['consistency=weak'] });
  expect(parse('consistency=strong', POSTGREST_DIALECT)).toEqual({ invalid: ['consistency=strong'] });
});
