// Edits of a request, each with the URL before and after.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as ofArguments from '../../../explorer/src/url-state/edit-arguments.ts';
import * as ofColumns from '../../../explorer/src/url-state/edit-columns.ts';
import * as ofConditions from '../../../explorer/src/url-state/edit-conditions.ts';
import * as ofEmbeds from '../../../explorer/src/url-state/edit-embeds.ts';
import * as ofOrder from '../../../explorer/src/url-state/edit-order.ts';
import * as ofRanges from '../../../explorer/src/url-state/edit-ranges.ts';
import { embedAt, listEmbedPaths } from '../../../explorer/src/url-state/levels.ts';
import { parseUrl } from '../../../explorer/src/url-state/parse-url.ts';
import { createModel, type QueryModel } from '../../../explorer/src/url-state/query-model.ts';
import { renderUrl } from '../../../explorer/src/url-state/render-url.ts';
import type { Filter, LogicNode } from '../../../src/request/query/query-params.ts';
import { arbitraryQuery } from '../../request/query/arbitrary-query.ts';
import { printQuery } from '../../request/query/support.ts';

const edits = { ...ofArguments, ...ofColumns, ...ofConditions, ...ofEmbeds, ...ofOrder, ...ofRanges };

type Edit = (model: QueryModel) => QueryModel;
type Row = readonly [name: string, before: string, edit: Edit, after: string];

function parse(url: string): QueryModel {
  const parsed = parseUrl(url);
  if (!parsed.ok) throw new Error(`${url}: ${JSON.stringify(parsed.error)}`);
  return parsed.value;
}

function equals(column: string, value: string): Filter {
  return {
    kind: 'filter',
    field: edits.columnField(column),
    negated: false,
    operation: { kind: 'compare', operator: 'eq', quantifier: undefined, value },
  };
}

const either: LogicNode = {
  kind: 'group',
  operator: 'or',
  negated: false,
  members: [equals('b', '2'), equals('c', '3')],
};
const name = { field: edits.columnField('name') };
const top = (...indexes: readonly number[]) => ({ path: [], indexes });
const item = (index: number, ...path: readonly string[]) => ({ path, index });

const COLUMNS: readonly Row[] = [
  ['some of all', '/h', (m) => edits.setColumns(m, [], ['id', 'a.b']), '/h?select=id,"a.b"'],
  [
    'kept as they were',
    '/h?select=x:id::text,s(*)',
    (m) => edits.setColumns(m, [], ['n', 'id']),
    '/h?select=n,x:id::text,s(*)',
  ],
  ['all again', '/h?select=id,s(*)', (m) => edits.setColumns(m, [], 'all'), '/h?select=*,s(*)'],
  ['none at the top', '/h?select=id', (m) => edits.setColumns(m, [], []), '/h'],
  ['none of an embed', '/h?select=id,s(x)', (m) => edits.setColumns(m, ['s'], []), '/h?select=id,s()'],
  ['one more', '/h?select=id,s(*)', (m) => edits.addColumn(m, [], 'n'), '/h?select=id,n,s(*)'],
  ['a computed one', '/h', (m) => edits.addColumn(m, [], 'address'), '/h?select=*,address'],
  ['one more of an embed', '/h?select=s(a,t(b))', (m) => edits.addColumn(m, ['s', 't'], 'c'), '/h?select=s(a,t(b,c))'],
  ['one less', '/h?select=id,n,n->a', (m) => edits.removeColumn(m, [], 'n'), '/h?select=id,n->a'],
  ['rows counted', '/h?select=n', (m) => edits.addCountRows(m, []), '/h?select=n,count()'],
  ['an item less', '/h?select=n,count()', (m) => edits.removeItem(m, item(0)), '/h?select=count()'],
  ['an item moved', '/h?select=a,b,c', (m) => edits.moveItem(m, item(2), 0), '/h?select=c,a,b'],
  ['an alias', '/h?select=a,s(b)', (m) => edits.setAlias(m, item(0, 's'), 'x y'), '/h?select=a,s(x%20y:b)'],
  ['no alias', '/h?select=x:a', (m) => edits.setAlias(m, item(0), ''), '/h?select=a'],
  ['a cast', '/h?select=a', (m) => edits.setCast(m, item(0), 'text'), '/h?select=a::text'],
  ['an aggregate', '/h?select=a::int', (m) => edits.setAggregate(m, item(0), 'sum'), '/h?select=a::int.sum()'],
  ['no aggregate', '/h?select=a.sum()', (m) => edits.setAggregate(m, item(0), undefined), '/h?select=a'],
];

