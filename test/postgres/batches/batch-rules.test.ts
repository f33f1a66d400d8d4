// Which scripts share a write, how many, and what is learned of them: tables of decisions.
import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../../src/errors/api-error.ts';
import {
  countBatch,
  isConnectionLost,
  MAX_READS,
  maySend,
  mayShare,
} from '../../../src/postgres/batches/batch-rules.ts';
import { RepeatBudget } from '../../../src/postgres/batches/repeat-budget.ts';
import { RoundTrip } from '../../../src/postgres/batches/round-trip.ts';
import { StatementCosts } from '../../../src/postgres/batches/statement-costs.ts';
import { mainStatement, readScript, type ScriptChanges } from '../support/scripts.ts';

const MAIN = mainStatement('1');

describe('what may share a write', () => {
  const cases: readonly (readonly [string, ScriptChanges, boolean])[] = [
    ['a plain read', {}, true],
    ['a plain read with a planned count', { plannedCount: { text: 'explain select 1', parameters: [] } }, true],
    ['a write', { access: 'read write' }, false],
    ['a read that may leave settings', { leftovers: 'settings', isRepeatable: false }, true],
    ['a call of a function that is not volatile', { leftovers: 'all' }, true],
    ['a call of one that is', { leftovers: 'all', isRepeatable: false }, false],
    ['one with a function before it', { preRequest: { text: 'select f()', parameters: [] } }, false],
    ['one with an isolation level, which takes a BEGIN', { isolation: 'serializable' }, false],
    ['one that is rolled back', { end: 'rollback' }, false],
    ['one whose outcome is checked', { verify: () => undefined }, false],
    ['a plan', { main: { ...MAIN, delivery: { kind: 'explain' } } }, false],
  ];

  test.each(cases)('%s', (_, changes, expected) => {
    expect(mayShare(readScript(MAIN, changes))).toBe(expected);
  });
});

describe('how many reads make a batch', () => {
  const cases: readonly (readonly [string, readonly number[], number])[] = [
    ['none', [], 0],
    ['one, however long it may take', [900], 1],
    ['all that take 20 ms together', [5, 10, 5, 5], 3],
    ['not one that would make those before it late', [0.1, 21, 0.1], 1],
    ['no more than the limit', Array<number>(40).fill(0.05), MAX_READS],
    ['as many as the limit', Array<number>(MAX_READS).fill(0.05), MAX_READS],
  ];

  test.each(cases)('%s', (_, expected, count) => {
    expect(countBatch(expected)).toBe(count);
  });
});

describe('whether one more batch may be sent', () => {
  const cases: readonly (readonly [string, number, number, boolean])[] = [
    ['while none is under way', 0, 0, true],
    ['while one is, of whatever size', 1, 16, true],
    ['while two are', 2, 4, false],
    ['while two are of which little is left', 2, 3, true],
    ['while three single reads are', 3, 3, true],
    ['while four single reads are', 4, 4, false],
  ];

  test.each(cases)('%s', (_, batches, reads, expected) => {
    expect(maySend({ batches, reads })).toBe(expected);
  });
});

describe('which errors are of the connection', () => {
  const report = { sqlstate: '57P01', message: 'x', detail: undefined, hint: undefined };
  const cases: readonly (readonly [string, ApiError, boolean])[] = [
    ['a lost connection', { kind: 'connectionLost', details: 'x' }, true],
    ['a backend that was shut down', { kind: 'database', report, connectionFault: 'ended' }, true],
    ['the same raised by a function', { kind: 'database', report }, false],
    ['a timeout of the pool', { kind: 'poolTimeout' }, false],
    ['a database that refuses connections', { kind: 'cannotConnect', details: 'x' }, false],
  ];

  test.each(cases)('%s', (_, error, expected) => {
    expect(isConnectionLost(error)).toBe(expected);
  });
});

describe('expected times', () => {
  const LIMITS = { entries: 4, size: 200 };

  test('are unknown of a new text and then those of its answers', () => {
    const costs = new StatementCosts(LIMITS);
    expect(costs.expected('a')).toBe(undefined);
    costs.note('a', 2);
    expect(costs.expected('a')).toMatchObject({ typical: 2, mean: 2 });
  });

  test('follow a change within a few answers', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('a', 0.1);
    for (let count = 0; count < 20; count += 1) costs.note('a', 20);
    expect(costs.expected('a')?.typical).toBeGreaterThan(15);
    for (let count = 0; count < 20; count += 1) costs.note('a', 0.1);
    expect(costs.expected('a')?.typical).toBeLessThan(0.2);
  });

  test('tell what most answers take, and what they take together', () => {
    const costs = new StatementCosts(LIMITS);
    for (let count = 0; count < 200; count += 1) costs.note('a', count % 20 === 0 ? 40 : 0.1);
    expect(costs.expected('a')?.typical).toBeLessThan(0.5);
    expect(costs.expected('a')?.mean).toBeGreaterThan(1);
    expect(costs.expected('a')?.mean).toBeLessThan(4);
  });

  test('take answers that arrived together for short, not for nothing', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('a', 0);
    costs.note('b', -3);
    expect([costs.expected('a')?.mean, costs.expected('b')?.mean]).toStrictEqual([0.05, 0.05]);
  });

  test('of texts that have not come up for long are forgotten, those in use are kept', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('rare', 1);
    for (let index = 0; index < 20; index += 1) {
      costs.note(`other ${index}`, 1);
      costs.note('frequent', 1);
    }
    expect(costs.expected('rare')).toBe(undefined);
    expect(costs.expected('frequent')?.mean).toBeCloseTo(1);
  });

  test('of long texts are forgotten the sooner', () => {
    const costs = new StatementCosts(LIMITS);
    costs.note('rare', 1);
    for (const name of ['a', 'b', 'c', 'd', 'e']) costs.note(name.repeat(150), 1);
    expect(costs.expected('rare')).toBe(undefined);
    expect(costs.expected('e'.repeat(150))?.mean).toBeCloseTo(1);
  });
});

test('the round trip is the shortest time seen, and grows slowly when the way gets longer', () => {
  const roundTrip = new RoundTrip();
  expect(roundTrip.milliseconds).toBe(0);
  for (const time of [3, 1, 9]) roundTrip.note(time);
  expect(roundTrip.milliseconds).toBeCloseTo(1 + 8 / 256);
  for (let count = 0; count < 2000; count += 1) roundTrip.note(5);
  expect(roundTrip.milliseconds).toBeCloseTo(5, 1);
});

test('a tenth of the answers may be repeated, and some at once', () => {
  const budget = new RepeatBudget();
  expect(budget.take(1000)).toBe(64);
  expect(budget.take(1)).toBe(0);
  for (let count = 0; count < 25; count += 1) budget.noteAnswer();
  expect(budget.take(16)).toBe(2);
  for (let count = 0; count < 10_000; count += 1) budget.noteAnswer();
  expect(budget.take(1000)).toBe(64);
});
