// JSON responses in the explorer: values preserve their text, rows and lines are found in one pass.
import { expect, test } from 'vitest';
import { hideFolded } from '../../explorer/src/result/fold-lines.ts';
import { findElements } from '../../explorer/src/rows/json-elements.ts';
import { findLines } from '../../explorer/src/result/json-lines.ts';
import { tokenizeLine } from '../../explorer/src/result/json-tokens.ts';
import { parseJson, type JsonValue } from '../../explorer/src/rows/json-value.ts';

const TEXTS = [
  '{"id":9007199254740993,"price":12.50,"name":"a \\"b\\" \\u00e9 \\\\","on":true,"off":false,"none":null}',
  ' [ 1 , [ ] , { } , "x,]}" , -1.5e+10 ] ',
  '[{"a":[{"b":[1,2,{"c":"\\\\"}]}]},\n {"a":[]}]',
  '"only text"',
  '7',
  '[]',
];

function render(value: JsonValue): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value.value);
    case 'number':
    case 'deep':
      return value.text;
    case 'string':
      return JSON.stringify(value.value);
    case 'array':
      return `[${value.items.map((item) => render(item)).join(',')}]`;
    case 'object':
      return `{${value.entries.map(([key, item]) => `${JSON.stringify(key)}:${render(item)}`).join(',')}}`;
  }
}

test.each(TEXTS)('a value equals the result of JSON.parse: %s', (text) => {
  const value = parseJson(text);
  expect(JSON.parse(render(value!))).toEqual(JSON.parse(text));
});

test('numbers keep their digits and objects their duplicate keys', () => {
  expect(render(parseJson('{"id":9007199254740993,"id":12.50}')!)).toBe('{"id":9007199254740993,"id":12.50}');
});

test.each(['', '{', '[1,]', '{"a" 1}', '[1] 2', 'nul', '"a', '{"a":1,}', "{'a':1}"])('%s is invalid JSON', (text) => {
  expect(parseJson(text)).toBeUndefined();
});

test('a text of one megabyte and thousands of levels are parsed without loss', () => {
  const long = `"${'a\\n'.repeat(500_000)}"`;
  expect(parseJson(long)).toEqual({ kind: 'string', value: 'a\n'.repeat(500_000) });
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(render(parseJson(deep)!)).toBe(deep);
  const mixed = `${'{"a":["x]}",'.repeat(5000)}1${']}'.repeat(5000)}`;
  expect(render(parseJson(mixed)!)).toBe(mixed);
  expect(parseJson(mixed.slice(0, -1))).toBeUndefined();
  expect(findLines(deep).count).toBe(199_999);
});

test('the elements of an array are found without parsing them', () => {
  const elements = findElements(' [{"a":"],\\"["},\n [1,2],3, "\\\\" ] ')!;
  expect(elements.count).toBe(4);
  expect([0, 1, 2, 3].map((index) => render(elements.at(index)))).toEqual(['{"a":"],\\"["}', '[1,2]', '3', '"\\\\"']);
});

test.each([
  ['[]', 0],
  [' [ ] ', 0],
  ['[1]', 1],
  ['[[]]', 1],
])('%s has %i elements', (text, count) => {
  expect(findElements(text)?.count).toBe(count);
});

test.each(['{}', '7', '', '[1', '[1]]'])('%s is not an array', (text) => {
  expect(findElements(text)).toBeUndefined();
});

function indent(text: string): string {
  const lines = findLines(text);
  return Array.from({ length: lines.count }, (_, line) => {
    const tokens = tokenizeLine(lines.textAt(line));
    return (
      '  '.repeat(lines.depthAt(line)) +
      tokens
        .map((token) => token.text)
        .join('')
        .trimEnd()
    );
  }).join('\n');
}

test.each(TEXTS)('the lines together form the same value: %s', (text) => {
  expect(JSON.parse(indent(text))).toEqual(JSON.parse(text));
});

test('lines are indented, and short lists stay on one line', () => {
  expect(indent('[{"id":1,"tags":["a","b"],"more":{"x" :\n{}}},\n {"id":2}]')).toBe(
    '[\n  {\n    "id": 1,\n    "tags": ["a", "b"],\n    "more": {\n      "x": {}\n    }\n  },\n  {\n    "id": 2\n  }\n]',
  );
});

test('an opening line has the number of its closing line', () => {
  const lines = findLines('[{"a":{"b":1}},{"c":2}]');
  const none = undefined;
  const ends = Array.from({ length: lines.count }, (_, line) => lines.endOf(line));
  expect(ends).toEqual([9, 5, 4, none, none, none, 8, none, none, none]);
});

test('tokens are keys, strings, numbers and literals', () => {
  const tokens = tokenizeLine('"a:1": [1, "x", null],').map(({ kind, text }) => `${kind} ${text}`);
  const list = ['mark [', 'number 1', 'mark , ', 'string "x"', 'mark , ', 'word null', 'mark ]'];
  expect(tokens).toEqual(['key "a:1"', 'mark : ', ...list, 'mark , ']);
});

test('folded lines are hidden, including nested folds', () => {
  const visible = hideFolded(12, [
    { line: 8, end: 9 },
    { line: 2, end: 5 },
    { line: 3, end: 4 },
  ]);
  expect(Array.from({ length: visible.count }, (_, index) => visible.lineAt(index))).toEqual([
    0, 1, 2, 6, 7, 8, 10, 11,
  ]);
  expect([2, 3, 4].map((line) => visible.isFolded(line))).toEqual([true, true, false]);
});
