import { expect, test } from 'vitest';
import { ok } from '../../src/contract/result.ts';
import { buildFilter, buildParameters } from '../../src/extensions/agents/requests/query-arguments.ts';

test.each([
  [{ column: 'a', operator: 'eq', value: 'x.y,(z)' }, ['a', 'eq.x.y,(z)']],
  [{ column: 'a', operator: 'gt', value: 5 }, ['a', 'gt.5']],
  [{ column: 'a', operator: 'eq', value: true }, ['a', 'eq.true']],
  [{ column: 'a', operator: 'eq', value: null }, ['a', 'is.null']],
  [{ column: 'a', operator: 'neq', value: null }, ['a', 'not.is.null']],
  [{ column: 'a', operator: 'neq', value: null, not: true }, ['a', 'is.null']],
  [{ column: 'a', operator: 'isdistinct', value: null }, ['a', 'not.is.null']],
  [{ column: 'a', operator: 'is', value: null }, ['a', 'is.null']],
  [{ column: 'a', operator: 'in', value: [1, 'b"c\\', 'd,e'] }, ['a', 'in.(1,"b\\"c\\\\","d,e")']],
  [{ column: 'a', operator: 'in', value: 'one' }, ['a', 'in.("one")']],
  [{ column: 'a', operator: 'cs', value: ['x', 'y'], not: true }, ['a', 'not.cs.{"x","y"}']],
  [{ column: 'data->>k', operator: 'ilike', value: '*x*' }, ['data->>k', 'ilike.*x*']],
  [{ column: 'limit', operator: 'eq', value: 1 }, ['"limit"', 'eq.1']],
  [{ column: 'parts.order', operator: 'eq', value: 1 }, ['parts."order"', 'eq.1']],
  [{ column: 'orders', operator: 'eq', value: 1 }, ['orders', 'eq.1']],
])('%j becomes a parameter', (filter, parameter) => {
  expect(buildFilter(filter)).toEqual(parameter);
});

test('a query string replaces the other arguments', () => {
  expect(buildParameters({ query: '?a=eq.1&select=b%2Cc' })).toEqual(
    ok([
      ['a', 'eq.1'],
      ['select', 'b,c'],
    ]),
  );
  expect(buildParameters({ query: 'a=eq.1', select: ['b'] }).ok).toBe(false);
  expect(buildParameters({ query: 'select * from a' })).toMatchObject({
    error: { details: '"select * from a" has no value' },
  });
});

test('order and select are joined', () => {
  const order = [{ column: 'b', direction: 'desc', nulls: 'last' } as const, { column: 'c' }];
  expect(buildParameters({ select: ['b', 'd(e)'], order })).toEqual(
    ok([
      ['select', 'b,d(e)'],
      ['order', 'b.desc.nullslast,c'],
    ]),
  );
});