const CONDITIONS: readonly Row[] = [
  ['a filter', '/h?offset=10', (m) => edits.addCondition(m, top(), equals('a', 'x y')), '/h?a=eq.x%20y'],
  [
    'a filter of an embed',
    '/h?select=s(*)',
    (m) => edits.addCondition(m, { path: ['s'], indexes: [] }, equals('order', '1')),
    '/h?select=s(*)&s."order"=eq.1',
  ],
  ['a group', '/h?a=eq.1', (m) => edits.addCondition(m, top(), either), '/h?a=eq.1&or=(b.eq.2,c.eq.3)'],
  [
    'into a group',
    '/h?or=(a.eq.1,and(b.eq.2))',
    (m) => edits.addCondition(m, top(0, 1), equals('c', '3')),
    '/h?or=(a.eq.1,and(b.eq.2,c.eq.3))',
  ],
  [
    'another filter',
    '/h?a=eq.1&b=eq.1',
    (m) => edits.replaceCondition(m, top(1), equals('c', '2')),
    '/h?a=eq.1&c=eq.2',
  ],
  ['one less', '/h?a=eq.1&or=(b.eq.1,c.eq.1)', (m) => edits.removeCondition(m, top(1, 0)), '/h?a=eq.1&or=(c.eq.1)'],
  ['the last of a group', '/h?or=(and(b.eq.1))&a=eq.1', (m) => edits.removeCondition(m, top(1, 0, 0)), '/h?a=eq.1'],
  ['negating a group', '/h?or=(a.eq.1,b.eq.1)', (m) => edits.negateCondition(m, top(0)), '/h?not.or=(a.eq.1,b.eq.1)'],
  [
    'the opposite within',
    '/h?or=(a.not.eq.1,b.eq.1)',
    (m) => edits.negateCondition(m, top(0, 0)),
    '/h?or=(a.eq.1,b.eq.1)',
  ],
  ['a group of one', '/h?a=eq.1&b=eq.2', (m) => edits.groupCondition(m, top(0), 'or'), '/h?b=eq.2&or=(a.eq.1)'],
  [
    'a group in a group',
    '/h?or=(a.eq.1,b.eq.2)',
    (m) => edits.groupCondition(m, top(0, 1), 'and'),
    '/h?or=(a.eq.1,and(b.eq.2))',
  ],
  [
    'ungrouped',
    '/h?and=(a.eq.1,or(b.eq.2,c.eq.3))',
    (m) => edits.ungroupConditions(m, top(0)),
    '/h?a=eq.1&or=(b.eq.2,c.eq.3)',
  ],
  [
    'another operator',
    '/h?or=(a.eq.1,b.eq.2)',
    (m) => edits.setGroupOperator(m, top(0), 'and'),
    '/h?and=(a.eq.1,b.eq.2)',
  ],
  [
    'none',
    '/h?select=s(*)&a=eq.1&or=(b.eq.1)&s.a=eq.1',
    (m) => edits.clearConditions(m, []),
    '/h?select=s(*)&s.a=eq.1',
  ],
];

