// The store: the place follows the address, the schema and the request follow the place and the token.
import { expect, test } from 'vitest';
import { createStore } from '../../explorer/src/store/create-store.ts';
import { indexSchema } from '../../explorer/src/schema/schema-index.ts';
import { parseUrl } from '../../explorer/src/url-state/parse-url.ts';
import { renderUrl } from '../../explorer/src/url-state/render-url.ts';
import { endOrderWithKey, withStableOrder } from '../../explorer/src/url-state/stable-order.ts';
import { describeColumn, describeFunction, describeRelation, describeSchema } from './support/describe-schema.ts';
import { fakeBrowser } from './support/fake-browser.ts';

const NEAR = describeFunction('near', {
  parameters: [
    {
      name: 'house',
      type: { name: 'integer', category: 'number', isArray: false },
      isRequired: true,
      isVariadic: false,
    },
  ],
});
const SCHEMA = JSON.stringify(
  describeSchema({
    relations: [describeRelation('houses', {})],
    functions: [NEAR, describeFunction('move_in', { isReadOnly: false })],
  }),
);

test('the request of an initial place with an order is sent at once, concurrently with the schema', () => {
  const browser = fakeBrowser('#csv@private/houses?order=name&limit=3', 'a.b.c');
  const store = createStore(browser);
  expect(browser.sent.map(({ request }) => request.url)).toEqual(['/', '/houses?order=name&limit=3']);
  expect(browser.last('/houses?order=name&limit=3')).toMatchObject({
    access: { base: 'http://localhost/', schema: 'private', token: 'a.b.c' },
    request: { method: 'GET', headers: [['Accept', 'text/csv']] },
  });
  expect(store.exchange.value).toMatchObject({ kind: 'running', request: { url: '/houses?order=name&limit=3' } });
});

test('a response is shown, but not an outdated one', async () => {
  const browser = fakeBrowser('#/houses?order=id');
  const store = createStore(browser);
  const stale = browser.last('/houses?order=id');
  store.go({ kind: 'request', schema: undefined, url: '/houses?order=id&limit=1', view: 'table' });
  expect(stale.signal?.aborted).toBe(true);
  await browser.last('/houses?order=id&limit=1').answer(200, '[1]');
  await stale.answer(200, '[stale]');
  expect(store.exchange.value).toMatchObject({ kind: 'answered', response: { text: '[1]' } });
  expect(browser.history).toEqual(['#/houses?order=id', '#/houses?order=id&limit=1']);
});

test('navigation can replace the history entry, and going to the same place adds none', () => {
  const browser = fakeBrowser('#/houses?order=id');
  const store = createStore(browser);
  store.go({ kind: 'request', schema: undefined, url: '/houses?order=id&limit=1', view: 'table' }, 'replace');
  store.go({ kind: 'request', schema: undefined, url: '/houses?order=id&limit=1', view: 'table' });
  expect(browser.history).toEqual(['#/houses?order=id&limit=1']);
});

test('Back, Forward and links change the place', () => {
  const browser = fakeBrowser('#/houses?order=id');
  const store = createStore(browser);
  browser.visit('#map/houses');
  expect(store.place.value).toEqual({ kind: 'map', schema: undefined, focus: 'houses' });
  expect(store.exchange.value).toBeUndefined();
});

test('switching between table and JSON sends nothing', async () => {
  const browser = fakeBrowser('#/houses?order=id');
  const store = createStore(browser);
  await browser.last('/houses?order=id').answer(200, '[]');
  browser.visit('#json/houses?order=id');
  expect(browser.sent).toHaveLength(2);
  expect(store.exchange.value).toMatchObject({ kind: 'answered' });
});

test('a cancelled request is reported as cancelled', async () => {
  const browser = fakeBrowser('#/houses?order=id');
  const store = createStore(browser);
  store.cancel();
  expect(browser.last('/houses?order=id').signal?.aborted).toBe(true);
  await browser.last('/houses?order=id').fail('cancelled');
  expect(store.exchange.value).toMatchObject({ kind: 'failed', reason: 'cancelled' });
});

test('setting or removing the token repeats all requests', () => {
  const browser = fakeBrowser('#/houses?order=id');
  const store = createStore(browser);
  store.setToken('a.b.c');
  expect(browser.token).toBe('a.b.c');
  expect(browser.sent.slice(2).map(({ access, request }) => [request.url, access.token])).toEqual([
    ['/', 'a.b.c'],
    ['/houses?order=id', 'a.b.c'],
  ]);
  store.setToken(undefined);
  expect(browser.token).toBeUndefined();
  expect(browser.sent).toHaveLength(6);
});

