// Whether a leak is told from noise.
import { expect, test } from 'vitest';
import { findSlopes, fitLine } from './slopes.ts';

const STEADY = {
  count: 1,
  p50: 1,
  p99: 5,
  resident: 100,
  handles: 30,
  sessions: 11,
  sessionMemory: 5,
  largestSession: 6,
};

/** Of 40 minutes in which the heap swings by a megabyte and grows by so many each minute. */
function findSteep(growth: number): readonly string[] {
  const samples = Array.from({ length: 40 }, (_, time) => ({ ...STEADY, time, heap: 20 + (time % 2) + time * growth }));
  return findSlopes(samples)
    .filter(({ isTooSteep }) => isTooSteep)
    .map(({ figure }) => figure);
}

test('a line is found among points', () => {
  expect(fitLine([0, 1, 2, 3].map((x) => [x, 5 + 2 * x]))).toEqual({ slope: 2, uncertainty: 0 });
});

test('what grows by 60 MB an hour is too steep, what grows by 6 is not', () => {
  expect(findSteep(0.1)).toEqual([]);
  expect(findSteep(1)).toEqual(['heap']);
});