const EMBEDS: readonly Row[] = [
  ['added', '/h', (m) => edits.addEmbed(m, [], 'streets'), '/h?select=*,streets(*)'],
  ['with a hint', '/h', (m) => edits.addEmbed(m, [], '"a b"!"x,y"'), '/h?select=*,a%20b!"x,y"(*)'],
  ['deeper', '/h?select=s(a)', (m) => edits.addEmbed(m, ['s'], 't'), '/h?select=s(a,t(*))'],
  ['twice', '/h?select=p!x(*)', (m) => edits.addEmbed(m, [], 'p!y'), '/h?select=p!x(*),p_2:p!y(*)'],
  ['thrice', '/h?select=p(*),p_2:p(*)', (m) => edits.addEmbed(m, [], 'p'), '/h?select=p(*),p_2:p(*),p_3:p(*)'],
  [
    'removed with all that is its own',
    '/h?select=*,s(*,t(*)),u(*)&s.a=eq.1&s.t.or=(b.eq.1)&u.a=eq.1&s.order=a&order=s(n),b&s.limit=1&s=not.is.null&or=(s.is.null,c.eq.1)&and=(s.is.null)',
    (m) => edits.removeEmbed(m, ['s']),
    '/h?select=*,u(*)&u.a=eq.1&or=(c.eq.1)&order=b',
  ],
  ['removed, the only one', '/h?select=s(*)&order=s(n)', (m) => edits.removeEmbed(m, ['s']), '/h'],
  [
    'renamed with all that is its own',
    '/h?select=s(*,t(*))&s=not.is.null&s.a=eq.1&or=(s.is.null,c.eq.1)&s.t.limit=1&order=s(n)',
    (m) => edits.setEmbedAlias(m, ['s'], 'x'),
    '/h?select=x:s(*,t(*))&x=not.is.null&x.a=eq.1&or=(x.is.null,c.eq.1)&order=x(n)&x.t.limit=1',
  ],
  [
    'not renamed to a name that is taken',
    '/h?select=s(*),t(*)',
    (m) => edits.setEmbedAlias(m, ['s'], 't'),
    '/h?select=s(*),t(*)',
  ],
  ['joined', '/h?select=s(*)', (m) => edits.setJoin(m, ['s'], 'inner'), '/h?select=s!inner(*)'],
  ['kept', '/h?select=s!k!inner(*)', (m) => edits.setJoin(m, ['s'], 'left'), '/h?select=s!k(*)'],
  ['spread', '/h?select=x:s(*)&x.a=eq.1', (m) => edits.setSpread(m, ['x'], true), '/h?select=...s(*)&s.a=eq.1'],
  ['nested again', '/h?select=...s(*)', (m) => edits.setSpread(m, ['s'], false), '/h?select=s(*)'],
];

const ORDERS_AND_RANGES: readonly Row[] = [
  ['ascending', '/h?offset=5&limit=5', (m) => edits.toggleOrder(m, [], name), '/h?order=name.asc&limit=5'],
  ['descending', '/h?order=name', (m) => edits.toggleOrder(m, [], name), '/h?order=name.desc'],
  ['none', '/h?order=name.desc', (m) => edits.toggleOrder(m, [], name), '/h'],
  ['instead', '/h?order=a,b', (m) => edits.toggleOrder(m, [], name), '/h?order=name.asc'],
  ['also', '/h?order=a', (m) => edits.toggleOrder(m, [], { ...name, keepsOthers: true }), '/h?order=a,name.asc'],
  [
    'in its place',
    '/h?order=name,a',
    (m) => edits.toggleOrder(m, [], { ...name, keepsOthers: true }),
    '/h?order=name.desc,a',
  ],
  [
    'by an embed',
    '/h?select=s(*)',
    (m) => edits.toggleOrder(m, [], { ...name, relation: 's' }),
    '/h?select=s(*)&order=s(name).asc',
  ],
  ['of an embed', '/h?select=s(*)', (m) => edits.toggleOrder(m, ['s'], name), '/h?select=s(*)&s.order=name.asc'],
  ['nulls', '/h?order=a,b.desc', (m) => edits.setNulls(m, item(1), 'nullslast'), '/h?order=a,b.desc.nullslast'],
  ['one term less', '/h?order=a,b', (m) => edits.removeOrder(m, item(0)), '/h?order=b'],
  ['a limit', '/h?offset=3', (m) => edits.setLimit(m, [], 10), '/h?limit=10&offset=3'],
  ['no limit', '/h?limit=10', (m) => edits.setLimit(m, [], undefined), '/h'],
  ['a limit of an embed', '/h?select=s(*)', (m) => edits.setLimit(m, ['s'], 1), '/h?select=s(*)&s.limit=1'],
  ['an offset', '/h?limit=10', (m) => edits.setOffset(m, [], 20), '/h?limit=10&offset=20'],
  ['the third page', '/h', (m) => edits.goToPage(m, { number: 3, size: 25 }), '/h?limit=25&offset=50'],
  ['the first page', '/h?limit=25&offset=50', (m) => edits.goToPage(m, { number: 1, size: 25 }), '/h?limit=25'],
  ['an argument', '/rpc/f?a=1&b=2', (m) => edits.setArgument(m, 'a', ['x&y']), '/rpc/f?a=x%26y&b=2'],
  ['many values', '/rpc/f?b=2', (m) => edits.setArgument(m, 'a', ['1', '2']), '/rpc/f?b=2&a=1&a=2'],
  ['the default', '/rpc/f?a=1&b=2&a=3', (m) => edits.setArgument(m, 'a', []), '/rpc/f?b=2'],
];

