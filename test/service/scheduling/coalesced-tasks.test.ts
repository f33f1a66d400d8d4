// Each caller gets the result of a run that began after its call, and callers with the same key share runs.
import { expect, test } from 'vitest';
import { CoalescedTasks } from '../../../src/extensions/live/streams/coalesced-tasks.ts';

test('B72f callers share the run that begins after they have come', async () => {
  const tasks = new CoalescedTasks<number>();
  const ends: ((result: number) => void)[] = [];
  const task = (): Promise<number> => new Promise((resolve) => ends.push(resolve));
  const first = tasks.request('a', task);
  const second = [tasks.request('a', task), tasks.request('a', task)];
  const other = tasks.request('b', task);
  expect(ends.length).toBe(2);
  ends[0]?.(1);
  ends[1]?.(2);
  expect(await Promise.all([first, other])).toEqual([1, 2]);
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.(3);
  expect(await Promise.all(second)).toEqual([3, 3]);
  const later = tasks.request('a', task);
  ends[3]?.(4);
  expect(await later).toBe(4);
});
