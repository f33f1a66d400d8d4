import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonShape, parseJsonShape } from '../../../src/request/payload/parse-payload.ts';
import { compareCodePoints } from '../../../src/util/code-points.ts';
import { runSlices } from '../../../src/util/slices.ts';

/** Far deeper than a recursion could go. */
const MAX_DEPTH = 100_000;
const TOO_DEEP = { kind: 'tooDeep' };

function shapeOf(text: string): JsonShape {
  return runSlices(parseJsonShape(new TextEncoder().encode(text), MAX_DEPTH));
}

function keyed(isArray: boolean, ...keys: readonly string[]): JsonShape {
  return { kind: 'keyed', isArray, keys };
}

const INVALID: JsonShape = { kind: 'invalid' };
const MIXED: JsonShape = { kind: 'mixed' };

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortedKeys(value: object): readonly string[] {
  return Object.keys(value).sort(compareCodePoints);
}

/** Applies the rules of `writing.md` §3.2 to the parsed document. */
function referenceShape(text: string): JsonShape {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return INVALID;
  }
  if (isObject(value)) return keyed(false, ...sortedKeys(value));
  if (!Array.isArray(value)) return { kind: 'scalar' };
  const keyLists = value.map((element: unknown) => (isObject(element) ? sortedKeys(element) : undefined));
  const first = keyLists[0] ?? [];
  const isUniform = keyLists.every((keys) => JSON.stringify(keys) === JSON.stringify(first));
  return isUniform ? keyed(true, ...first) : MIXED;
}

