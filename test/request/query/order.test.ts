// The order parameter, `columns` and `on_conflict` (`reading.md` §3.5).
import { describe, expect, test } from 'vitest';
import type { OrderTerm } from '../../../src/request/query/query-params.ts';
import { parse } from './support.ts';

function term(column: string, more: Partial<OrderTerm> = {}): OrderTerm {
  return { relation: undefined, field: { column, path: [] }, direction: undefined, nulls: undefined, ...more };
}

describe('order', () => {
  const rows: readonly (readonly [value: string, terms: readonly OrderTerm[]])[] = [
    ['a', [term('a')]],
    [
      'a,b.desc,c.asc.nullslast,d.nullsfirst',
      [
        term('a'),
        term('b', { direction: 'desc' }),
        term('c', { direction: 'asc', nulls: 'nullslast' }),
        term('d', { nulls: 'nullsfirst' }),
      ],
    ],
    [' a , b.desc,\tc ', [term('a'), term('b', { direction: 'desc' }), term('c')]],
    [
      'h(a).desc, h( b ) ,"x.y"',
      [term('a', { relation: 'h', direction: 'desc' }), term('b', { relation: 'h' }), term('x.y')],
    ],
    [
      'm->>k.desc',
      [
        term('m', {
          field: { column: 'm', path: [{ arrow: '->>', operand: { kind: 'key', name: 'k' } }] },
          direction: 'desc',
        }),
      ],
    ],
    ['asc,desc.desc', [term('asc'), term('desc', { direction: 'desc' })]],
  ];
  test.each(rows)('%s', (value, terms) => {
    expect(parse(`order=${encodeURIComponent(value)}`).orders).toEqual([{ path: [], value: terms }]);
  });

  test('an order for an embed has its path', () => {
    expect(parse('a.b.order=id').orders).toEqual([{ path: ['a', 'b'], value: [term('id')] }]);
  });
});

describe('column lists', () => {
  test('columns and on_conflict are lists of names', () => {
    const query = parse('columns=a,"b,c"%20,%20d%20e&on_conflict=x');
    expect(query.columns).toEqual(['a', 'b,c', 'd e']);
    expect(query.onConflict).toEqual(['x']);
  });

  test('absent lists are undefined', () => {
    const query = parse('columns&on_conflict');
    expect(query.columns).toBeUndefined();
    expect(query.onConflict).toBeUndefined();
  });
});
