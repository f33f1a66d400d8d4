import { expect, test } from 'vitest';
import { comparePositions } from '../../../packages/live/src/index.ts';

test.each([
  ['1:0/0', '1:0/0', 0],
  ['1:0/FF', '1:0/100', -1],
  ['1:0/ff', '1:0/FF', 0],
  ['1:FFFFFFFF/0', '1:0/FFFFFFFF', 1],
  ['1:A/0', '1:9/FFFFFFFF', 1],
  ['2:0/0', '10:0/0', -1],
  ['10:0/0', '9:FF/FF', 1],
])('B94 %s and %s are compared as numbers', (a, b, expected) => {
  expect(Math.sign(comparePositions(a, b))).toBe(expected);
  expect(Math.sign(comparePositions(b, a)) + 0).toBe(-expected + 0);
});

test.each(['', 'unknown', '0/1', '1:0', '1:x/0', '1:0/0 '])('B94 "%s" is no position', (text) => {
  expect(() => comparePositions('1:0/0', text)).toThrow(`"${text}" is not a position`);
});
