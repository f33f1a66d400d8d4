// References in a batch to the responses of earlier requests.
import { describe, expect, test } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { answersOf, failureOf, SHOWN } from './send-batch.ts';
import { useShop } from './shop.ts';

const shop = await useShop();
const start = useServers(shop);
const server = await start();

const exact = { id: 'e', path: '/rpc/exact' };
const slip = (body: unknown): { method: string; path: string; headers: typeof SHOWN; body: unknown } => ({
  method: 'POST',
  path: '/slip?columns=id,body',
  headers: SHOWN,
  body: { id: 1, body },
});
const from = (id: string, at: string): unknown => ({ $from: id, at });

/** Returns the stored text of a body that is written after `exact`, and removes it again. */
async function stored(body: unknown): Promise<unknown> {
  const answers = await answersOf(server, [exact, slip(body), { method: 'DELETE', path: '/slip?id=eq.1' }]);
  const { body: rows } = answers[1] ?? { body: [] };
  return (rows as readonly { readonly body: unknown }[])[0]?.body;
}

describe('in a body', () => {
  test('B30 an order refers to the key that the database has made', async () => {
    const answers = await answersOf(server, [
      { id: 'order', method: 'POST', path: '/purchase', headers: SHOWN, body: { note: 'first' } },
      {
        method: 'POST',
        path: '/item',
        headers: SHOWN,
        body: [
          { purchase_id: from('order', '/0/id'), product_id: 1 },
          { purchase_id: from('order', '/0/id'), product_id: 2 },
        ],
      },
      { path: '/purchase?select=note,item(product_id)&id=eq.{order#/0/id}' },
    ]);
    expect(answers[2]?.body).toEqual([{ note: 'first', item: [{ product_id: 1 }, { product_id: 2 }] }]);
  });

  test.each([
    ['/n', '12345678901234567890.10'],
    ['/s', 'x"y'],
    ['/deep/2', 'true'],
    ['/deep', '[{"$literal": 1}, null, true]'],
    ['/deep/0', '{"$literal": 1}'],
    ['/deep/0/$literal', '1'],
  ])('B30b %s is inserted with its text', async (pointer, expected) => {
    expect(await stored(from('e', pointer))).toBe(expected);
  });

  test('B30c the whole body is one value, and null is null', async () => {
    expect(await stored(from('e', ''))).toContain('12345678901234567890.10');
    expect(await stored(from('e', '/deep/1'))).toBeNull();
  });

  test('B30d a literal stands for its content, which is not searched', async () => {
    expect(await stored({ $literal: { $from: 'e', at: '/n' } })).toBe('{"$from":"e","at":"/n"}');
    expect(await stored([{ $literal: 1 }, from('e', '/s')])).toBe('[1,"x\\"y"]');
    expect(await stored({ $literal: { $literal: 2 } })).toBe('{"$literal":2}');
  });

  test('B30e objects with other keys are no references', async () => {
    for (const body of [{ $from: 'e' }, { at: '/n' }, { $from: 'e', at: '/n', and: 1 }, { $literal: 1, b: 2 }])
      expect(await stored(body)).toBe(JSON.stringify(body));
  });

  test('B30f escaped keys are the same keys', async () => {
    const text =
      '[{"id":"e","method":"GET","path":"/rpc/exact"},{"method":"POST","path":"/rpc/note","headers":{"Content-Type":"text/plain"},"body":{"\\u0024from":"e","a\\u0074":"/s"}}]';
    const answers = await answersOf(server, text);
    expect(answers[1]?.body).toBe('x"y');
  });

  test.each([
    ['an unknown id', from('x', '/n'), '{x#/n}'],
    ['a pointer that leads nowhere', from('e', '/m'), '{e#/m}'],
    ['an index with a leading zero', from('e', '/deep/00'), '{e#/deep/00}'],
    ['an index beyond the end', from('e', '/deep/3'), '{e#/deep/3}'],
    ['a pointer without slash', from('e', 'n'), '{e#n}'],
    ['an invalid escape', from('e', '/~2'), '{e#/~2}'],
    ['an id that is no string', { $from: 1, at: '/n' }, '{"$from":1,"at":"/n"}'],
  ])('B30g %s is SVC131, and nothing is kept', async (_, body, text) => {
    const failed = await failureOf(server, [
      exact,
      { ...slip(1), id: 's', path: '/slip' },
      { ...slip(body), body: { id: 2, body } },
    ]);
    expect(failed).toMatchObject({
      status: 400,
      code: 'SVC131',
      request: 2,
      message: `The reference "${text}" of request 2 cannot be resolved`,
    });
    expect(await server.json('/slip')).toEqual([]);
  });

  test('B30h a request cannot refer to itself or to a later one', async () => {
    expect(await failureOf(server, [{ ...slip(from('me', '')), id: 'me' }])).toMatchObject({
      code: 'SVC131',
      request: 0,
      id: 'me',
    });
    expect(await failureOf(server, [slip(from('e', '')), exact])).toMatchObject({ code: 'SVC131', request: 0 });
  });
});

