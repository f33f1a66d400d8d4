import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodePoints, sortedNames } from '../../src/util/code-points.ts';

function codePoints(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function referenceSign(a: string, b: string): number {
  const [left, right] = [codePoints(a), codePoints(b)];
  for (const [index, point] of left.entries()) {
    const other = right[index];
    if (point !== other) return other === undefined || point > other ? 1 : -1;
  }
  return left.length < right.length ? -1 : 0;
}

describe('compareCodePoints', () => {
  it('agrees with the order of lists of code points', () => {
    const unit = fc.constantFrom('a', 'B', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 4 }), fc.string({ unit, maxLength: 4 }), (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(referenceSign(a, b));
      }),
      { numRuns: 500 },
    );
  });
});

describe('sortedNames', () => {
  it('lists each name once: upper case before lower case, astral characters last', () => {
    expect(sortedNames(['b', '\u{1f600}', 'a', '\uff01', 'B', 'a'])).toEqual(['B', 'a', 'b', '\uff01', '\u{1f600}']);
  });
});
