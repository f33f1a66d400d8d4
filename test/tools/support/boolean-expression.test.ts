import { expect, test } from 'vitest';
import { readCondition, readConstant } from '../../../tools/support/boolean-expression.ts';

test('P43 reads conditions as PostgreSQL prints them', () => {
  expect(readCondition("((total >= (0)::numeric) AND (name <> 'a AND b'::text))")).toEqual({
    kind: 'and',
    parts: [
      { kind: 'comparison', left: 'total', operator: '>=', right: '(0)::numeric' },
      { kind: 'comparison', left: 'name', operator: '<>', right: "'a AND b'::text" },
    ],
  });
  expect(readCondition('(true OR (NOT (f(a, (b OR c)))))')).toEqual({
    kind: 'or',
    parts: [
      { kind: 'term', text: 'true' },
      { kind: 'not', part: { kind: 'term', text: 'f(a, (b OR c))' } },
    ],
  });
  expect(readCondition('(a) = (b)')).toEqual({ kind: 'comparison', left: 'a', operator: '=', right: 'b' });
});

test('P43 reads constants with their casts', () => {
  const texts = ['1', '(0)::numeric', "'-1'::integer", "('a''b'::character varying)::text", 'total', 'now()'];
  expect(texts.map(readConstant)).toEqual([1, 0, '-1', "a'b", undefined, undefined]);
});
