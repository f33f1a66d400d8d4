import { expect, test } from 'vitest';
import { quoteIdentifier, quoteShownIdentifier } from '../../src/contract/identifiers.ts';

test.each([
  ['berth', '"berth"'],
  ['Mixed Case', '"Mixed Case"'],
  ['a"b', '"a""b"'],
  ['""', '""""""'],
  ['', '""'],
  ['cut\0here"', '"cut"'],
])('quotes the identifier %j as %s', (name, quoted) => {
  expect(quoteIdentifier(name)).toBe(quoted);
});

test.each([
  ['berth', '"berth"'],
  [String.raw`a\b"`, String.raw`"a\b"""`],
  ['a\u001B[31m\n', String.raw`U&"a\001B[31m\000A"`],
  ['\u202Eb\\"', String.raw`U&"\202Eb\\"""`],
  ['\u009B', String.raw`U&"\009B"`],
])('quotes the identifier %j as %s where it is shown', (name, quoted) => {
  expect(quoteShownIdentifier(name)).toBe(quoted);
});
