// The pure parts of the admin page: samples between two statuses, texts, and chart lines.
import { expect, test } from 'vitest';
import {
  formatAge,
  formatCount,
  formatDuration,
  formatMilliseconds,
  formatRate,
} from '../../../explorer/src/admin/format.ts';
import { linePath, roundUp } from '../../../explorer/src/admin/line-path.ts';
import {
  appendSample,
  findQuantile,
  type Sample,
  takeSample,
  type TimedStatus,
} from '../../../explorer/src/admin/sample.ts';

const BOUNDS = [0.01, 0.1, 1];

function timed(readAt: number, counts: readonly number[], failures = 0): TimedStatus {
  const answered = counts.reduce((sum, count) => sum + count, 0);
  // Both sides of the bound between what is a failure and what is not.
  const statuses = [
    { status: 499, count: answered - failures },
    { status: 500, count: failures },
  ];
  const requests = { inFlight: 0, answered, statuses, latency: { bounds: BOUNDS, counts, seconds: 0 } };
  const pool = { max: 10, open: 5, inUse: 3, waiting: 2, timeouts: 0 };
  return { readAt, status: { requests, pool } as unknown as TimedStatus['status'] };
}

test('a sample contains the changes between two statuses', () => {
  expect(takeSample(timed(1000, [5, 0, 0, 0]), timed(3000, [15, 10, 0, 0], 4))).toEqual({
    requestsPerSecond: 10,
    failuresPerSecond: 2,
    median: 10,
    p95: expect.closeTo(91),
    inUse: 3,
    waiting: 2,
  });
});

test('without requests there is no latency, and across a restart no sample', () => {
  const quiet = takeSample(timed(0, [5, 0, 0, 0]), timed(2000, [5, 0, 0, 0]));
  expect([quiet?.requestsPerSecond, quiet?.median]).toEqual([0, undefined]);
  expect(takeSample(timed(0, [5, 0, 0, 0]), timed(2000, [1, 0, 0, 0]))).toBeUndefined();
});

test.each([
  [[10, 0, 0, 0], 0.5, 5],
  [[0, 10, 0, 0], 0.5, 55],
  [[50, 50, 0, 0], 0.5, 10],
  [[0, 0, 0, 10], 0.95, 1000],
])('the quantile of %j at %d is %s', (counts, share, expected) => {
  expect(findQuantile(counts, BOUNDS, share)).toBeCloseTo(expected);
});

test('the last 150 samples are kept', () => {
  let samples: readonly Sample[] = [];
  const sample = takeSample(timed(0, [0, 0, 0, 0]), timed(2000, [0, 0, 0, 0]))!;
  for (let index = 0; index < 200; index += 1) samples = appendSample(samples, { ...sample, inUse: index });
  expect([samples.length, samples[0]?.inUse, samples.at(-1)?.inUse]).toEqual([150, 50, 199]);
});

test('a line is right-aligned, with gaps for missing values', () => {
  const size = { width: 100, height: 10 };
  expect(linePath([0, 5, 10], size, { slots: 5, top: 10 })).toBe('M50 10L75 5L100 0');
  expect(linePath([1, undefined, 1, 99], size, { slots: 4, top: 2 })).toBe('M0 5M66.7 5L100 0');
  expect(linePath([], size, { slots: 4, top: 1 })).toBe('');
});

test('scales end at round numbers', () => {
  expect([0, 0.03, 1, 3, 6, 99, 101].map(roundUp)).toEqual([1, 0.05, 1, 5, 10, 100, 200]);
});

test('durations and ages are formatted as short texts', () => {
  expect([0, 3, 1240].map(formatCount)).toEqual(['0', '3', '1,240']);
  expect([0, 0.44, 3, 12.4].map(formatRate)).toEqual(['0', '0.4', '3', '12']);
  expect([undefined, 0.42, 9.96, 120, 1500, 12_400].map(formatMilliseconds)).toEqual([
    '–',
    '0.4 ms',
    '10.0 ms',
    '120 ms',
    '1.5 s',
    '12 s',
  ]);
  expect([0, 59, 60, 3700, 90_000].map(formatDuration)).toEqual(['0 s', '59 s', '1 min', '1 h 1 min', '1 d 1 h']);
  const now = Date.UTC(2026, 0, 1, 0, 1, 0);
  expect(['2026-01-01T00:00:30Z', '2026-01-01T00:00:59.500Z', undefined].map((time) => formatAge(time, now))).toEqual([
    '30 s ago',
    'just now',
    'never',
  ]);
});
