// How long a body has kept the server waiting.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BodyWatch } from '../../src/http/limits/body-pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('B26 time in which the server does not wait for the client counts neither towards its pace nor as idle', () => {
  const watch = new BodyWatch(() => 5000);
  const body = { size: 0, giveUp: vi.fn(() => watch.remove(body)) };
  watch.add(body);
  vi.advanceTimersByTime(1500);
  watch.suspend(body);
  vi.advanceTimersByTime(60_000);
  watch.add(body);
  vi.advanceTimersByTime(3000);
  expect(body.giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(body.giveUp).toHaveBeenCalledOnce();
});
