import { assert, jsonValue, pre, property } from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactly } from '../../src/extensions/agents/calls/send-request.ts';

test.each([
  ['9007199254740993', '9007199254740993'],
  ['9007199254740992', 9007199254740992],
  ['-9007199254740993', '-9007199254740993'],
  ['1.50000000000000000', 1.5],
  ['100.000000000000000', 100],
  ['0.1000000000000000055', '0.1000000000000000055'],
  ['12345678901234567890.5', '12345678901234567890.5'],
  [
    '{"a":[9007199254740993,"9007199254740993 \\" 9007199254740993"]}',
    {
      a: ['9007199254740993', '9007199254740993 " 9007199254740993'],
    },
  ],
])('%s keeps its value', (text, value) => {
  expect(parseExactly(text)).toEqual(value);
});

test('a number of many digits takes no longer than others', () => {
  const digits = `0.${'0'.repeat(100_000)}1`;
  expect(parseExactly(`[${digits}]`)).toEqual([digits]);
});

test('other values are parsed as by JSON.parse', () => {
  assert(
    property(jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const isShort = (number: number): boolean => String(number).length <= 15;
      const numbers = [...text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/gu, '').matchAll(/-?\d[\d.eE+-]*/gu)];
      pre(numbers.every(([token]) => isShort(Number(token))));
      expect(parseExactly(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 50 },
  );
});
