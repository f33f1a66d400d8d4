// The parts of a policy's expression, and the values that they name.
import { describe, expect, test } from 'vitest';
import { listTerms, splitAtAnd, splitConjuncts } from '../../../tools/access/policies/policy-parts.ts';

describe('P40 an expression is split at each AND of its top level', () => {
  test.each<readonly [expression: string, parts: readonly string[]]>([
    ['(a = 1)', ['a = 1']],
    ['((a = 1) AND (b = 2) AND c)', ['a = 1', 'b = 2', 'c']],
    ['((a = 1) OR ((b = 2) AND (c = 3)))', ['(a = 1) OR ((b = 2) AND (c = 3))']],
    [`((a = ' AND '::text) AND ("x AND y" = 'it''s ('::text))`, [`a = ' AND '::text`, `"x AND y" = 'it''s ('::text`]],
    [`((a = E'\\' AND (') AND b)`, [`a = E'\\' AND ('`, 'b']],
    [
      '((f(a) AND true) AND (EXISTS ( SELECT 1\n   FROM t\n  WHERE ((t.a = 1) AND t.b))))',
      ['f(a) AND true', 'EXISTS ( SELECT 1\n   FROM t\n  WHERE ((t.a = 1) AND t.b))'],
    ],
    ['CASE WHEN (a AND b) THEN c ELSE d END', ['CASE WHEN (a AND b) THEN c ELSE d END']],
    ['((a) AND\n (b))', ['a', 'b']],
    ['(a) = (b)', ['(a) = (b)']],
    ['true', ['true']],
  ])('%s', (expression, parts) => {
    expect(splitConjuncts(expression)).toEqual(parts);
  });

  test('which keeps the parentheses around each part for P47', () => {
    expect(splitAtAnd('((a = 1) AND ((b = 2) AND c))')).toEqual(['(a = 1)', '((b = 2) AND c)']);
    expect(splitAtAnd('(a = 1)')).toEqual(['(a = 1)']);
  });
});

test('P40 a part names columns, claims, settings, calls and roles, but nothing within literals', () => {
  const references = { columns: ['owner', 'own', '"odd name"', 'hidden'], calls: ['private.me()', 'private.team()'] };
  const part = `((owner = (current_setting('request.jwt.claims'::text, true))::json -> 'app'::text ->> 'it''s'::text)) OR ("odd name" = current_setting('app.x'::text)) OR (private.me() = 'hidden own'::text) OR (CURRENT_USER = 'x'::name)`;
  expect(listTerms(part, references, 'orders')).toEqual([
    { name: 'owner', expression: 'orders.owner' },
    { name: 'odd name', expression: 'orders."odd name"' },
    {
      name: `claim app.it's`,
      expression: `pg_catalog.current_setting('request.jwt.claims', true)`,
      path: ['app', "it's"],
    },
    { name: 'app.x', expression: `pg_catalog.current_setting('app.x', true)` },
    { name: 'private.me()', expression: 'private.me()' },
    { name: 'CURRENT_USER', expression: 'CURRENT_USER' },
  ]);
  expect(listTerms(`(current_setting('request.jwt.claims'::text) IS NOT NULL)`, references, 'orders')).toEqual([
    { name: 'request.jwt.claims', expression: `pg_catalog.current_setting('request.jwt.claims', true)` },
  ]);
});