test('the schema is loaded again for another schema, but not for another place', async () => {
  const browser = fakeBrowser('#');
  const store = createStore(browser);
  await browser.last('/').answer(200, SCHEMA);
  expect(store.schema.value).toMatchObject({ kind: 'ready', value: { document: { role: 'anon' } } });
  browser.visit('#/houses?order=id');
  expect(browser.sent.map(({ request }) => request.url)).toEqual(['/', '/houses?order=id']);
  browser.visit('#@private/houses?order=id');
  expect(browser.sent.slice(2).map(({ access, request }) => [request.url, access.schema])).toEqual([
    ['/', 'private'],
    ['/houses?order=id', 'private'],
  ]);
});

test.each([
  [200, '<html>'],
  [200, '{}'],
  [401, '{"message":"JWT expired"}'],
])('a response other than a schema document is a failure: %d %s', async (status, body) => {
  const browser = fakeBrowser('#');
  const store = createStore(browser);
  await browser.last('/').answer(status, body);
  expect(store.schema.value).toMatchObject({ kind: 'failed', exchange: { response: { status } } });
  store.reload();
  expect(store.schema.value).toEqual({ kind: 'loading' });
  await browser.last('/').answer(200, SCHEMA);
  expect(store.schema.value.kind).toBe('ready');
});

test('a function is called only if it is read-only and all required arguments are given', async () => {
  const browser = fakeBrowser('#/rpc/near?house=7');
  const store = createStore(browser);
  expect(store.exchange.value).toBeUndefined();
  await browser.last('/').answer(200, SCHEMA);
  expect(store.exchange.value).toMatchObject({ kind: 'running', request: { url: '/rpc/near?house=7' } });
  browser.visit('#/rpc/near');
  expect(store.exchange.value).toBeUndefined();
  browser.visit('#/rpc/move_in');
  expect(store.exchange.value).toBeUndefined();
  browser.visit('#/rpc/unknown');
  expect(store.exchange.value).toMatchObject({ kind: 'running' });
});

test('a separate request has the token and the schema, and is not shown', async () => {
  const browser = fakeBrowser('#@private', 'a.b.c');
  const store = createStore(browser);
  const exchange = store.send({ method: 'PATCH', url: '/houses?id=eq.1', headers: [], body: '{}' });
  await browser.last('/houses?id=eq.1').answer(204, '');
  expect(await exchange).toMatchObject({ kind: 'answered', response: { status: 204 } });
  expect(browser.last('/houses?id=eq.1').access).toEqual({
    base: 'http://localhost/',
    schema: 'private',
    token: 'a.b.c',
  });
  expect(store.exchange.value).toBeUndefined();
});

test.each([
  [401, '22023', 'role "x" does not exist'],
  [403, '42501', 'permission denied to set role "x"'],
])('a token that is answered with %i is rejected, and not used', async (status, code, message) => {
  const browser = fakeBrowser('#', 'a.b.c');
  const store = createStore(browser);
  await browser.last('/').answer(200, SCHEMA);
  const error = store.tryToken('d.e.f');
  expect(browser.last('/').access.token).toBe('d.e.f');
  await browser.last('/').answer(status, JSON.stringify({ code, message, details: null, hint: null }));
  expect(await error).toMatchObject({ code, message });
  expect(store.token.value).toBe('a.b.c');
});

const PLACE = { kind: 'request', schema: undefined, view: 'table' } as const;
const STREETS = describeSchema({
  relations: [
    describeRelation('streets', { columns: [describeColumn('id', 'number'), describeColumn('name', 'text')] }),
    describeRelation('plots', {
      key: ['street', 'no 1'],
      columns: [describeColumn('street', 'number'), describeColumn('no 1', 'number')],
    }),
    describeRelation('secrets', {
      columns: [describeColumn('id', 'number', { may: { select: false, insert: false, update: false } })],
    }),
    describeRelation('log', { key: [] }),
  ],
});

