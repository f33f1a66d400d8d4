// Each caller gets the result of a run that began after its call, and callers share runs.
import { expect, test } from 'vitest';
import { SharedRuns } from '../../src/util/shared-runs.ts';

test('B72f callers share the run that begins after they have come', async () => {
  const runs = new SharedRuns<number>();
  const ends: ((result: number) => void)[] = [];
  const task = (): Promise<number> => new Promise((resolve) => ends.push(resolve));
  const first = [runs.run('a', task), runs.run('a', task)];
  await Promise.resolve();
  const second = [runs.run('a', task), runs.run('a', task)];
  const other = runs.run('b', task);
  await Promise.resolve();
  expect(ends.length).toBe(2);
  ends[0]?.(1);
  ends[1]?.(2);
  expect(await Promise.all([...first, other])).toEqual([1, 1, 2]);
  ends[2]?.(3);
  expect(await Promise.all(second)).toEqual([3, 3]);
  const later = runs.run('a', task);
  await Promise.resolve();
  ends[3]?.(4);
  expect(await later).toBe(4);
});
