// Columns and computed columns of the rows of functions whose row type is not an exposed relation, or inherits them.
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create schema hidden;
    create table hidden.item (id int, word text);
    create table hidden.slice (id int, word text) partition by list (id);
    create table api.slice_1 partition of hidden.slice for values in (1);
    create table api.above (id int, word text);
    create table api.below (primary key (id)) inherits (api.above);
    create table api.other (id int);
    create type api.pair as (id int, word text);
    create table api.typed of api.pair;
    create domain api.checked_pair as api.pair check ((value).id > 0);
    insert into hidden.item values (1, 'one'), (2, 'two');
    insert into api.slice_1 values (1, 'one');
    insert into api.below values (1, 'one'), (2, 'two');
    insert into api.typed values (1, 'one'), (2, 'two');

    create function api.items() returns setof hidden.item stable security definer language sql
      as 'select * from hidden.item';
    create function api.called_items() returns setof hidden.item stable security definer language plpgsql
      as 'begin return query select * from hidden.item; end';
    create function api.slices() returns setof api.slice_1 stable security definer language sql
      as 'select * from api.slice_1';
    create function api.pairs(first int default 1) returns setof api.pair stable language sql
      as $$ values (first, 'one'), (2, 'two') $$;
    create function api.checked() returns setof api.checked_pair stable language sql
      as $$ select row(1, 'one')::api.pair::api.checked_pair $$;
    create function api.belows() returns setof api.below stable language sql as 'select * from api.below';
    create function api.all_typed() returns setof api.typed stable language sql as 'select * from api.typed';

    create function api.both(hidden.item) returns text immutable language sql as $$ select 'item ' || $1.word $$;
    create function api.both(hidden.slice) returns text immutable language sql as $$ select 'slice ' || $1.word $$;
    create function api.both(api.pair) returns text immutable language sql as $$ select 'pair ' || $1.word $$;
    create function api.both(api.checked_pair) returns text immutable language sql as $$ select 'checked' $$;
    create function api.both(api.above) returns text immutable language sql as $$ select 'above ' || $1.word $$;
    create function public.both(api.other) returns text immutable language sql as $$ select 'other' $$;
    create function public.shout(hidden.item) returns text immutable language sql as $$ select upper($1.word) $$;
    create function api.type_of(anyelement) returns text immutable language sql as $$ select pg_typeof($1)::text $$;
    create function api.type_of(api.other) returns text immutable language sql as $$ select 'other' $$;
    grant select on api.below, api.typed to ${harbor.anon}`);
const server = await use(startLocalServer(harbor, { 'db-aggregates-enabled': true }));

describe.each([
  ['items', 'item', 'hidden.item'],
  ['called_items', 'item', 'hidden.item'],
  ['slices', 'slice', 'slice_1'],
  ['pairs', 'pair', 'pair'],
  ['belows', 'above', 'below'],
  ['all_typed', 'pair', 'typed'],
])('rows of %s', (name, kind, type) => {
  const row = { id: 1, word: 'one', both: `${kind} one` };

  test.each([
    ['select=*,both', row],
    ['select=id,word,both', row],
    ['select=*,both&both=like.*%20one&order=both.desc', row],
    ['select=*,both&order=both.desc', row],
    ['select=*,...both', undefined],
    ['select=both,count()', { both: row.both, count: 1 }],
    ['select=*,type_of', { id: 1, word: 'one', type_of: type }],
    ['select=type_of', { type_of: type }],
  ])('%s', async (query, expected) => {
    const response = await server.get(`/rpc/${name}?${query}&id=eq.1`);
    if (expected === undefined) expect(response.status).toBe(400);
    else expect([response.status, JSON.parse(response.text)]).toEqual([200, [expected]]);
  });

  test.each(['select=id,bogus', 'select=*,bogus', 'select=id&bogus=eq.1', 'select=id&order=bogus', 'bogus=eq.1'])(
    'an unknown column: %s',
    async (query) => {
      expect(await server.json(`/rpc/${name}?${query}`)).toMatchObject({
        code: '42703',
        message: `column ${name}.bogus does not exist`,
      });
    },
  );
});

test('a function outside of the exposed schemas computes a column', async () => {
  expect(await server.json('/rpc/items?select=*,shout&id=eq.1')).toEqual([{ id: 1, word: 'one', shout: 'ONE' }]);
  expect(await server.json('/rpc/items?select=shout&order=shout')).toEqual([{ shout: 'ONE' }, { shout: 'TWO' }]);
});

test('a row of a domain has the computed columns of the domain', async () => {
  expect(await server.json('/rpc/checked?select=*,both')).toEqual([{ id: 1, word: 'one', both: 'checked' }]);
});

test('arguments in a body, and columns that are newer than the schema cache', async () => {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"first": 7}' };
  const { text } = await server.get('/rpc/pairs?select=*,both&limit=1', post);
  expect(JSON.parse(text)).toEqual([{ id: 7, word: 'one', both: 'pair one' }]);
  await harbor.sql(`
    alter table hidden.item add newer int default 5;
    create function api.newest(hidden.item) returns int immutable language sql as 'select 6'`);
  expect(await server.json('/rpc/items?select=*,both&id=eq.1')).toEqual([
    { id: 1, word: 'one', newer: 5, both: 'item one' },
  ]);
  expect(await server.json('/rpc/items?select=newer&id=eq.1')).toEqual([{ newer: 5 }]);
  expect(await server.json('/rpc/items?select=newest&id=eq.1')).toEqual([{ newest: 6 }]);
});

test('a page by token reads an inherited computed column', async () => {
  const { headers } = await server.get('/below?select=id,both&order=word.desc,id&limit=1', {
    headers: { Prefer: 'paging=cursor' },
  });
  const [, query] = /<([^>]*)>; rel="next"/u.exec(String(headers['link'])) ?? [];
  expect(await server.json(`/below${query}`)).toEqual([{ id: 1, both: 'above one' }]);
});

test('B101 a column of a composite type takes precedence over an alias, and so does a computed one', async () => {
  for (const [name, column] of [
    ['pairs', 'word'],
    ['pairs', 'both'],
    ['items', 'word'],
    ['items', 'shout'],
  ])
    expect(
      await server.json(`/rpc/${name}?select=*,${column}:id,shown:${column}&order=${column}.desc&limit=1`),
    ).toEqual([expect.objectContaining({ id: 2 })]);
  expect(await server.json('/below?select=both:id&order=both.desc')).toEqual([{ both: 2 }, { both: 1 }]);
});