describe.each([
  ['columns', COLUMNS],
  ['conditions', CONDITIONS],
  ['embeds', EMBEDS],
  ['orders, ranges and arguments', ORDERS_AND_RANGES],
])('%s', (_group, rows) => {
  test.each(rows)('%s: %s', (_name, before, edit, after) => {
    expect(renderUrl(edit(parse(before)))).toBe(after);
  });
});

test('an edit of what does not exist changes nothing', () => {
  const model = parse('/h?select=id,s(a)&a=eq.1');
  for (const edit of [
    edits.removeEmbed(model, ['x']),
    edits.addColumn(model, ['x'], 'a'),
    edits.setAlias(model, item(7), 'a'),
    edits.removeCondition(model, top(3)),
    edits.addEmbed(model, [], '!'),
    edits.removeOrder(model, item(0)),
  ])
    expect(edit).toEqual(model);
});

test('the parts of a model are listed by level', () => {
  const model = parse('/h?select=s(a,t(b)),x:u!k(c)&s.a=eq.1&limit=10&offset=25&order=name&s.or=(a.eq.1)');
  expect(listEmbedPaths(model)).toEqual([['s'], ['s', 't'], ['x']]);
  expect(edits.conditionsAt(model, ['s']).map(({ kind }) => kind)).toEqual(['filter', 'group']);
  expect(edits.conditionAt(model, { path: ['s'], indexes: [1, 0] })).toEqual(equals('a', '1'));
  expect(edits.pageOf(model)).toEqual({ number: 3, size: 10 });
  expect(edits.findOrder(model, [], name)?.direction).toBeUndefined();
  expect(edits.pathOfLastEmbed(model, [])).toEqual(['x']);
  expect(edits.isEmbedOf(embedAt(model, ['x'])!, 'u!k')).toBe(true);
  expect(edits.isEmbedOf(embedAt(model, ['x'])!, 'u')).toBe(false);
  expect(edits.argumentsOf(parse('/rpc/f?a=1&b=2&a=3'), 'a')).toEqual(['1', '3']);
  expect(renderUrl(createModel({ kind: 'function', name: 'f g' }))).toBe('/rpc/f%20g');
});

test('removing every embed removes everything addressed to embeds', () => {
  fc.assert(
    fc.property(arbitraryQuery, (query) => {
      let model = parse(`/t?${printQuery(query)}`);
      const paths = listEmbedPaths(model);
      for (const path of paths.toReversed()) model = edits.removeEmbed(model, path);
      const { filters, logic, orders, ranges } = model.params;
      const rest = [...filters, ...logic, ...orders, ...ranges].map((entry) => JSON.stringify(entry.path));
      for (const path of paths) expect(rest).not.toContain(JSON.stringify(path));
      expect(parse(renderUrl(model))).toEqual(model);
    }),
  );
});
