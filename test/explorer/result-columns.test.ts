// The columns of a response in the explorer, and the links of their values.
import { expect, test } from 'vitest';
import { describeResult, type Level } from '../../explorer/src/rows/describe-level.ts';
import { findElements } from '../../explorer/src/rows/json-elements.ts';
import { type JsonObject, parseJson } from '../../explorer/src/rows/json-value.ts';
import { linkOf, placeOfKey } from '../../explorer/src/rows/row-links.ts';
import { makeTable } from '../../explorer/src/rows/table-model.ts';
import { parseUrl } from '../../explorer/src/url-state/parse-url.ts';
import { SCHEMA } from './result-schema.ts';

function levelOf(url: string): Level {
  const model = parseUrl(url);
  if (!model.ok) throw new Error(model.error.message);
  return describeResult(model.value, SCHEMA);
}

function describeColumns(url: string): readonly string[] {
  return [...levelOf(url).columns].map(([name, { type, field, source, level }]) =>
    [name, type?.name ?? '?', field?.column ?? '-', source?.name ?? '-', level?.relation?.name ?? '-'].join(' '),
  );
}

test('all columns are described, including embeds', () => {
  expect(describeColumns('/houses?select=*,streets(name),r:rents(year)')).toEqual([
    'id integer id id -',
    'street_id integer street_id street_id -',
    'colour text colour colour -',
    'streets ? - - streets',
    'r ? - - rents',
  ]);
});

test('columns have the names of the response: aliases, paths, casts, aggregates, spreads', () => {
  const select = 'n:id,colour->a->>b,colour::json,street_id.sum(),count(),...streets(street:name)';
  expect(describeColumns(`/houses?select=${select}`)).toEqual([
    'n integer id id -',
    'b ? colour - -',
    'colour ? colour - -',
    'sum ? - - -',
    'count ? - - -',
    'street text - - -',
  ]);
});

test('an embed is resolved by its constraint or a hint', () => {
  expect(describeColumns('/houses?select=houses_street_id_fkey(name)')).toEqual([
    'houses_street_id_fkey ? - - streets',
  ]);
  expect(describeColumns('/houses?select=s:streets!houses_street_id_fkey(name)')).toEqual(['s ? - - streets']);
});

test('functions return rows of a relation or rows of their own type', () => {
  expect(describeColumns('/rpc/old_houses?select=id')).toEqual(['id integer id id -']);
  expect(describeColumns('/rpc/ages')).toEqual(['age integer age - -']);
});

test('unknown relations have no description', () => {
  expect(describeColumns('/elsewhere?select=*')).toEqual([]);
  expect(describeColumns('/elsewhere?select=a,b(c)')).toEqual(['a ? a - -', 'b ? - - -']);
});

function objectOf(text: string): JsonObject {
  const value = parseJson(text);
  if (value?.kind !== 'object') throw new Error(text);
  return value;
}

function hrefOf(url: string, row: string, column: string): string | undefined {
  return linkOf(column, { row: objectOf(row), level: levelOf(url), schema: undefined })?.href;
}

test.each([
  [
    'a foreign key',
    '/houses',
    '{"id":1,"street_id":9007199254740993}',
    'street_id',
    '#record/streets?id=eq.9007199254740993',
  ],
  ['a key', '/houses', '{"id":1}', 'id', '#record/houses?id=eq.1'],
  ['a key with an alias', '/houses?select=n:id', '{"n":1}', 'n', '#record/houses?id=eq.1'],
  ['a key of two columns', '/rents', '{"house_id":1,"year":2}', 'year', '#record/rents?house_id=eq.1&year=eq.2'],
  ['a foreign key in a key', '/rents', '{"house_id":1,"year":2}', 'house_id', '#record/houses?id=eq.1'],
  ['a foreign key into another schema', '/rents', '{"owner":"a&b"}', 'owner', '#record@private/people?id=eq.a%26b'],
  ['a key that is not whole', '/rents?select=year', '{"year":2}', 'year', undefined],
  ['no value', '/houses', '{"street_id":null}', 'street_id', undefined],
  ['a value that was changed', '/houses?select=id::text', '{"id":"1"}', 'id', undefined],
  ['a plain column', '/houses', '{"colour":"red"}', 'colour', undefined],
])('%s links to its row', (_, url, row, column, href) => {
  expect(hrefOf(url, row, column)).toBe(href);
});

test('the place of a row keeps the schema', () => {
  const place = placeOfKey({ row: objectOf('{"id":1}'), level: levelOf('/houses'), schema: 'old' });
  expect(place).toEqual({ kind: 'request', schema: 'old', url: '/houses?id=eq.1', view: 'table' });
});

test('table columns are in the order of select, followed by unknown ones', () => {
  const elements = findElements(
    '[{"colour":"red","id":10,"new":1,"streets":{"name":"x"}},{"colour":null,"id":2,"later":true}]',
  )!;
  const { columns, count, rowAt } = makeTable(elements, levelOf('/houses?select=id,streets(name),colour'));
  expect(columns.map(({ name, isKey, isNumeric }) => `${name} ${isKey} ${isNumeric}`)).toEqual([
    'id true true',
    'streets false false',
    'colour false false',
    'new false true',
    'later false false',
  ]);
  expect(count).toBe(2);
  expect(rowAt(1).values.get('id')).toEqual({ kind: 'number', text: '2' });
});

test('values other than objects form a table of one column', () => {
  const { columns, rowAt } = makeTable(findElements('[1,null]')!, levelOf('/rpc/ages'));
  expect(columns.map(({ name, isNumeric }) => [name, isNumeric])).toEqual([['value', true]]);
  expect(rowAt(1).values.get('value')).toEqual({ kind: 'null' });
});
