// Which transactions may run on replicas: the rules, without a database.
import { expect, test } from 'vitest';
import type { IsolationLevel } from '../../src/contract/transaction.ts';
import { planReplicaUse } from '../../src/extensions/replicas/plan-replica-use.ts';
import type { PositionCarrier } from '../../src/extensions/replicas/read-freshness.ts';
import type { DescribeAction, PlannedRows } from '../../src/plan/actions/action-plan.ts';
import { LOG_END } from '../../src/sql/log-end.ts';

const CARRIER: PositionCarrier = { name: 'svc-lsn', kind: 'header' };
const READ = { kind: 'read', access: 'read only', end: 'commit', delivery: {} } as const;
const WRITE = { kind: 'mutate', access: 'read write', end: 'commit', delivery: {} } as const;
const PRIMARY = {};
const FRESH = { freshness: { timeline: 1, lsn: 10n } };

interface Circumstances {
  readonly position?: string;
  readonly isolation?: IsolationLevel;
  readonly kind?: PositionCarrier['kind'];
}

function plan(
  action: { readonly access: 'read only' | 'read write'; readonly end: 'commit' | 'rollback' },
  { position, isolation, kind = 'header' }: Circumstances = {},
): unknown {
  const headers = position === undefined ? [] : [['svc-lsn', position] as const];
  const carrier = { ...CARRIER, kind };
  return planReplicaUse({ ...action, isolation }, action as PlannedRows | DescribeAction, headers, carrier);
}

function call(volatility: string): typeof READ {
  return { ...READ, kind: 'call', routine: { volatility } } as never;
}

test('a read may run on a replica that is as fresh as the request requires', () => {
  expect(plan(READ)).toEqual({ freshness: 'any' });
  expect(plan(READ, { position: '1:0/A' })).toEqual(FRESH);
  expect(plan(READ, { position: '1:0/A', kind: 'off' })).toEqual({ freshness: 'any' });
  expect(plan(READ, { position: 'unknown' })).toEqual(PRIMARY);
  expect(plan({ ...READ, consistency: 'strong' } as never)).toEqual(PRIMARY);
});

test('only calls of functions that are not volatile may run on a replica', () => {
  expect(['immutable', 'stable', 'volatile'].map((volatility) => plan(call(volatility)))).toEqual([
    { freshness: 'any' },
    { freshness: 'any' },
    PRIMARY,
  ]);
});

test('isolation levels that standbys do not support, or whose snapshot may be too old, require the primary', () => {
  const position = '1:0/A';
  expect(plan(READ, { isolation: 'read committed' })).toEqual({ freshness: 'any' });
  expect(plan(READ, { position, isolation: 'read committed' })).toEqual(FRESH);
  expect(plan(READ, { isolation: 'repeatable read' })).toEqual({ freshness: 'any' });
  expect(plan(READ, { position, isolation: 'repeatable read' })).toEqual(PRIMARY);
  expect(plan(READ, { isolation: 'serializable' })).toEqual(PRIMARY);
});

test('a committed write reports its position if positions are enabled', () => {
  expect(plan(WRITE)).toEqual({ afterCommit: LOG_END });
  expect(plan(WRITE, { kind: 'off' })).toEqual(PRIMARY);
  expect(plan({ ...WRITE, end: 'rollback' })).toEqual(PRIMARY);
  expect(plan({ ...WRITE, delivery: { kind: 'explain' } } as never)).toEqual(PRIMARY);
});

test('a batch reports its position if it writes, and otherwise runs on the primary', () => {
  const planBatch = (access: 'read only' | 'read write'): unknown =>
    planReplicaUse({ access, end: 'commit', isolation: undefined }, undefined, [], CARRIER);
  expect([planBatch('read write'), planBatch('read only')]).toEqual([{ afterCommit: LOG_END }, PRIMARY]);
});

test('a schema description runs on the primary, from which the catalog was loaded', () => {
  expect(plan({ ...READ, kind: 'describe' } as never)).toEqual(PRIMARY);
});
