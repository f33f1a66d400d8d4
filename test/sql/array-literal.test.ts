// Array literals of elements of any length: long ones are bytes, with the same content.
import { expect, test } from 'vitest';
import { renderArrayLiteral, renderArrayParameter } from '../../src/sql/text/array-literal.ts';

const LONG = 65_536;

test.each([
  ['no element', []],
  ['an empty element', ['']],
  ['short elements', ['a', String.raw`b"\c`, 'é🚢']],
  ['a long element without escapes', ['a', 'b'.repeat(LONG)]],
])('%s: a text', (_, elements) => {
  expect(renderArrayParameter(elements)).toBe(renderArrayLiteral(elements));
});

test.each([
  ['a long element of quotes', ['"'.repeat(LONG)]],
  ['long and short elements', ['a', String.raw`\"é🚢`.repeat(LONG), '', '"', 'b'.repeat(LONG)]],
])('%s: bytes', (_, elements) => {
  const rendered = renderArrayParameter(elements);
  if (typeof rendered === 'string' || rendered === null || 'kind' in rendered) throw new Error('no pieces');
  expect(Buffer.concat(rendered).toString() === renderArrayLiteral(elements)).toBe(true);
});

test('quotes and backslashes are escaped, and NULL is a text', () => {
  expect(renderArrayLiteral(['a,b', '"', '\\', 'NULL', ''])).toBe(String.raw`{"a,b","\"","\\","NULL",""}`);
});