test('a read without an order waits for the schema and is sent once, ordered by the primary key', async () => {
  const browser = fakeBrowser('#/streets?limit=50');
  const store = createStore(browser);
  expect(browser.sent.map(({ request }) => request.url)).toEqual(['/']);
  await browser.last('/').answer(200, JSON.stringify(STREETS));
  expect(browser.sent.map(({ request }) => request.url)).toEqual(['/', '/streets?limit=50&order=id']);
  expect(browser.history).toEqual(['#/streets?limit=50&order=id']);
  browser.visit('#/plots');
  expect(browser.history.at(-1)).toBe('#/plots?order=street,no%201');
  expect(store.place.value).toMatchObject({ url: '/plots?order=street,no%201' });
});

test.each([
  ['/streets?order=name.desc', '/streets?order=name.desc'],
  ['/streets?name=eq.A&', '/streets?name=eq.A&order=id'],
  ['/streets?id=eq.3', '/streets?id=eq.3'],
  ['/streets?id=not.eq.3', '/streets?id=not.eq.3&order=id'],
  ['/streets?select=count()', '/streets?select=count()'],
  ['/streets?select=name,count()&order=id', '/streets?select=name,count()'],
  ['/streets?select=name,count()&order=name', '/streets?select=name,count()&order=name'],
  ['/streets?select=name,id.max()', '/streets?select=name,id.max()'],
  ['/streets?select=name,...plots(street.sum())', '/streets?select=name,...plots(street.sum())'],
  ['/streets?select=name,plots(count())', '/streets?select=name,plots(count())&order=id'],
  ['/plots?street=eq.1', '/plots?street=eq.1&order=street,no%201'],
  ['/secrets', '/secrets'],
  ['/log', '/log'],
  ['/unknown', '/unknown'],
  ['/streets?select=(', '/streets?select=('],
])('the stable order of %s', (url, ordered) => {
  expect(withStableOrder({ ...PLACE, url }, indexSchema(STREETS))).toEqual({ ...PLACE, url: ordered });
});

test.each([
  ['/streets?order=name.desc', '/streets?order=name.desc,id'],
  ['/streets?order=name,id.desc', '/streets?order=name,id.desc'],
  ['/streets?order=plots(id)', '/streets?order=plots(id),id'],
  ['/plots', '/plots?order=street,no%201'],
  ['/plots?order=no%201', '/plots?order=no%201,street'],
  ['/streets?select=name,count()&order=name', '/streets?select=name,count()&order=name'],
  ['/secrets?order=name', '/secrets?order=name'],
  ['/log?order=name', '/log?order=name'],
])('the order of %s in pages that make up all its rows', (url, ordered) => {
  const parsed = parseUrl(url);
  if (!parsed.ok) throw new Error(url);
  expect(renderUrl(endOrderWithKey(parsed.value, indexSchema(STREETS)))).toBe(ordered);
});

test('a response that contradicts the schema makes the explorer read it again and keep the page', async () => {
  const browser = fakeBrowser('#/streets?order=id');
  const store = createStore(browser);
  await browser.last('/').answer(200, JSON.stringify(STREETS));
  await browser.last('/streets?order=id').answer(404, '{"code":"SVC205","message":"unknown"}');
  expect(browser.sent.map(({ request }) => request.url)).toEqual(['/', '/streets?order=id', '/']);
  expect(store.schema.value.kind).toBe('ready');
  await browser.last('/').answer(200, SCHEMA);
  expect(store.schema.value).toMatchObject({ value: { document: { relations: [{ name: 'houses' }] } } });
  browser.visit('#/new?order=id');
  await browser.last('/new?order=id').answer(200, '[]');
  expect(browser.sent.at(-1)?.request.url).toBe('/');
  await browser.last('/').fail('network');
  expect(store.schema.value.kind).toBe('ready');
});

test('whoever reads the schema again gets the answer to the latest request for it', async () => {
  const browser = fakeBrowser('#');
  const store = createStore(browser);
  await browser.last('/').answer(200, SCHEMA);
  const read: string[] = [];
  store.refresh(({ kind }) => read.push(`first ${kind}`));
  const replaced = browser.last('/');
  store.refresh(({ kind }) => read.push(`second ${kind}`));
  store.refresh();
  expect(replaced.signal?.aborted).toBe(true);
  await replaced.answer(200, SCHEMA);
  expect(read).toEqual([]);
  await browser.last('/').answer(200, SCHEMA);
  expect(read).toEqual(['first ready', 'second ready']);
});
