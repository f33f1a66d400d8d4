import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Debouncer } from '../../../src/service/logging/create-logger.ts';
import { CoalescedTask } from '../../../src/service/scheduling/coalesced-task.ts';
import { LineOutput } from '../../../src/service/logging/line-output.ts';

test('errors are written immediately, the other lines of one turn together', async () => {
  const written: string[] = [];
  const output = new LineOutput(
    { write: (text) => written.push(`out ${text}`) },
    { write: (text) => written.push(`err ${text}`) },
  );
  output.writeOut('a');
  output.writeError('b');
  output.writeOut('c');
  expect(written).toEqual(['err b\n']);
  await setImmediate();
  expect(written).toEqual(['err b\n', 'out a\nc\n']);
  output.writeOut('d');
  output.flush();
  await setImmediate();
  expect(written.slice(2)).toEqual(['out d\n']);
});

test('O168 the first call of a burst runs immediately and the rest as one', () => {
  vi.useFakeTimers();
  const seen: number[] = [];
  const { run } = new Debouncer(5000);
  for (const each of [1, 2, 3, 4]) run(() => seen.push(each));
  expect(seen).toEqual([1]);
  vi.advanceTimersByTime(5000);
  expect(seen).toEqual([1, 4]);
  vi.advanceTimersByTime(60_000);
  run(() => seen.push(5));
  expect(seen).toEqual([1, 4, 5]);
  vi.useRealTimers();
});

test('a task requested while it runs runs once more for all requests', async () => {
  const ends: (() => void)[] = [];
  const task = new CoalescedTask(() => new Promise<void>((resolve) => ends.push(resolve)));
  const first = task.request();
  const [second, third] = [task.request(), task.request()];
  expect(second).toBe(third);
  ends[0]?.();
  await first;
  await setImmediate();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await second;
  expect(ends).toHaveLength(2);
});
