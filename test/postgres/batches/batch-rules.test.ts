// Which scripts share a write, how many, and how their costs are estimated, as decision tables.
import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../../src/errors/api-error.ts';
import {
  countBatch,
  HedgeBudget,
  isBatchFault,
  MAX_READS,
  maySend,
  mayShare,
  RoundTrip,
} from '../../../src/extensions/shared-reads/batch-rules.ts';
import { StatementCosts } from '../../../src/extensions/shared-reads/statement-costs.ts';
import { mainStatement, readScript, type ScriptChanges } from '../support/scripts.ts';

const MAIN = mainStatement('1');

describe('reads that may share a write', () => {
  const cases: readonly (readonly [string, ScriptChanges, boolean])[] = [
    ['a plain read', {}, true],
    ['a plain read with a planned count', { plannedCount: { text: 'explain select 1', parameters: [] } }, true],
    ['a write', { access: 'read write' }, false],
    ['a read that may leave settings', { leftovers: 'settings', mayRunConcurrently: false }, true],
    ['a call of a stable function', { leftovers: 'all' }, true],
    ['a call of a volatile function', { leftovers: 'all', mayRunConcurrently: false }, false],
    ['a read with a pre-request function', { preRequest: { text: 'select f()', parameters: [] } }, false],
    ['a read with an isolation level, which needs BEGIN', { isolation: 'serializable' }, false],
    ['a read that is rolled back', { end: 'rollback' }, false],
    ['a read whose outcome is verified', { verify: () => undefined }, false],
    ['a read of lines', { main: { ...MAIN, delivery: { kind: 'lines' } } }, true],
    ['an EXPLAIN', { main: { ...MAIN, delivery: { kind: 'explain' } } }, false],
  ];

  test.each(cases)('%s', (_, changes, expected) => {
    expect(mayShare(readScript(MAIN, changes))).toBe(expected);
  });
});

describe('the number of reads in a batch', () => {
  const cases: readonly (readonly [string, readonly number[], number])[] = [
    ['none', [], 0],
    ['one read of any duration', [900], 1],
    ['reads of up to 20 ms together', [5, 10, 5, 5], 3],
    ['no read that would delay those before it', [0.1, 21, 0.1], 1],
    ['at most the limit', Array<number>(40).fill(0.05), MAX_READS],
    ['up to the limit', Array<number>(MAX_READS).fill(0.05), MAX_READS],
  ];

  test.each(cases)('%s', (_, expected, count) => {
    expect(countBatch(expected)).toBe(count);
  });
});

describe('whether one more batch may be sent', () => {
  const cases: readonly (readonly [string, number, number, boolean])[] = [
    ['while none is in flight', 0, 0, true],
    ['while one of any size is in flight', 1, 16, true],
    ['not while two are in flight', 2, 4, false],
    ['while two that are nearly done are in flight', 2, 3, true],
    ['while three single reads are in flight', 3, 3, true],
    ['not while four single reads are in flight', 4, 4, false],
  ];

  test.each(cases)('%s', (_, batches, reads, expected) => {
    expect(maySend({ batches, reads })).toBe(expected);
  });
});

describe('errors of a batch', () => {
  const report = { sqlstate: '57P01', message: 'x', detail: undefined, hint: undefined };
  const cases: readonly (readonly [string, ApiError, boolean])[] = [
    ['a lost connection', { kind: 'connectionLost', details: 'x' }, true],
    ['a terminated backend', { kind: 'database', report, connectionFault: 'ended' }, true],
    ['the same error raised by a function', { kind: 'database', report }, false],
    ['a long response without memory', { kind: 'overloaded', details: 'x', option: 'db-pool' }, true],
    ['a pool timeout', { kind: 'poolTimeout' }, false],
    ['a database that rejects connections', { kind: 'cannotConnect', details: 'x' }, false],
  ];

  test.each(cases)('%s', (_, error, expected) => {
    expect(isBatchFault(error)).toBe(expected);
  });
});

describe('expected times', () => {
  const LIMITS = { entries: 4, size: 200 };

  test('are unknown for a new text, then those of its reads', () => {
    const costs = new StatementCosts(LIMITS);
    expect(costs.expected('a')).toBe(undefined);
    costs.note('a', 2);
    expect(costs.expected('a')).toMatchObject({ typical: 2, mean: 2 });
  });

  test('follow a change within a few reads', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('a', 0.1);
    for (let count = 0; count < 20; count += 1) costs.note('a', 20);
    expect(costs.expected('a')?.typical).toBeGreaterThan(15);
    for (let count = 0; count < 20; count += 1) costs.note('a', 0.1);
    expect(costs.expected('a')?.typical).toBeLessThan(0.2);
  });

  test('include the typical duration and the mean', () => {
    const costs = new StatementCosts(LIMITS);
    for (let count = 0; count < 200; count += 1) costs.note('a', count % 20 === 0 ? 40 : 0.1);
    expect(costs.expected('a')?.typical).toBeLessThan(0.5);
    expect(costs.expected('a')?.mean).toBeGreaterThan(1);
    expect(costs.expected('a')?.mean).toBeLessThan(4);
  });

  test('of reads that arrived together are short, not zero', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('a', 0);
    costs.note('b', -3);
    expect([costs.expected('a')?.mean, costs.expected('b')?.mean]).toStrictEqual([0.05, 0.05]);
  });

  test('are forgotten for texts not used for long, and kept for those in use', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('rare', 1);
    for (let index = 0; index < 20; index += 1) {
      costs.note(`other ${index}`, 1);
      costs.note('frequent', 1);
    }
    expect(costs.expected('rare')).toBe(undefined);
    expect(costs.expected('frequent')?.mean).toBeCloseTo(1);
  });

  test('of long texts are forgotten earlier', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('rare', 1);
    for (const name of ['a', 'b', 'c', 'd', 'e']) costs.note(name.repeat(150), 1);
    expect(costs.expected('rare')).toBe(undefined);
    expect(costs.expected('e'.repeat(150))?.mean).toBeCloseTo(1);
  });
});

test('the round trip is the shortest duration seen, and grows slowly when latency increases', () => {
  const roundTrip = new RoundTrip();
  expect(roundTrip.milliseconds).toBe(0);
  for (const time of [3, 1, 9]) roundTrip.note(time);
  expect(roundTrip.milliseconds).toBeCloseTo(1 + 8 / 256);
  for (let count = 0; count < 2000; count += 1) roundTrip.note(5);
  expect(roundTrip.milliseconds).toBeCloseTo(5, 1);
});

test('a tenth of the reads may be sent again, and a burst of them at once', () => {
  const budget = new HedgeBudget();
  expect(budget.take(1000)).toBe(64);
  expect(budget.take(1)).toBe(0);
  for (let count = 0; count < 25; count += 1) budget.noteAnswer();
  expect(budget.take(16)).toBe(2);
  for (let count = 0; count < 10_000; count += 1) budget.noteAnswer();
  expect(budget.take(1000)).toBe(64);
});
