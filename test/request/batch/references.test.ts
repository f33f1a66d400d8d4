// References in bodies and paths, without a database.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonDocument } from '../../../src/request/batch/json-document.ts';
import { parseTarget } from '../../../src/request/batch/parse-target.ts';
import { scanReferences } from '../../../src/request/batch/scan-references.ts';
import { runSlices } from '../../../src/util/slices.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

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

test('B30p a pointer finds the value that it names', () => {
  const escape = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');
  const walk = (value: unknown, pointer: string, visit: (pointer: string, value: unknown) => void): void => {
    visit(pointer, value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) walk(child, `${pointer}/${escape(name)}`, visit);
  };
  fc.assert(
    fc.property(json, (generated) => {
      const text = encode(JSON.stringify(generated, undefined, 1));
      const document = new JsonDocument(text);
      walk(JSON.parse(new TextDecoder().decode(text)), '', (pointer, value) => {
        const { start = 0, end = 0 } = document.find(pointer) ?? {};
        expect(JSON.parse(new TextDecoder().decode(text.subarray(start, end)))).toEqual(value);
      });
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['/a?id=eq.{x#/0}', ['/a?', 'id=eq.', 'value', '']],
  ['/a?b=1&id=in.("{x#/0}","{x#}")&c=2', ['/a?', 'b=1&', 'id=in.("', 'element', '","', 'element', '")&', 'c=2']],
  ['/a?tags=cs.{1,2}', ['/a?', 'tags=cs.{1,2}']],
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
