import { expect, test } from 'vitest';
import { checkHeap } from '../../../tools/check/doctor/heap.ts';

const SET = ['PATH=/bin', 'MALLOC_TRIM_THRESHOLD_=33554432', 'MALLOC_MMAP_THRESHOLD_=16777216'];

test('a local PostgreSQL without the thresholds is reported', () => {
  const [finding, ...others] = checkHeap({ isConcerned: true, environment: SET.slice(0, 2) });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    lint: 'returned-memory',
    level: 'note',
    object: 'PostgreSQL',
    message:
      'It returns the memory of large responses to the system after each statement; db-keep-heap only helps the connections of the API.',
    fix: 'Environment=MALLOC_TRIM_THRESHOLD_=33554432 MALLOC_MMAP_THRESHOLD_=16777216',
  });
});

test('an environment that nobody else may read is told apart', () => {
  const [finding] = checkHeap({ isConcerned: true, environment: undefined });
  expect(finding?.message).toContain('after each statement, unless it is started with these variables;');
});

test('with the thresholds, and on other machines, nothing is reported', () => {
  expect(checkHeap({ isConcerned: true, environment: SET })).toEqual([]);
  expect(checkHeap({ isConcerned: false, environment: undefined })).toEqual([]);
});
