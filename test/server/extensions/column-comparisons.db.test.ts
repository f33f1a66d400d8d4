// Comparisons with another column (`beyond.md` §1.3).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { useExtensionServers } from './extension-servers.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.shop (id int primary key, name text, budget int, tags text[], "odd, name" int);
    create table api.item (
      id int primary key, shop_id int references api.shop, price int, cost int, label text, pattern text,
      meta jsonb, tags text[]);
    create function api.margin(api.item) returns int stable language sql as 'select $1.price - $1.cost';
    create function api.items() returns setof api.item stable language sql as 'select * from api.item';
    insert into api.shop values (1, 'North', 25, '{a,b}', 10), (2, 'South', 5, '{}', 5);
    insert into api.item values
      (1, 1, 10, 5, 'a*b', 'a*b', '{"price": 10, "list": [1]}', '{a}'),
      (2, 1, 30, 30, 'axb', 'a_b', '{"price": 3}', '{c}'),
      (3, 2, 4, 8, 'AXB', 'a%', '{}', '{}'),
      (4, 2, null, 8, null, null, null, null);
    grant select, update, delete on api.shop, api.item to ${harbor.anon}`);
const servers = await useExtensionServers(harbor, 'compare', { 'db-tx-end': 'rollback' });

describe.each(['svc', 'postgrest'] as const)('in the dialect %s', (dialect) => {
  const codeOf = (code: string): string => `${dialect === 'svc' ? 'SVC' : 'PGRST'}${code}`;
  const ids = async (query: string): Promise<unknown> => {
    const rows = await servers.on[dialect].json(`/item?select=id&order=id&${query}`);
    return Array.isArray(rows) ? (rows as readonly { readonly id: number }[]).map(({ id }) => id) : rows;
  };

  test.each([
    ['price=eq(column).cost', 'price = cost'],
    ['price=neq(column).cost', 'price <> cost'],
    ['price=gt(column).cost', 'price > cost'],
    ['price=gte(column).cost', 'price >= cost'],
    ['price=lt(column).cost', 'price < cost'],
    ['price=lte(column).cost', 'price <= cost'],
    ['price=not.gt(column).cost', 'not price > cost'],
    ['price=isdistinct(column).cost', 'price is distinct from cost'],
    ['price=not.isdistinct(column).price', 'not price is distinct from price'],
    ['label=like(column).pattern', 'label like pattern'],
    ['label=ilike(column).pattern', 'label ilike pattern'],
    ['tags=cs(column).tags', 'tags @> tags'],
    ['tags=cd(column).tags', 'tags <@ tags'],
    ['tags=ov(column).tags', 'tags && tags'],
    ['margin=lt(column).cost', 'api.margin(item) < cost'],
    ['price=gt(column).margin', 'price > api.margin(item)'],
    ['meta-%3Eprice=eq(column).meta-%3Eprice', "meta -> 'price' = meta -> 'price'"],
    ['meta-%3E%3Eprice=eq(column).meta-%3E%3Eprice', "meta ->> 'price' = meta ->> 'price'"],
    ['or=(price.gt(column).cost,label.not.like(column).pattern)', 'price > cost or not label like pattern'],
    ['and=(price.gt(column)."cost",cost.lt(column).price)', 'price > cost'],
  ])('B10 %s', async (query, condition) => {
    const rows = await harbor.query(`select id from api.item where ${condition} order by id`);
    expect(await ids(query)).toEqual(rows.map(([id]) => id));
  });

  test('B10 an asterisk in the pattern of a column is a character', async () => {
    expect(await ids('label=like(column).pattern')).toEqual([1, 2]);
  });

  test('B10 a quoted name', async () => {
    const shops = await servers.on[dialect].json('/shop?select=id&budget=eq(column).%22odd,%20name%22');
    expect(shops).toEqual([{ id: 2 }]);
  });

  test('B10 an unknown column, an incomplete name and another operator', async () => {
    expect(await ids('price=gt(column).nope')).toMatchObject({ code: '42703' });
    expect(await ids('price=gt(column).')).toMatchObject({ code: codeOf('100') });
    expect(await ids('label=match(column).pattern')).toMatchObject({ code: codeOf('100') });
    expect(await ids('or=(price.gt(column).cost.x)')).toMatchObject({ code: codeOf('100') });
    expect(await ids('price=in(column).cost')).toMatchObject({ code: codeOf('100') });
  });

  test('B10 in writes, calls and counts', async () => {
    const server = servers.on[dialect];
    const headers = { Prefer: 'return=representation', 'Content-Type': 'application/json' };
    const target = '/item?price=gt(column).cost&select=id';
    const patched = await server.get(target, { method: 'PATCH', headers, body: '{"label":"x"}' });
    expect([patched.status, JSON.parse(patched.text)]).toEqual([200, [{ id: 1 }]]);
    expect(await server.json('/rpc/items?select=id&price=gt(column).cost')).toEqual([{ id: 1 }]);
    const counted = await server.get('/item?price=gte(column).cost&limit=1', { headers: { Prefer: 'count=exact' } });
    expect(counted.headers['content-range']).toBe('0-0/2');
  });

  test('B11 (parent) names a column of the row above', async () => {
    const server = servers.on[dialect];
    expect(await server.json('/shop?select=id,item(id)&item.price=lte(parent).budget&order=id')).toEqual([
      { id: 1, item: [{ id: 1 }] },
      { id: 2, item: [{ id: 3 }] },
    ]);
    expect(await server.json('/shop?select=id,item!inner()&item.price=gt(parent).budget')).toEqual([{ id: 1 }]);
    expect(await server.json('/item?select=id,shop!inner()&shop.budget=lt(parent).price')).toEqual([{ id: 2 }]);
    expect(await server.json('/item?select=id,...shop!inner(name)&shop.budget=lt(parent).price')).toEqual([
      { id: 2, name: 'North' },
    ]);
    const { headers } = await server.get('/item?select=id,shop!inner()&shop.budget=lt(parent).margin', {
      headers: { Prefer: 'count=exact' },
    });
    expect(headers['content-range']).toBe('*/0');
    expect(await server.json('/shop?select=id,item(id)&item.or=(price.gt(parent).budget,id.eq.4)&order=id')).toEqual([
      { id: 1, item: [{ id: 2 }] },
      { id: 2, item: [{ id: 4 }] },
    ]);
  });

  test('B11 the row above comes from a call or a write', async () => {
    const server = servers.on[dialect];
    expect(await server.json('/rpc/items?select=id,shop!inner()&shop.budget=lt(parent).price')).toEqual([{ id: 2 }]);
    const headers = { Prefer: 'return=representation' };
    const { text } = await server.get('/item?id=eq.2&select=id,shop(id)&shop.budget=gt(parent).price', {
      method: 'DELETE',
      headers,
    });
    expect(JSON.parse(text)).toEqual([{ id: 2, shop: null }]);
  });

  test('B11 at the top level there is no row above', async () => {
    const error = {
      code: codeOf('127'),
      message: 'Feature not implemented',
      details: 'gt(parent) is only available in embeds.',
    };
    expect(await ids('price=gt(parent).cost')).toMatchObject(error);
    expect(await ids('or=(id.eq.1,and(price.gt(parent).cost))')).toMatchObject(error);
    expect(
      JSON.parse((await servers.on[dialect].get('/item?price=gt(parent).cost', { method: 'DELETE' })).text),
    ).toMatchObject(error);
  });

  test('B54 without the extension', async () => {
    const server = servers.off[dialect];
    for (const [query, details] of [
      ['price=gt(column).cost', 'unexpected "c" expecting operator (eq, gt, ...)'],
      ['price=neq(column).cost', 'unexpected "(" expecting operator (eq, gt, ...)'],
      ['item.price=gt(parent).cost', 'unexpected "p" expecting operator (eq, gt, ...)'],
    ])
      expect(await server.json(`/item?${query}`)).toMatchObject({ code: codeOf('100'), details });
  });
});
