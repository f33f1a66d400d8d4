import { expect, test } from 'vitest';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { assessReplica } from '../../../src/extensions/replicas/assess-replica.ts';
import { PositionHistory } from '../../../src/extensions/replicas/position-history.ts';
import { isQueryError, mayDifferElsewhere, pickReplica } from '../../../src/extensions/replicas/read-router.ts';

const at = (lsn: bigint): { timeline: number; lsn: bigint } => ({ timeline: 1, lsn });
const AWAY = { name: 'unreachable', load: 0, position: undefined };
const BUSY = { name: 'busy', load: 5, position: at(20n) };
const CALM = { name: 'calm', load: 1, position: at(10n) };

test('a read goes to the least busy replica that serves and has reached the position', () => {
  const all = [AWAY, BUSY, CALM];
  expect(pickReplica(all)).toBe(CALM);
  expect(pickReplica(all, at(10n))).toBe(CALM);
  expect(pickReplica(all, at(11n))).toBe(BUSY);
  expect(pickReplica(all, at(21n))).toBe(undefined);
  expect(pickReplica([AWAY])).toBe(undefined);
});

function raised(sqlstate: string): ApiError {
  return { kind: 'database', report: { sqlstate, message: '', detail: undefined, hint: undefined } };
}

test.each(['40001', '42P01', '42883', '0A000', '55000', '25006', '22023', '22P02', '53300', '57P01', 'XX000'])(
  'a replica may raise %s although the primary would succeed',
  (state) => expect(mayDifferElsewhere(raised(state))).toBe(true),
);

test.each(['57014', 'P0001', '22012', '23505', '21000'])('%s is the same on every server', (state) =>
  expect(mayDifferElsewhere(raised(state))).toBe(false),
);

test('a lost connection says nothing about the read, but a full pool or a disconnected client does', () => {
  expect(mayDifferElsewhere({ kind: 'connectionLost', details: '' })).toBe(true);
  expect(mayDifferElsewhere({ kind: 'cannotConnect', details: '' })).toBe(true);
  expect(mayDifferElsewhere({ kind: 'poolTimeout' })).toBe(false);
});

test('missing names and privileges are reported as the replica reports them if the primary is unreachable', () => {
  const reported = ['42P01', '42501', '3F000', '22P02', '40001', '55000'].filter((state) =>
    isQueryError(raised(state)),
  );
  expect(reported).toEqual(['42P01', '42501', '3F000']);
  expect(isQueryError({ kind: 'connectionLost', details: '' })).toBe(false);
});

function assess(row: readonly (string | null)[], isServing: boolean, now = 0): unknown {
  const history = new PositionHistory(10_000);
  history.note(0x10n, 0);
  history.note(0x20n, 1000);
  return assessReplica({ ok: true, value: row }, { history, now, maxLagMs: 10_000, isServing });
}

test('a replica serves while it is a standby within the lag limit', () => {
  expect(assess(['t', '0/20', '3', '0'], true, 90_000)).toEqual({
    kind: 'serving',
    position: { timeline: 3, lsn: 0x20n },
    lagMs: 0,
  });
  expect(assess(['t', '0/10', '3', '0'], true, 11_000)).toMatchObject({ kind: 'serving', lagMs: 10_000 });
  expect(assess(['t', '0/10', '3', '0'], true, 11_001)).toEqual({
    kind: 'ineligible',
    reason: 'it is 10.0 seconds behind the primary',
    lagMs: 10_001,
  });
  expect(assess(['f', null, '3', null], true)).toMatchObject({ kind: 'ineligible', reason: 'it is not a standby' });
});

test('an excluded replica returns when its lag is half the limit', () => {
  expect(assess(['t', '0/10', '3', '0'], false, 6001)).toMatchObject({ kind: 'ineligible' });
  expect(assess(['t', '0/10', '3', '0'], false, 6000)).toMatchObject({ kind: 'serving' });
});

test('a replica that has never replayed a transaction and lagged from the beginning is not eligible', () => {
  expect(assess(['t', '0/1', '3', null], true)).toMatchObject({ kind: 'ineligible', lagMs: Infinity });
});
