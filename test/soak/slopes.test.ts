// Tests that growth is distinguished from noise.
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

/** Samples 40 minutes in which the heap oscillates by a megabyte and grows by `growth` per minute. */
function findSteep(growth: number): readonly string[] {
  const samples = Array.from({ length: 40 }, (_, time) => ({ ...STEADY, time, heap: 20 + (time % 2) + time * growth }));
  return findSlopes(samples)
    .filter(({ isTooSteep }) => isTooSteep)
    .map(({ figure }) => figure);
}

test('fitLine finds the line through points', () => {
  expect(fitLine([0, 1, 2, 3].map((x) => [x, 5 + 2 * x]))).toEqual({ slope: 2, uncertainty: 0 });
});

test('growth of 60 MB per hour is too steep, growth of 6 MB is not', () => {
  expect(findSteep(0.1)).toEqual([]);
  expect(findSteep(1)).toEqual(['heap']);
});
