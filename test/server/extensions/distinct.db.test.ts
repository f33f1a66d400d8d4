// Different rows (`beyond.md` §1.1 item 4).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { useExtensionServers } from './extension-servers.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.studio (id int primary key, name text);
    create table api.film (
      id int primary key, studio_id int references api.studio, title text, city text, country text, price int,
      meta jsonb, "distinct" int);
    insert into api.studio values (1, 'A'), (2, 'B');
    insert into api.film
      select n, 1 + n % 2, 't' || n % 3, (array['Oslo','Cork',null])[1 + n % 3], (array['NO','IE'])[1 + n % 2],
        n * 7 % 11, jsonb_build_object('k', n % 2), n
      from generate_series(1, 24) as n;
    create function api.films() returns setof api.film stable language sql as 'select * from api.film';
    create function api.echo("distinct" text) returns text immutable language sql as 'select "distinct"';
    grant select, update, delete on api.studio, api.film to ${harbor.anon}`);
const servers = await useExtensionServers(harbor, 'aggregates', {
  'db-aggregates-enabled': true,
  'db-tx-end': 'rollback',
});

describe.each(['svc', 'postgrest'] as const)('in the dialect %s', (dialect) => {
  const codeOf = (code: string): string => `${dialect === 'svc' ? 'SVC' : 'PGRST'}${code}`;
  const read = (target: string): Promise<unknown> => servers.on[dialect].json(target);

  test.each([
    ['/film?select=city&distinct=*&order=city', 'select distinct city from api.film order by city'],
    [
      '/film?select=city,country&distinct=*&order=country.desc,city&limit=3&offset=1',
      'select distinct city, country from api.film order by country desc, city limit 3 offset 1',
    ],
    [
      '/film?select=id,city&distinct=city&order=price.desc,id',
      'select distinct on (city) id, city from api.film order by city, price desc, id',
    ],
    [
      '/film?select=id&distinct=city,country&order=price,id,city.desc.nullslast',
      'select distinct on (city, country) id from api.film order by city desc nulls last, country, price, id',
    ],
    [
      '/film?select=id&distinct=city,country&order=country.desc,price,id',
      'select distinct on (city, country) id from api.film order by country desc, city, price, id',
    ],
    [
      '/film?select=id&distinct=meta-%3E%3Ek&order=id.desc',
      "select distinct on (meta->>'k') id from api.film order by meta->>'k', id desc",
    ],
    [
      '/film?select=meta-%3E%3Ek&distinct=*&order=meta-%3E%3Ek',
      "select distinct meta->>'k' as k from api.film order by 1",
    ],
    ['/rpc/films?select=city&distinct=*&order=city', 'select distinct city from api.film order by city'],
    [
      '/rpc/films?select=id,price&distinct=city&order=price,id',
      'select distinct on (city) id, price from api.film order by city, price, id',
    ],
  ])('B4 %s', async (target, sql) => {
    const [row] = await harbor.query(`select json_agg(_) from (${sql}) as _`);
    expect(await read(target)).toEqual(row?.[0]);
  });

  test('B4 Content-Range counts what is given out', async () => {
    const rangeOf = async (target: string): Promise<unknown> => {
      const { headers } = await servers.on[dialect].get(target, { headers: { Prefer: 'count=exact' } });
      return headers['content-range'];
    };
    expect(await rangeOf('/film?select=city&distinct=*&order=city&limit=2')).toBe('0-1/3');
    expect(await rangeOf('/film?select=id&distinct=city,country')).toBe('0-5/6');
    expect(await rangeOf('/rpc/films?select=id&distinct=city&limit=1')).toBe('0-0/3');
  });

  test('B4 in embeds, and with embeds in the rows', async () => {
    expect(await read('/studio?select=id,film(city)&film.distinct=*&film.order=city&order=id')).toEqual([
      { id: 1, film: [{ city: 'Cork' }, { city: 'Oslo' }, { city: null }] },
      { id: 2, film: [{ city: 'Cork' }, { city: 'Oslo' }, { city: null }] },
    ]);
    expect(await read('/studio?select=id,...film(title)&film.distinct=title&id=eq.1')).toEqual([
      { id: 1, title: ['t0', 't1', 't2'] },
    ]);
    expect(await read('/film?select=country,studio(name)&distinct=*&order=country')).toEqual([
      { country: 'IE', studio: { name: 'B' } },
      { country: 'NO', studio: { name: 'A' } },
    ]);
    expect(await read('/studio?select=name,film!inner()&film.distinct=title&order=name')).toEqual([
      { name: 'A' },
      { name: 'B' },
    ]);
  });

  test('B4 a filter expression is a filter on a column of that name', async () => {
    expect(await read('/film?select=id&distinct=eq.5')).toEqual([{ id: 5 }]);
    expect(await read('/film?select=id&distinct=not.gt.1&order=distinct')).toEqual([{ id: 1 }]);
    expect(await read('/studio?select=film(id)&film.distinct=eq.4')).toEqual([{ film: [{ id: 4 }] }, { film: [] }]);
    expect(await read('/film?select=id&distinct=distinct&id=eq.3')).toEqual([{ id: 3 }]);
  });

  test('B4 the first of several counts, an empty list is an error', async () => {
    expect(await read('/film?select=title&distinct=title&distinct=id&order=title')).toHaveLength(3);
    expect(await read('/film?distinct=')).toMatchObject({ code: codeOf('100') });
    expect(await read('/film?distinct=a,')).toMatchObject({ code: codeOf('100') });
    expect(await read('/film?distinct=title&distinct=in.(1')).toMatchObject({ code: codeOf('100') });
    expect(await read('/film?film.distinct=title')).toMatchObject({ code: codeOf('108') });
    expect(await read('/film?distinct=nope')).toMatchObject({ code: '42703' });
  });

  test("B4 a function's parameter wins", async () => {
    expect(await read('/rpc/echo?distinct=a.b')).toBe('a.b');
    expect(await read('/rpc/echo?distinct=*')).toBe('*');
    expect(await read('/rpc/echo?distinct=')).toBe('');
  });

  test.each([
    ['select=city&distinct=*&order=price', 'distinct=* with order=price needs that column in select.'],
    ['select=city::text&distinct=*&order=city', 'distinct=* with order=city needs that column in select.'],
    [
      'select=city,studio(name)&distinct=*&order=studio(name)',
      'distinct=* with order=studio(name) needs that column in select.',
    ],
    ['select=city,count()&distinct=*', 'distinct=* and aggregates exclude each other on one level.'],
    ['select=city&distinct=city&order=price.sum()', 'distinct=city and aggregates exclude each other on one level.'],
    [
      'select=city&distinct=city,meta-%3Ek&count()=gt.1',
      'distinct=city,meta->k and aggregates exclude each other on one level.',
    ],
  ])('B5 %s', async (query, details) => {
    const { status, text } = await servers.on[dialect].get(`/film?${query}`);
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: codeOf('127'), details }]);
  });

  test('B5 writes', async () => {
    const { text } = await servers.on[dialect].get('/film?id=eq.1&distinct=*', { method: 'DELETE' });
    expect(JSON.parse(text)).toMatchObject({ code: codeOf('127') });
  });

  test('B54 without the extension', async () => {
    const server = servers.off[dialect];
    expect(await server.json('/film?distinct=city')).toMatchObject({
      code: codeOf('100'),
      message: '"failed to parse filter (city)" (line 1, column 1)',
    });
    expect(await server.json('/film?select=id&distinct=eq.5')).toEqual([{ id: 5 }]);
    expect(await server.json('/rpc/echo?distinct=a')).toBe('a');
  });
});
