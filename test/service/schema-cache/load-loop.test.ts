import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoadLoop } from '../../../src/service/schema-cache/load-loop.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A loop whose attempts end on demand. */
function createLoop(isAvailable: () => Promise<boolean> = () => Promise.resolve(false)): {
  loop: LoadLoop;
  attempts: ((hasSucceeded: boolean) => void)[];
  /** Whether each attempt is a retry. */
  retries: boolean[];
  waits: number[];
} {
  const attempts: ((hasSucceeded: boolean) => void)[] = [];
  const retries: boolean[] = [];
  const waits: number[] = [];
  const loop = new LoadLoop({
    attempt: (isRetry) => {
      retries.push(isRetry);
      return new Promise((resolve) => attempts.push(resolve));
    },
    onWaiting: (seconds) => waits.push(seconds),
    isAvailable,
  });
  return { loop, attempts, retries, waits };
}

const settle = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

test('O173 pauses grow to 32 seconds and stay there', async () => {
  const { loop, attempts, waits } = createLoop();
  loop.request();
  for (const seconds of [1, 2, 4, 8, 16, 32, 32]) {
    attempts.at(-1)?.(false);
    await settle();
    expect(loop.retryAfter).toBe(seconds);
    await settle(seconds * 1000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 32]);
  expect(attempts).toHaveLength(8);
});

test('O159 O160 requests during a load and the pause after it cause one further load', async () => {
  const { loop, attempts } = createLoop();
  loop.request();
  loop.request();
  loop.request();
  attempts[0]?.(true);
  await settle(50);
  loop.request();
  expect(attempts).toHaveLength(1);
  await settle(50);
  expect(attempts).toHaveLength(2);
  attempts[1]?.(true);
  await settle(1000);
  expect(attempts).toHaveLength(2);
});

test('a request to load ends the pause after a failure, a failed HTTP request does not', async () => {
  const { loop, attempts } = createLoop();
  loop.request();
  attempts[0]?.(false);
  await settle(100);
  loop.noticeLoss();
  await settle(100);
  expect(attempts).toHaveLength(1);
  loop.request();
  await settle();
  expect(attempts).toHaveLength(2);
  expect(loop.retryAfter).toBe(0);
});

test('an attempt is a retry unless it was requested', async () => {
  const { loop, attempts, retries } = createLoop();
  loop.request();
  attempts[0]?.(false);
  await settle(1000);
  attempts[1]?.(false);
  await settle(100);
  loop.request();
  await settle();
  attempts[2]?.(false);
  await settle(4000);
  expect(retries).toEqual([false, true, false, true]);
});

test('O173 during a pause the database is probed once a second, and the next attempt starts when it is back', async () => {
  const isAvailable = vi.fn(() => Promise.resolve(false));
  const { loop, attempts, waits } = createLoop(isAvailable);
  loop.request();
  for (const seconds of [1, 2, 4, 8]) {
    attempts.at(-1)?.(false);
    await settle(seconds * 1000);
  }
  attempts.at(-1)?.(false);
  await settle(3500);
  const askedBefore = isAvailable.mock.calls.length;
  expect([attempts.length, loop.retryAfter]).toEqual([5, 13]);
  isAvailable.mockResolvedValue(true);
  await settle(500);
  expect([attempts.length, isAvailable.mock.calls.length - askedBefore, loop.retryAfter]).toEqual([6, 1, 0]);
  attempts.at(-1)?.(true);
  await settle(60_000);
  expect(attempts).toHaveLength(6);
  expect(isAvailable).toHaveBeenCalledTimes(askedBefore + 1);
  expect(waits).toEqual([1, 2, 4, 8, 16]);
});

test('a probe that ends after the pause starts no attempt, and probes do not overlap', async () => {
  let answer: ((isAvailable: boolean) => void) | undefined;
  const isAvailable = vi.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
  const { loop, attempts } = createLoop(isAvailable);
  loop.request();
  attempts[0]?.(false);
  await settle(1000);
  attempts[1]?.(false);
  await settle(2000);
  expect([attempts.length, isAvailable.mock.calls.length]).toEqual([3, 1]);
  answer?.(true);
  await settle();
  expect(attempts).toHaveLength(3);
});

test('a failed request starts a load if none runs, but no second one', async () => {
  const { loop, attempts } = createLoop();
  loop.noticeLoss();
  loop.noticeLoss();
  attempts[0]?.(true);
  await settle(1000);
  expect(attempts).toHaveLength(1);
  expect(loop.hasSucceeded).toBe(true);
});

test('a request that fails right after a load starts another one', async () => {
  const { loop, attempts } = createLoop();
  loop.request();
  attempts[0]?.(true);
  await settle(50);
  loop.noticeLoss();
  await settle(50);
  expect(attempts).toHaveLength(2);
});

test('waiting for an attempt ends with any result, waiting for a success does not end with a failure', async () => {
  const { loop, attempts } = createLoop();
  const seen: string[] = [];
  void loop.awaitAttempt('ended').then(() => seen.push('ended'));
  void loop.awaitAttempt('succeeded').then(() => seen.push('succeeded'));
  loop.request();
  attempts[0]?.(false);
  await settle();
  expect(seen).toEqual(['ended']);
  await settle(1000);
  attempts[1]?.(true);
  await settle();
  expect(seen).toEqual(['ended', 'succeeded']);
});

test('stop ends every wait and starts nothing', async () => {
  const { loop, attempts } = createLoop();
  loop.request();
  const waiting = loop.awaitAttempt('succeeded');
  attempts[0]?.(false);
  await settle();
  loop.stop();
  await waiting;
  loop.request();
  await settle(60_000);
  expect(attempts).toHaveLength(1);
});
