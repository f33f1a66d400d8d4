import { expect, test } from 'vitest';
import { POSTGREST_DIALECT, SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { DbOutcome } from '../../src/contract/transaction.ts';
import type { PlannedRows } from '../../src/plan/actions/action-plan.ts';
import { parsePreferences } from '../../src/request/preferences.ts';
import { type PositionContext, positionHeaders } from '../../src/response/position-headers.ts';

const WRITE = { kind: 'mutate', access: 'read write', end: 'commit', delivery: {} } as PlannedRows;
const OUTCOME = { position: { timeline: 2, lsn: 0x1_0000_000an } } as DbOutcome;
const CONTEXT: PositionContext = {
  dialect: SVC_DIALECT,
  config: { dbReadYourWrites: 'header', dbUriReplicas: ['postgres://replica'] },
  basePath: undefined,
};

test('a write returns its position in the header of the dialect', () => {
  expect(positionHeaders(WRITE, OUTCOME, CONTEXT)).toEqual([['svc-lsn', '2:1/A']]);
  expect(positionHeaders(WRITE, OUTCOME, { ...CONTEXT, dialect: POSTGREST_DIALECT })).toEqual([['pgrst-lsn', '2:1/A']]);
});

test('the cookie path is the path of the API', () => {
  const config = { ...CONTEXT.config, dbReadYourWrites: 'cookie' } as const;
  expect(positionHeaders(WRITE, OUTCOME, { ...CONTEXT, config, basePath: '/api' })).toEqual([
    ['svc-lsn', '2:1/A'],
    ['Set-Cookie', 'svc-lsn=2:1/A; Path=/api; HttpOnly; SameSite=Lax'],
  ]);
});

test('an unknown position is returned as such', () => {
  expect(positionHeaders(WRITE, {} as DbOutcome, CONTEXT)).toEqual([['svc-lsn', 'unknown']]);
});

test('reads, rollbacks and servers without replicas return no position', () => {
  const without = { ...CONTEXT, config: { ...CONTEXT.config, dbUriReplicas: [] } };
  expect(positionHeaders(WRITE, OUTCOME, without)).toEqual([]);
  expect(positionHeaders({ ...WRITE, access: 'read only' }, OUTCOME, CONTEXT)).toEqual([]);
  expect(positionHeaders({ ...WRITE, end: 'rollback' }, OUTCOME, CONTEXT)).toEqual([]);
});

test('only our own dialect accepts Prefer: consistency=strong', () => {
  const parse = (value: string, dialect = SVC_DIALECT): unknown =>
    parsePreferences([['prefer', value]], { dialect, extensions: dialect.extensions });
  expect(parse('consistency=strong')).toEqual({ consistency: 'strong', invalid: [] });
  expect(parse('consistency=weak')).toEqual({ invalid: ['consistency=weak'] });
  expect(parse('consistency=strong', POSTGREST_DIALECT)).toEqual({ invalid: ['consistency=strong'] });
});
