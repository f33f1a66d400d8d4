// Which transactions may run on replicas: the rules, without a database.
import { expect, test } from 'vitest';
import type { LogPosition } from '../../src/contract/log-position.ts';
import type { IsolationLevel } from '../../src/contract/transaction.ts';
import type { DescribeAction, PlannedRows } from '../../src/plan/actions/action-plan.ts';
import { planReplicaUse, type ReplicaUse } from '../../src/plan/actions/plan-replica-use.ts';

const POSITION: LogPosition = { timeline: 1, lsn: 10n };
const ANY: ReplicaUse = { freshness: 'any', reportsPositions: true };
const READ = { kind: 'read', access: 'read only', end: 'commit', delivery: {} };
const WRITE = { kind: 'mutate', access: 'read write', end: 'commit', delivery: {} };
const PRIMARY = {};

function plan(action: object, use: ReplicaUse = ANY, isolation?: IsolationLevel): unknown {
  return planReplicaUse(action as PlannedRows | DescribeAction, isolation, use);
}

function call(volatility: string): object {
  return { ...READ, kind: 'call', routine: { volatility } };
}

test('a read may run on a replica that is as fresh as the request requires', () => {
  expect(plan(READ)).toEqual({ freshness: 'any' });
  expect(plan(READ, { ...ANY, freshness: POSITION })).toEqual({ freshness: POSITION });
  expect(plan(READ, { ...ANY, freshness: undefined })).toEqual(PRIMARY);
  expect(plan({ ...READ, consistency: 'strong' })).toEqual(PRIMARY);
});

test('only calls of functions that are not volatile may run on a replica', () => {
  expect(['immutable', 'stable', 'volatile'].map((volatility) => plan(call(volatility)))).toEqual([
    { freshness: 'any' },
    { freshness: 'any' },
    PRIMARY,
  ]);
});

test('isolation levels that standbys do not support, or whose snapshot may be too old, require the primary', () => {
  const positioned = { ...ANY, freshness: POSITION };
  expect(plan(READ, ANY, 'read committed')).toEqual({ freshness: 'any' });
  expect(plan(READ, positioned, 'read committed')).toEqual({ freshness: POSITION });
  expect(plan(READ, ANY, 'repeatable read')).toEqual({ freshness: 'any' });
  expect(plan(READ, positioned, 'repeatable read')).toEqual(PRIMARY);
  expect(plan(READ, ANY, 'serializable')).toEqual(PRIMARY);
});

test('a committed write reports its position if positions are enabled', () => {
  expect(plan(WRITE)).toEqual({ returnsPosition: true });
  expect(plan(WRITE, { ...ANY, reportsPositions: false })).toEqual(PRIMARY);
  expect(plan({ ...WRITE, end: 'rollback' })).toEqual(PRIMARY);
  expect(plan({ ...WRITE, delivery: { kind: 'explain' } })).toEqual(PRIMARY);
});

test('a schema description runs on the primary, from which the catalog was loaded', () => {
  expect(plan({ ...READ, kind: 'describe' })).toEqual(PRIMARY);
});
