import { expect, test } from 'vitest';
import { PositionHistory } from '../../../src/extensions/replicas/position-history.ts';

/** Takes samples at 0, 1, 2… seconds. */
function historyOf(lsns: readonly bigint[], keptMs = 10_000): PositionHistory {
  const history = new PositionHistory(keptMs);
  for (const [second, lsn] of lsns.entries()) history.note(lsn, second * 1000);
  return history;
}

test('the lag is unknown before the first sample', () => {
  expect(historyOf([]).lagOf(5n, 0, 0)).toBe(undefined);
});

test('an idle primary causes no lag, however long ago it wrote', () => {
  expect(historyOf([10n, 10n, 10n]).lagOf(10n, 3_600_000, Infinity)).toBe(0);
});

test('the lag is the time since the primary wrote the first missing record', () => {
  const history = historyOf([10n, 20n, 30n, 30n]);
  expect(history.lagOf(30n, 5000, Infinity)).toBe(0);
  expect(history.lagOf(25n, 5000, Infinity)).toBe(3000);
  expect(history.lagOf(10n, 5000, Infinity)).toBe(4000);
});

test('a replica that lagged from the beginning has the lag it reports, or the time since the first sample', () => {
  const history = historyOf([10n, 20n]);
  expect(history.lagOf(9n, 2000, 60_000)).toBe(60_000);
  expect(history.lagOf(9n, 2000, 0)).toBe(2000);
});

test('expired samples are forgotten, except the newest, which serves as a lower bound', () => {
  const history = historyOf(
    Array.from({ length: 1000 }, (_, second) => BigInt(second)),
    5000,
  );
  expect(history.lagOf(999n, 999_000, Infinity)).toBe(0);
  expect(history.lagOf(995n, 999_000, Infinity)).toBe(3000);
  expect(history.lagOf(1n, 999_000, 0)).toBeGreaterThan(5000);
});

test('a new primary with a shorter WAL starts a new history', () => {
  const history = historyOf([100n, 200n, 150n]);
  expect(history.lagOf(150n, 9000, Infinity)).toBe(0);
  expect(history.lagOf(140n, 9000, 0)).toBe(7000);
});
