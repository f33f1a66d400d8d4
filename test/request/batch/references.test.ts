// References in bodies and paths, without a database.
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { decodeString, expandRequest } from '../../../src/extensions/batch/body/expand-request.ts';
import { type LocatedValues, locateValues } from '../../../src/extensions/batch/body/locate-values.ts';
import { parseTarget } from '../../../src/extensions/batch/body/parse-batch.ts';
import { MAX_POINTER_TOKENS, PointerTree } from '../../../src/extensions/batch/body/pointer-tree.ts';
import { scanReferences } from '../../../src/extensions/batch/body/scan-references.ts';
import { runSlices, type Slices } from '../../../src/util/slices.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function runCounting<T>(slices: Slices<T>, onSlice: () => unknown): T {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
    onSlice();
  }
}

function countSlices(slices: Slices<unknown>): number {
  let count = 0;
  runCounting(slices, () => (count += 1));
  return count;
}

/** Values in which the special keys are frequent. */
const key = fc.oneof(fc.constantFrom('$from', 'at', '$literal', 'a', 'b'), fc.string());
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 0 }),
    fc.constantFrom('{', '"', '$from', ',', '\\'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value;

type Found = readonly [kind: string, text: string];

/** The objects that a parser with a tree would find, in the order of their closing braces. */
function findInTree(value: unknown): readonly Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === '$literal') return [['literal', JSON.stringify(value)]];
  if (keys.length === 2 && keys.includes('$from') && keys.includes('at')) return [['reference', JSON.stringify(value)]];
  return Object.values(value).flatMap(findInTree);
}

function findInText(text: string): readonly Found[] {
  const bytes = encode(text);
  return runSlices(scanReferences(bytes)).map(({ kind, start, end }) => [
    kind,
    JSON.stringify(JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)))),
  ]);
}