describe('in a path', () => {
  const names = { id: 'p', path: '/product?order=id&select=id,name' };

  test('B30i it is the value of an eq filter', async () => {
    const answers = await answersOf(server, [
      names,
      { path: '/product?select=id&name=eq.{p#/2/name}' },
      { path: '/product?select=id&name=not.eq.{p#/2/name}&order=id' },
      { path: '/product?select=id&id=eq.{p#/1/id}&name=eq.{p#/1/name}' },
    ]);
    expect(answers.slice(1).map(({ body }) => body)).toEqual([[{ id: 3 }], [{ id: 1 }, { id: 2 }], [{ id: 2 }]]);
  });

  test('B30j it is a quoted element of an in list', async () => {
    const answers = await answersOf(server, [
      names,
      { path: '/product?select=id&order=id&name=in.("{p#/2/name}","Rug",x)' },
      { path: '/product?select=id&order=id&id=in.(%22{p#/2/id}%22,1)' },
      { path: '/product?select=id&order=id&name=not.in.("{p#/2/name}")' },
    ]);
    expect(answers.slice(1).map(({ body }) => body)).toEqual([
      [{ id: 2 }, { id: 3 }],
      [{ id: 1 }, { id: 3 }],
      [{ id: 1 }, { id: 2 }],
    ]);
  });

  test.each([
    '/{p#/0/name}',
    '/product?{p#/0/name}=eq.1',
    '/product?name=neq.{p#/0/name}',
    '/product?name=eq.x{p#/0/name}',
    '/product?name=eq.{p#/0/name}x',
    '/product?name={p#/0/name}',
    '/product?name=like.{p#/0/name}',
    '/product?name=eq(any).{p#/0/name}',
    '/product?name=in.({p#/0/name})',
    '/product?name=in.("a{p#/0/name}")',
    '/product?name=in.("a","b\\"{p#/0/name}")',
    '/product?name=in.("{p#/0/name}")x',
    '/product?select=eq.{p#/0/name}',
    '/product?order=eq.{p#/0/name}',
    '/product?limit=eq.{p#/0/id}',
    '/product?and=(name.eq.{p#/0/name})',
    '/product?or=eq.{p#/0/name}',
    '/product?columns=eq.{p#/0/name}',
    '/product?on_conflict=eq.{p#/0/name}',
    '/product?name=eq.{p#/0/name}%00',
    '/product?name=cs.{#a}',
  ])('B30k a reference elsewhere is SVC131: %s', async (path) => {
    expect(await failureOf(server, [names, { path }])).toMatchObject({ status: 400, code: 'SVC131', request: 1 });
  });

  test.each([['/0'], [''], ['/9/name'], ['/0/none']])('B30l %s is no scalar or leads nowhere', async (pointer) => {
    expect(await failureOf(server, [names, { path: `/product?name=eq.{p#${pointer}}` }])).toMatchObject({
      code: 'SVC131',
      request: 1,
    });
    const nothing = { id: 'p', method: 'POST', path: '/purchase', headers: SHOWN, body: { note: null } };
    expect(await failureOf(server, [nothing, { path: '/product?name=eq.{p#/0/note}' }])).toMatchObject({
      code: 'SVC131',
      request: 1,
    });
  });

  test('B30m values of every kind are data', async () => {
    const hostile = [
      'a',
      '"',
      '\\',
      ',',
      ')',
      '(',
      '","x',
      '")&select=stock',
      '&id=eq.1',
      '?x',
      '#',
      '%',
      '%22',
      '+',
      ' ',
      '*',
      '.',
      'null',
      'é',
      '😀',
      '{p#/0/id}',
      'eq.1',
      "'",
      "'; drop table api.slip; --",
      '\n',
      '~0~',
      '',
      '{}',
      '(),.:"',
    ];
    for (const name of hostile) {
      const answers = await answersOf(server, [
        { id: 'p', method: 'POST', path: '/purchase', headers: SHOWN, body: { note: name } },
        { path: '/purchase?select=note&note=eq.{p#/0/note}' },
        { path: '/purchase?select=note&note=in.("{p#/0/note}",other)' },
        { method: 'DELETE', path: '/purchase?note=eq.{p#/0/note}' },
      ]);
      expect(answers.slice(1, 3).map(({ body }) => body)).toEqual([[{ note: name }], [{ note: name }]]);
    }
  });
});

