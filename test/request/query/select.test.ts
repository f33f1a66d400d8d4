// The select parameter (`reading.md` §3.2).
import { describe, expect, test } from 'vitest';
import type { ColumnItem, EmbedItem, SelectItem } from '../../../src/request/query/query-params.ts';
import { parse, parseErrorText } from './support.ts';

function column(name: string, more: Partial<ColumnItem> = {}): ColumnItem {
  const field = { column: name, path: [] };
  return { kind: 'column', field, alias: undefined, cast: undefined, aggregate: undefined, ...more };
}

function embed(target: string, select: readonly SelectItem[], more: Partial<EmbedItem> = {}): EmbedItem {
  return { kind: 'embed', target, alias: undefined, hint: undefined, join: 'left', select, ...more };
}

const ALL: SelectItem = { kind: 'all' };

describe('select', () => {
  const rows: readonly (readonly [name: string, query: string, select: readonly SelectItem[]])[] = [
    ['absent: all columns', '', [ALL]],
    ['empty: all columns', 'select=', [ALL]],
    ['without =: all columns', 'select', [ALL]],
    ['a star', 'select=*', [ALL]],
    ['a star among columns', 'select=*%20,age', [ALL, column('age')]],
    [
      'R29 blanks',
      'select=%20id%20,%09label%09,h(%20name%20,%20id%20)%20',
      [column('id'), column('label'), embed('h', [column('name'), column('id')])],
    ],
    [
      'R30 alias and cast',
      'select=no:id,built::text,y:built::text',
      [column('id', { alias: 'no' }), column('built', { cast: 'text' }), column('built', { alias: 'y', cast: 'text' })],
    ],
    ['a second cast has no effect', 'select=id::text::int', [column('id', { cast: 'text' })]],
    [
      'aggregates',
      'select=a.sum(),b::int.avg()::text,n:c.count()',
      [
        column('a', { aggregate: { function: 'sum', cast: undefined } }),
        column('b', { cast: 'int', aggregate: { function: 'avg', cast: 'text' } }),
        column('c', { alias: 'n', aggregate: { function: 'count', cast: undefined } }),
      ],
    ],
    [
      'the row count',
      'select=count(),n:count()::text',
      [
        { kind: 'countRows', alias: undefined, cast: undefined },
        { kind: 'countRows', alias: 'n', cast: 'text' },
      ],
    ],
    ['a column named count', 'select=count', [column('count')]],
    [
      'embeds',
      'select=h(),x:h(*),h(i(id))',
      [embed('h', []), embed('h', [ALL], { alias: 'x' }), embed('h', [embed('i', [column('id')])])],
    ],
    [
      'R31 join and hint in either order',
      'select=h!fk!inner(id),h!inner!fk(id),h!left(id),h!fk(id)',
      [
        embed('h', [column('id')], { hint: 'fk', join: 'inner' }),
        embed('h', [column('id')], { hint: 'fk', join: 'inner' }),
        embed('h', [column('id')]),
        embed('h', [column('id')], { hint: 'fk' }),
      ],
    ],
    [
      'the first of two hints or joins wins',
      'select=h!a!b(id),h!inner!left(id)',
      [embed('h', [column('id')], { hint: 'a' }), embed('h', [column('id')], { join: 'inner' })],
    ],
    [
      'hints named like join types',
      'select=h!"left"(id),h!inner_side(id)',
      [embed('h', [column('id')], { hint: 'left' }), embed('h', [column('id')], { hint: 'inner_side' })],
    ],
    [
      'spreads',
      'select=...h(id,...i!inner(id)),...count(id)',
      [
        embed('h', [column('id'), embed('i', [column('id')], { kind: 'spread', join: 'inner' })], { kind: 'spread' }),
        embed('count', [column('id')], { kind: 'spread' }),
      ],
    ],
    [
      'blanks around parentheses',
      'select=h%20(id)%20,i!inner%20(id%20)',
      [embed('h', [column('id')]), embed('i', [column('id')], { join: 'inner' })],
    ],
    [
      'quoted names',
      'select="a:b":"c,d"::int,"e f":"g(h)"(id)',
      [column('c,d', { alias: 'a:b', cast: 'int' }), embed('g(h)', [column('id')], { alias: 'e f' })],
    ],
  ];
  test.each(rows)('%s', (_name, query, select) => {
    expect(parse(query).select).toEqual(select);
  });

  test('R32 R33 R34 three modifiers, an alias before a spread and one before a star do not parse', () => {
    expect(parseErrorText('select=h!a!inner!left(id)')[0]).toContain('select parameter');
    expect(parseErrorText('select=p:...h(id)')[0]).toContain('column 3');
    expect(parseErrorText('select=a:*')[0]).toContain('column 3');
  });
});
