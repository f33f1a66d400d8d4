// Splitting and decoding query strings of any length.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasPiecesBeyond, splitLongQuery, splitQuery } from '../../../src/request/query/split-query.ts';
import { runSlices } from '../../../src/util/slices.ts';

const piece = fc.constantFrom(
  'a',
  '=',
  '&',
  '+',
  '%',
  '%4',
  '%41',
  '%C3%A9',
  '%ff',
  '%E2%82%AC',
  '%F0%9F',
  'é',
  '😀',
  '\uD800',
);

test('B22n a long query is split like a short one', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), fc.array(piece), (repeated, rest) => {
      const text = repeated.join('');
      const query = text.repeat(Math.ceil(40_000 / text.length)) + rest.join('');
      expect(runSlices(splitLongQuery(query))).toEqual(splitQuery(query));
    }),
    { numRuns: 60 },
  );
});

test('B22o a long value is decoded in slices', () => {
  const slices = splitLongQuery(`a=${'%ff'.repeat(1_000_000)}`);
  let count = 0;
  while (slices.next().done !== true) count += 1;
  expect(count).toBeGreaterThan(150);
});

test('B22p pieces are counted up to the limit', () => {
  expect([
    hasPiecesBeyond(2, ''),
    hasPiecesBeyond(2, 'a&b'),
    hasPiecesBeyond(2, 'a&b&'),
    hasPiecesBeyond(2, '&&'),
  ]).toEqual([false, false, true, true]);
});