test('B30o one pass over the text finds what a tree contains, whatever the white space', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(findInText(text)).toEqual(findInTree(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

function locate(text: Uint8Array, pointers: readonly string[]): LocatedValues {
  const tree = new PointerTree({ left: MAX_POINTER_TOKENS });
  for (const pointer of pointers) expect(tree.add(pointer)).toBe(true);
  return runSlices(locateValues(text, tree));
}

function findText(text: string, pointers: readonly string[]): readonly (string | undefined)[] {
  const located = locate(encode(text), pointers);
  return pointers.map((pointer) => {
    const value = located.find(pointer);
    return value && new TextDecoder().decode(value);
  });
}

test('B30p one pass finds the values of all pointers', () => {
  const escape = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');
  const walk = (value: unknown, pointer: string, visit: (pointer: string, value: unknown) => void): void => {
    visit(pointer, value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) walk(child, `${pointer}/${escape(name)}`, visit);
  };
  fc.assert(
    fc.property(json, (generated) => {
      const text = JSON.stringify(generated, undefined, 1);
      const expected = new Map<string, unknown>();
      walk(JSON.parse(text), '', (pointer, value) => expected.set(pointer, value));
      const found = findText(text, [...expected.keys()]).map((value) => JSON.parse(value ?? '') as unknown);
      expect(found).toEqual([...expected.values()]);
    }),
    { numRuns: 200 },
  );
});

test('B30s of members with one name the last counts, with all that it contains', () => {
  expect(findText('{"a":{"b":1,"c":2},"a":{"b":3}}', ['/a', '/a/b', '/a/c'])).toEqual(['{"b":3}', '3', undefined]);
  expect(findText('{"a":{"b":{"c":1}},"a":2}', ['/a', '/a/b', '/a/b/c'])).toEqual(['2', undefined, undefined]);
  expect(findText('{"a":[{"b":1}],"a":[]}', ['/a/0/b', '/a'])).toEqual([undefined, '[]']);
});

test('B30t pointers that lead nowhere, or are none', () => {
  const pointers = ['/0/a', '/00', '/-', '/1', 'a', '/~2', '/0/', '/'];
  expect(findText('["x"]', pointers)).toEqual(pointers.map(() => undefined));
  expect(findText('{"":{"":1}}', ['/', '//', '///'])).toEqual(['{"":1}', '1', undefined]);
});

test('B30u any number of pointers takes one pass: as many slices as one pointer', () => {
  const element = '{"a":[[1,2,3]],"b":{"c":"text"}}';
  const text = encode(`[${Array.from({ length: 20_000 }, () => element).join()}]`);
  const count = (pointers: readonly string[]): number => {
    const tree = new PointerTree({ left: MAX_POINTER_TOKENS });
    for (const pointer of pointers) tree.add(pointer);
    return countSlices(locateValues(text, tree));
  };
  const one = count(['/19999/b']);
  expect(one).toBeGreaterThan(text.length / 40_000);
  const many = Array.from({ length: 20_000 }, (_, index) => `/${index}/b/c`);
  expect(count(['', ...many])).toBeLessThan(one * 1.5);
});

test('B30v a nest of pointers takes one pass', () => {
  const depth = 500;
  const text = encode(`${'['.repeat(depth)}"${'x'.repeat(1_000_000)}"${']'.repeat(depth)}`);
  const pointers = Array.from({ length: depth }, (_, level) => '/0'.repeat(level));
  const tree = new PointerTree({ left: MAX_POINTER_TOKENS });
  for (const pointer of pointers) tree.add(pointer);
  let slices = 0;
  const located = runCounting(locateValues(text, tree), () => (slices += 1));
  expect(slices).toBeLessThan(text.length / 20_000);
  expect(located.find(pointers[0] ?? '')).toHaveLength(text.length);
  expect(located.find(pointers.at(-1) ?? '')).toHaveLength(text.length - 2 * (depth - 1));
});

test('B30w a batch has up to 100,000 steps of pointers', () => {
  const room = { left: MAX_POINTER_TOKENS };
  expect(new PointerTree(room).add('/a'.repeat(60_000))).toBe(true);
  const other = new PointerTree(room);
  expect(other.add('/b'.repeat(40_000))).toBe(true);
  expect(other.add('/b'.repeat(40_000))).toBe(true);
  expect(other.add('/b'.repeat(40_001))).toBe(false);
  expect(new PointerTree(room).add('/c'.repeat(4_000_000))).toBe(false);
});

test('B30x a string is decoded as JSON.parse would, without a string', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isEscaped) => {
      const sent = isEscaped
        ? `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
        : JSON.stringify(text);
      const decoded = runSlices(decodeString(encode(sent)));
      expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(decoded)).toBe(
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(encode(text)),
      );
    }),
    { numRuns: 50 },
  );
  expect(runSlices(decodeString(encode(String.raw`"\ud800\uD83D\uDe00\"\\\/\b\f\n\r\t"`)))).toEqual(
    encode('\uFFFD\u{1F600}"\\/\b\f\n\r\t'),
  );
});

test.each([
  ['/a?id=eq.{x#/0}', ['/a?', 'id=eq.', 'value', '']],
  ['/a?b=1&id=in.("{x#/0}","{x#}")&c=2', ['/a?', 'b=1&', 'id=in.("', 'element', '","', 'element', '")&', 'c=2']],
  ['/a?tags=cs.{1,2}', ['/a?tags=cs.{1,2}']],
])('B30q %s is a template', (target, expected) => {
  const parsed = parseTarget(target, () => 0);
  const parts = parsed.ok ? parsed.value.map((part) => (typeof part === 'string' ? part : part.place)) : undefined;
  expect(parts).toEqual(expected);
});

test('B30r any text is a template, or its references are misplaced', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('{x#/0}', 'eq.', 'in.(', '"', ',', ')', '&', '?', '=', 'id', '%22', '\0'),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const target = `/a?${pieces.join('')}`;
      const parsed = parseTarget(target, () => 0);
      if (!parsed.ok) return;
      const text = parsed.value
        .map((part) => (typeof part === 'string' ? part : `{${part.id}#${part.pointer}}`))
        .join('');
      expect(text).toBe(target);
    }),
  );
});

test('B32p references are resolved up to the limit of their bytes and no further', () => {
  const tree = new PointerTree({ left: MAX_POINTER_TOKENS });
  tree.add('');
  const located = runSlices(locateValues(encode(`"${'x'.repeat(998)}"`), tree));
  const find = vi.spyOn(located, 'find');
  const parts = Array.from({ length: 5000 }, () => ({ request: 0, id: 'a', pointer: '' }));
  const expanded = runSlices(
    expandRequest(
      {
        index: 1,
        id: undefined,
        method: 'POST',
        target: ['/a'],
        headers: [],
        body: { text: encode('x'), parts },
        latestReference: 0,
      },
      new Map([[0, located]]),
      {
        maxUrlLength: 100,
        bodySize: Number.POSITIVE_INFINITY,
        maxBodySize: 1,
        referencedSize: 10_000,
        referencedTooMuch: { kind: 'rangeBoundaries' },
      },
    ),
  );
  expect(expanded).toEqual({ ok: false, error: { kind: 'rangeBoundaries' } });
  expect(find).toHaveBeenCalledTimes(11);
});