function nestedArrays(depth: number): string {
  return `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

describe('parseJsonShape', () => {
  it.each([
    ['{"qty":1,"code":"x"}', keyed(false, 'code', 'qty')],
    ['{}', keyed(false)],
    ['{ }', keyed(false)],
    ['{"a":1,"a":2}', keyed(false, 'a')],
    ['{"a":{"b":[{"c":1}]}}', keyed(false, 'a')],
    ['[{"a":1},{"a":2}]', keyed(true, 'a')],
    ['[]', keyed(true)],
    ['[ ]', keyed(true)],
    ['[{}]', keyed(true)],
    ['[{},{}]', keyed(true)],
  ])('finds the keys of %s', (text, expected) => {
    expect(shapeOf(text)).toEqual(expected);
  });

  it('W10 ignores the order and repetition of keys', () => {
    expect(shapeOf('[{"a":1,"b":2},{"b":1,"a":2},{"a":1,"b":2},{"b":0,"a":1,"b":2}]')).toEqual(keyed(true, 'a', 'b'));
  });

  it('still compares with the first element after several orders of keys', () => {
    const orders = ['a,b,c,d', 'a,b,d,c', 'a,c,b,d', 'a,c,d,b', 'a,d,b,c', 'a,d,c,b', 'b,a,c,d'];
    const elements = orders.map((order) => `{${order.replaceAll(/[a-d]/g, '"$&":1')}}`);
    expect(shapeOf(`[${elements.join(',')},${elements.join(',')}]`)).toEqual(keyed(true, 'a', 'b', 'c', 'd'));
    expect(shapeOf(`[${elements.join(',')},{"a":1,"b":1,"c":1}]`)).toEqual(MIXED);
  });

  it('compares decoded names', () => {
    expect(shapeOf('[{"é\\n":1},{"\\u00e9\\u000a":2}]')).toEqual(keyed(true, 'é\n'));
    expect(shapeOf('[{"a":1},{"\\u0062":2}]')).toEqual(MIXED);
    expect(shapeOf('{"\\"\\\\\\/\\b\\f\\r\\t\\ud83d\\ude00":1}')).toEqual(keyed(false, '"\\/\b\f\r\t\u{1f600}'));
    expect(shapeOf('{"\ufeffa":1}')).toEqual(keyed(false, '\ufeffa'));
  });

  it('sorts keys by code point', () => {
    expect(shapeOf('{"\u{1f600}":1,"\uff01":1,"B":1,"a":1}')).toEqual(keyed(false, 'B', 'a', '\uff01', '\u{1f600}'));
  });

  it.each(['[{"a":1},{"b":1}]', '[{"a":1},{}]', '[{},{"a":1}]', '[{"a":1},{"a":1,"b":2}]', '[{"a":1,"b":2},{"a":1}]'])(
    'W9 detects that the keys of %s differ',
    (text) => {
      expect(shapeOf(text)).toEqual(MIXED);
    },
  );

  it('W11 detects a later element that is not an object', () => {
    expect(shapeOf('[{"code":"x"},7]')).toEqual(MIXED);
    expect(shapeOf('[{},[]]')).toEqual(MIXED);
  });

  it.each(['[7,{"code":"x"}]', '["a"]', '[[]]', '[null]', '[true,false]'])(
    'W12 detects that the first element of %s is not an object',
    (text) => {
      expect(shapeOf(text)).toEqual(MIXED);
    },
  );

  it.each(['"x"', '42', '-0.5e+3', 'true', 'false', 'null', ' "a\\u00e9" '])(
    'W13 recognizes %s as a scalar',
    (text) => {
      expect(shapeOf(text)).toEqual({ kind: 'scalar' });
    },
  );

  it('W17 ignores white space around and inside the text', () => {
    expect(shapeOf(' \t\r\n[ { "a" : 1 , "b" : [ 1 , { } , [ ] ] } , {"a":2,\n"b":3} ] \t\r\n')).toEqual(
      keyed(true, 'a', 'b'),
    );
    expect(shapeOf('\u00a0{}')).toEqual(INVALID);
    expect(shapeOf('\f{}')).toEqual(INVALID);
  });

  it.each([
    '',
    ' ',
    '{"code": }',
    '[{"code":"x"},]',
    '{"code"',
    '{"code":1,}',
    '{,}',
    '{"a":1 "b":2}',
    '{"a" 1}',
    '{a:1}',
    "{'a':1}",
    '{"a":1}}',
    '{} {}',
    '[{"a":1}',
    '[{"a":1} {"a":2}]',
    '[{"a":1],{"a":2}]',
    '{"a":[1}',
    '{"a":{"b":1]}',
    '[,]',
    '01',
    '-',
    '+1',
    '1.',
    '.5',
    '1e',
    '1e+',
    '0x10',
    'NaN',
    'tru',
    'nulL',
    'true1',
    '"a',
    '"\\x"',
    '"\\u12g4"',
    '"\\u123g"',
    '"\\u123"',
    '"a\nb"',
    '"a\u0000b"',
    '{"a":"\t"}',
    '[1,{"a"]',
    '[{"a":1},{"a":}]',
    '[{"a":1},{"b":1},{]',
  ])('W7 rejects %j as invalid', (text) => {
    expect(shapeOf(text)).toEqual(INVALID);
  });

  it('rejects a byte order mark, as the database does', () => {
    expect(shapeOf('\ufeff{"a":1}')).toEqual(INVALID);
  });

  it.each([
    ['in a value', [0x22, 0xc3, 0x28, 0x22]],
    ['cut by the quote', [0x22, 0xe2, 0x82, 0x22]],
    ['overlong', [0x22, 0xc0, 0x80, 0x22]],
    ['as a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['in a name', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]],
  ])('rejects malformed UTF-8 %s', (_, bytes) => {
    expect(runSlices(parseJsonShape(Uint8Array.from(bytes), MAX_DEPTH))).toEqual(INVALID);
  });

  it('accepts nesting up to the limit without recursion, and no more', () => {
    expect(shapeOf(nestedArrays(MAX_DEPTH - 1))).toEqual(keyed(false, 'a'));
    expect(shapeOf(nestedArrays(MAX_DEPTH - 1).replace(']]', ']}'))).toEqual(INVALID);
    expect(shapeOf(nestedArrays(MAX_DEPTH))).toEqual(TOO_DEEP);
    expect(shapeOf(nestedArrays(MAX_DEPTH).slice(0, -9))).toEqual(TOO_DEEP);
  });

  it.each<[string, boolean]>([
    ['[[1]]', true],
    ['[[[1]]]', true],
    ['[[[[1]]]]', false],
    ['[{"a":[]}]', true],
    ['[{"a":[]},{"a":[]}]', true],
    ['[{"a":[]},{"a":[[]]}]', false],
    ['[{"a":[[]]}]', false],
    ['{"a":{"b":{}}}', true],
    ['{"a":{"b":{"c":{}}}}', false],
    ['{"a":[[]],"b":1}', true],
    ['[1,[[]]]', true],
    ['[1,[[[]]]]', false],
    [String.raw`{"a":"[[[[\"[[[["}`, true],
  ])('counts every array and object around a value: %s with a limit of 3', (text, isAllowed) => {
    const { kind } = runSlices(parseJsonShape(new TextEncoder().encode(text), 3));
    expect(kind !== 'tooDeep' && kind !== 'invalid').toBe(isAllowed);
  });

  it('reads more names than any relation has, even after repeated ones', () => {
    const many = shapeOf(`{${Array.from({ length: 30_000 }, (_, index) => `"k${index}":1`).join(',')}}`);
    expect(many.kind === 'keyed' && many.keys.length).toBe(10_000);
    expect(shapeOf(`{${'"a":1,'.repeat(30_000)}"b":2}`)).toEqual(keyed(false, 'a', 'b'));
    expect(shapeOf(`[{${'"a":1,'.repeat(30_000)}"b":2},{"b":1,"a":2},{"a":1,"b":2}]`)).toEqual(keyed(true, 'a', 'b'));
  });

  it.each([
    ['elements', `[${'{"a":1},'.repeat(30_000)}{"a":2}]`],
    ['members', `{${'"a":1,'.repeat(30_000)}"b":2}`],
    ['items of one member', `{"a":[${'1,'.repeat(100_000)}1]}`],
  ])('works in slices through many %s', (_, text) => {
    const slices = parseJsonShape(new TextEncoder().encode(text), MAX_DEPTH);
    let count = 0;
    while (slices.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(4);
  });

  it('agrees with JSON.parse on any JSON', () => {
    const document = fc.oneof(
      fc.json(),
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value, null, 2)),
      fc
        .array(fc.record({ a: fc.jsonValue(), 'b"': fc.jsonValue() }, { requiredKeys: ['a'] }))
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(document, (text) => {
        expect(shapeOf(text)).toEqual(referenceShape(text));
      }),
    );
  });

  it('agrees with JSON.parse on damaged JSON', () => {
    const damage = fc.record({
      at: fc.nat(),
      length: fc.nat(2),
      put: fc.constantFrom('', '"', ',', ']', '}', '\\', '0'),
    });
    fc.assert(
      fc.property(fc.json({ maxDepth: 2 }), damage, (text, { at, length, put }) => {
        const position = at % (text.length + 1);
        const damaged = `${text.slice(0, position)}${put}${text.slice(position + length)}`;
        expect(shapeOf(damaged)).toEqual(referenceShape(damaged));
      }),
      { numRuns: 500 },
    );
  });
});
