import { expect, test } from 'vitest';
import { quoteIdentifier } from '../../src/contract/identifiers.ts';

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