test('B30n texts and binary bodies can be referred to as strings', async () => {
  const answers = await answersOf(server, [
    { id: 'csv', path: '/product?id=eq.1&select=name', headers: { Accept: 'text/csv' } },
    { id: 'raw', path: '/rpc/raw', headers: { Accept: 'application/octet-stream' } },
    {
      method: 'POST',
      path: '/slip',
      headers: SHOWN,
      body: [
        { id: 1, body: from('csv', '') },
        { id: 2, body: from('raw', '') },
      ],
    },
    { method: 'DELETE', path: '/slip?id=gte.1' },
  ]);
  expect(answers[2]?.body).toEqual([
    { id: 1, body: 'name\nLamp' },
    { id: 2, body: Buffer.from([0, 1, 2]).toString('base64') },
  ]);
});

test('B32r what a request leaves in the session is removed, also after a reference', async () => {
  await shop.sql(`create function api.lock() returns text language plpgsql volatile as $$ begin
    perform pg_advisory_lock(32); return 'Lamp'; end $$`);
  const own = await start({ 'db-pool': 1 });
  await answersOf(own, [{ id: 'l', method: 'POST', path: '/rpc/lock' }, { path: '/product?name=eq.{l#}' }]);
  // Gets the same connection, after it has been cleaned.
  await own.json('/product');
  expect(
    await shop.query(`select count(*)::int from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`),
  ).toEqual([[0]]);
});

test('B32g bodies and paths count after their references are replaced', async () => {
  const small = await start({ 'server-max-body-size': 600, 'url-max-length': 200 });
  const long = {
    id: 'l',
    method: 'POST',
    path: '/rpc/note',
    body: 'x'.repeat(150),
    headers: { 'Content-Type': 'text/plain' },
  };
  const refs = Array.from({ length: 5 }, () => from('l', ''));
  expect(await failureOf(small, [long, { method: 'POST', path: '/slip', body: { id: 1, body: refs } }])).toMatchObject({
    status: 413,
    code: 'SVC129',
    request: 1,
  });
  expect(await failureOf(small, [long, { path: '/slip?body=eq.{l#}&body=eq.{l#}' }])).toMatchObject({
    status: 414,
    code: 'SVC129',
    request: 1,
  });
});
