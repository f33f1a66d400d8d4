// What may run where: the rules, without a database.
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

test('a read runs on a replica, as fresh as its request asks', () => {
  expect(plan(READ)).toEqual({ freshness: 'any' });
  expect(plan(READ, { ...ANY, freshness: POSITION })).toEqual({ freshness: POSITION });
  expect(plan(READ, { ...ANY, freshness: undefined })).toEqual(PRIMARY);
  expect(plan({ ...READ, consistency: 'strong' })).toEqual(PRIMARY);
});

test('of functions only those that are not volatile do', () => {
  expect(['immutable', 'stable', 'volatile'].map((volatility) => plan(call(volatility)))).toEqual([
    { freshness: 'any' },
    { freshness: 'any' },
    PRIMARY,
  ]);
});

test('isolation levels that standbys do not have, or whose snapshot is too old, need the primary', () => {
  const positioned = { ...ANY, freshness: POSITION };
  expect(plan(READ, ANY, 'read committed')).toEqual({ freshness: 'any' });
  expect(plan(READ, positioned, 'read committed')).toEqual({ freshness: POSITION });
  expect(plan(READ, ANY, 'repeatable read')).toEqual({ freshness: 'any' });
  expect(plan(READ, positioned, 'repeatable read')).toEqual(PRIMARY);
  expect(plan(READ, ANY, 'serializable')).toEqual(PRIMARY);
});

test('a write that stays tells its position, where positions are told', () => {
  expect(plan(WRITE)).toEqual({ returnsPosition: true });
  expect(plan(WRITE, { ...ANY, reportsPositions: false })).toEqual(PRIMARY);
  expect(plan({ ...WRITE, end: 'rollback' })).toEqual(PRIMARY);
  expect(plan({ ...WRITE, delivery: { kind: 'explain' } })).toEqual(PRIMARY);
});

test('a description belongs to the schema that was loaded from the primary', () => {
  expect(plan({ ...READ, kind: 'describe' })).toEqual(PRIMARY);
});
