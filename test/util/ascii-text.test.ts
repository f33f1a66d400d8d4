// Texts are converted alike by any length: short ones by their codes, long ones by pieces of their bytes.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiSet, dropBackslashes, escapeAsBytes, escapeAscii, replaceAscii } from '../../src/util/ascii-text.ts';

/** Around the lengths at which the method changes and at which long texts are cut. */
const REPEATS = fc.constantFrom(1, 3, 200, 1023, 1024, 1025, 5461, 8192, 16_383, 16_384, 16_385, 40_000);
const PIECES = fc.array(
  fc.constantFrom('a', '*', '"', '%', 'é', '€', '🚢', String.raw`\\`, String.raw`\"`, '\\🚢', '\\é'),
  {
    minLength: 1,
    maxLength: 12,
  },
);
const TEXTS = fc
  .tuple(PIECES, PIECES, REPEATS)
  .map(([start, repeated, count]) => start.join('') + repeated.join('').repeat(Math.ceil(count / repeated.length)));

test('R23b a backslash is dropped before each escaped character', () => {
  fc.assert(
    fc.property(TEXTS, (text) => dropBackslashes(text) === text.replaceAll(/\\(.)/gsu, '$1')),
    { numRuns: 300 },
  );
});

test('each character of a set gets a backslash', () => {
  const set = asciiSet(String.raw`\"%`);
  fc.assert(
    fc.property(TEXTS, (text) => escapeAscii(text, set) === text.replaceAll(/[\\"%]/gu, String.raw`\$&`)),
    { numRuns: 300 },
  );
});

test('bytes are escaped as text is', () => {
  const set = asciiSet(String.raw`\"%`);
  fc.assert(
    fc.property(TEXTS, (text) => Buffer.concat(escapeAsBytes(text, set)).toString() === escapeAscii(text, set)),
    { numRuns: 100 },
  );
});

test('escaping is undone', () => {
  const set = asciiSet(String.raw`\"`);
  fc.assert(
    fc.property(TEXTS, (text) => dropBackslashes(escapeAscii(text, set)) === text),
    { numRuns: 100 },
  );
});

test('one character is replaced by another', () => {
  fc.assert(
    fc.property(TEXTS, (text) => replaceAscii(text, '*', '%') === text.replaceAll('*', '%')),
    { numRuns: 300 },
  );
});

test('a text without backslashes stays as it is', () => {
  expect(['', 'a🚢'].map(dropBackslashes)).toEqual(['', 'a🚢']);
});
