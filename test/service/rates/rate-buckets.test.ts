// Quotas of clients: the rate in the long run, the burst at once, and bounded memory.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRateLimit, printRateLimit, type RateLimit, rateFieldsOf } from '../../../src/contract/rate-limit.ts';
import { RateBuckets } from '../../../src/extensions/rates/rate-buckets.ts';

function limitOf(text: string): RateLimit {
  const limit = parseRateLimit(text);
  if (limit === undefined) throw new Error(text);
  return limit;
}

test.each([
  ['50/s', { requests: 50, unit: 's', burst: 50 }],
  [' 5/m  burst 10 ', { requests: 5, unit: 'm', burst: 10 }],
  ['1000/h burst 1', { requests: 1000, unit: 'h', burst: 1 }],
])('B84 %s is a rate', (text, expected) => {
  expect(parseRateLimit(text)).toEqual(expected);
  expect(parseRateLimit(printRateLimit(limitOf(text)))).toEqual(expected);
});

test.each(['0/s', '5', '5/d', '5/s burst 0', '5/s burst', '-1/s', '1.5/s', '5 / s', '1234567890/s'])(
  'B84b %s is not a rate',
  (text) => expect(parseRateLimit(text)).toBeUndefined(),
);

test('B84c grants the burst at once, then one request in each interval', () => {
  let now = 1000;
  const buckets = new RateBuckets({ now: () => now });
  const quota = { key: 'a', limit: limitOf('2/s burst 3') };
  const take = (): unknown => Object.values(buckets.take(quota));
  expect([take(), take(), take(), take()]).toEqual([
    [true, 2, 1],
    [true, 1, 1],
    [true, 0, 1],
    [false, 0, 1],
  ]);
  now += 499;
  expect(take()).toEqual([false, 0, 1]);
  now += 1;
  expect([take(), take()]).toEqual([
    [true, 0, 1],
    [false, 0, 1],
  ]);
  expect(buckets.take({ ...quota, key: 'b' })).toMatchObject({ isGranted: true, remaining: 2 });
  now += 60_000;
  expect(take()).toEqual([true, 2, 1]);
});

test('B84d reports whole seconds until the next request', () => {
  const buckets = new RateBuckets({ now: () => 0 });
  const quota = { key: 'a', limit: limitOf('4/m burst 2') };
  expect([buckets.take(quota), buckets.take(quota), buckets.take(quota)].map(({ seconds }) => seconds)).toEqual([
    15, 15, 15,
  ]);
  expect(rateFieldsOf(quota.limit, { isGranted: false, remaining: 0, seconds: 15 })).toEqual([
    ['RateLimit', '"default";r=0;t=15'],
    ['RateLimit-Policy', '"default";q=2;w=30'],
  ]);
});

test('B84e a lowered limit counts at once', () => {
  let now = 0;
  const buckets = new RateBuckets({ now: () => now });
  for (let count = 0; count < 100; count += 1) buckets.take({ key: 'a', limit: limitOf('1/h burst 100') });
  expect(buckets.take({ key: 'a', limit: limitOf('1/s') }).isGranted).toBe(false);
  now += 1000;
  expect(buckets.take({ key: 'a', limit: limitOf('1/s') }).isGranted).toBe(true);
});

test('B84f never grants more than the burst and the rate together', () => {
  const limits = fc.record({
    requests: fc.integer({ min: 1, max: 1000 }),
    unit: fc.constantFrom('s', 'm', 'h'),
    burst: fc.integer({ min: 1, max: 100 }),
  });
  fc.assert(
    fc.property(limits, fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 300 }), (limit, pauses) => {
      let now = 12_345.6789;
      const start = now;
      const buckets = new RateBuckets({ now: () => now });
      let granted = 0;
      for (const pause of pauses) {
        now += pause;
        const { isGranted, remaining } = buckets.take({ key: 'a', limit });
        if (isGranted) granted += 1;
        expect(remaining).toBeLessThan(limit.burst);
      }
      const perMillisecond = limit.requests / ({ s: 1000, m: 60_000, h: 3_600_000 } as const)[limit.unit];
      expect(granted).toBeLessThanOrEqual(limit.burst + (now - start) * perMillisecond + 1e-6);
    }),
  );
});

test('B84g forgets whole quotas, and the oldest client beyond the bound', () => {
  let now = 0;
  const buckets = new RateBuckets({ now: () => now, maxBuckets: 3 });
  const take = (key: string): boolean => buckets.take({ key, limit: limitOf('1/s burst 2') }).isGranted;
  expect(buckets.counters).toBeUndefined();
  for (const key of ['a', 'b', 'c', 'a', 'a', 'd']) take(key);
  expect(buckets.counters).toEqual({ buckets: 3, evictions: 1 });
  expect(take('a')).toBe(false);
  now += 10_000;
  take('e');
  take('f');
  expect(buckets.counters).toEqual({ buckets: 2, evictions: 1 });
});
