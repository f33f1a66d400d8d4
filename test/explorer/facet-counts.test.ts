// The counts of values in the explorer: their request, and their order.
import { expect, test } from 'vitest';
import { countRequest, readCounts } from '../../explorer/src/facets/facet-counts.ts';
import type { JsonObject } from '../../explorer/src/rows/json-value.ts';
import { textOf } from '../../explorer/src/rows/row-links.ts';
import { columnField } from '../../explorer/src/url-state/edit-columns.ts';
import { parseUrl } from '../../explorer/src/url-state/parse-url.ts';

test.each<[string, string]>([
  [
    '/houses?built=gt.1900&colour=eq.red&order=id&limit=5',
    '/houses?select=value:colour,rows:count()&built=gt.1900&limit=1000',
  ],
  [
    '/houses?select=*,residents!inner(name),streets(name)&residents.name=like.M*&streets.name=eq.x&streets.order=name',
    '/houses?select=value:colour,rows:count(),residents!inner()&residents.name=like.M*&limit=1000',
  ],
  [
    '/houses?select=id,r:residents(name,skills!inner(name))&r=not.is.null&r.skills.name=eq.Guitar',
    '/houses?select=value:colour,rows:count(),r:residents(skills!inner())&r=not.is.null&r.skills.name=eq.Guitar&limit=1000',
  ],
  ['/houses?select=id,streets(name)&after=x', '/houses?select=value:colour,rows:count()&limit=1000'],
])('the values of %s are counted in the rows that it filters', (url, expected) => {
  const model = parseUrl(url);
  if (!model.ok) throw new Error(url);
  expect(decodeURIComponent(countRequest(model.value, columnField('colour')).url)).toBe(expected);
});

test('of equal counts, values are ordered, whatever the order of the groups is', () => {
  const rowOf = (value: string, rows: number): JsonObject => ({
    kind: 'object',
    entries: [
      ['value', { kind: 'string', value }],
      ['rows', { kind: 'number', text: String(rows) }],
    ],
  });
  const rows = [rowOf('10', 1), rowOf('b', 2), rowOf('9', 1), rowOf('a', 2)];
  for (const each of [rows, rows.toReversed()])
    expect(readCounts(each).map(({ value }) => textOf(value))).toEqual(['a', 'b', '9', '10']);
});
