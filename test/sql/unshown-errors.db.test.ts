// Errors in values that are not returned still fail the request: rows under HEAD, and embeds that select nothing.
import { expect, test } from 'vitest';
import { ask } from '../support/http-client.ts';
import { startReadingServer } from '../support/reading-server.ts';
import { use } from '../support/use.ts';

const server = await use(startReadingServer({}));

async function head(url: string): Promise<readonly unknown[]> {
  const { status, headers, body } = await ask(server.port, { method: 'HEAD', url, headers: {} });
  return [status, headers['proxy-status'], headers['content-type'], headers['content-range'], body];
}

const JSON_TYPE = 'application/json; charset=utf-8';

test.each([
  '/boats?select=label::int',
  '/boats?select=id,harbours(name::int)',
  '/harbours?select=id,boats(label::int)',
  '/harbours?select=id,...boats(label::int)',
  '/rpc/boats_since?select=label::int',
])('R142 HEAD %s fails like GET', async (url) => {
  expect(await head(url)).toEqual([400, 'rowhouse; error=22P02', JSON_TYPE, undefined, '']);
});

test('R142 HEAD counts rows that have only nulls or no columns', async () => {
  expect(await head('/notes?select=body&id=eq.5')).toEqual([200, undefined, JSON_TYPE, '0-0/*', '']);
  expect(await head('/boats?select=harbours()')).toEqual([200, undefined, JSON_TYPE, '0-3/*', '']);
});

async function get(url: string): Promise<readonly unknown[]> {
  const { status, headers, body } = await ask(server.port, { method: 'GET', url, headers: {} });
  return [status, headers['proxy-status'], JSON.parse(body)];
}

test.each([
  ['a filter', '/boats?select=id,harbours()&harbours.bogus=eq.1', 'harbours_1'],
  ['an order', '/boats?select=id,harbours()&harbours.order=bogus', 'harbours_1'],
  ['a tree', '/boats?select=id,sailors()&sailors.or=(bogus.is.null,id.eq.1)', 'sailors_1'],
  ['a spread', '/boats?select=id,...sailors()&sailors.bogus=is.null', 'sailors_1'],
])('R193 an unknown column in %s of an empty embed is an error', async (_, url, embed) => {
  const error = { code: '42703', message: `column ${embed}.bogus does not exist`, details: null, hint: null };
  expect(await get(url)).toEqual([400, 'rowhouse; error=42703', error]);
});

test('R193 a bad literal in a filter of an empty embed is an error', async () => {
  const message = 'invalid input syntax for type integer: "x"';
  const error = { code: '22P02', message, details: null, hint: null };
  const url = '/boats?select=id,harbours()&harbours.id=eq.x';
  expect(await get(url)).toEqual([400, 'rowhouse; error=22P02', error]);
});

test('R193 an empty embed does not change the rows', async () => {
  const rows = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }];
  const url = '/boats?select=id,sailors(),...harbours()&harbours.name=eq.Cork&order=id';
  expect(await get(url)).toEqual([200, undefined, rows]);
});

test.each([
  ['a to-many embed', '/harbours?select=id,boats()&boats.limit=-1'],
  ['a to-one embed', '/boats?select=id,harbours()&harbours.limit=-1'],
  ['a spread', '/harbours?select=id,...boats()&boats.limit=-1'],
  ['an embed below an empty one', '/harbours?select=id,boats(permits())&boats.permits.limit=-1'],
])('R193 a negative limit of %s that selects nothing is an error', async (_, url) => {
  const error = { code: '2201W', message: 'LIMIT must not be negative', details: null, hint: null };
  expect(await get(url)).toEqual([400, 'rowhouse; error=2201W', error]);
});
