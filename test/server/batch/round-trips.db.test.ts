// What a batch sends to the database, and when.
import { beforeEach, expect, test } from 'vitest';
import { startMessageProxy } from '../../support/message-proxy.ts';
import { useServers } from '../../support/local-server.ts';
import { answersOf, failureOf, type InnerRequest, SHOWN } from './send-batch.ts';
import { useShop } from './shop.ts';
import { use } from '../../support/use.ts';

const shop = await useShop();
const start = useServers(shop);
/** Types of the messages to the database, without those before the batch. */
let sent: string[] = [];

const { hostname, port } = new URL(shop.uri);
const proxy = await use(startMessageProxy({ host: hostname, port: Number(port) }));
beforeEach(() => proxy.watch(undefined));

async function serve(options: Readonly<Record<string, string | number | boolean>> = {}): ReturnType<typeof start> {
  const uri = Object.assign(new URL(shop.uri), { host: `127.0.0.1:${proxy.port}`, search: 'sslmode=disable' }).href;
  const server = await start({ 'db-uri': uri, 'db-pool': 1, 'db-channel-enabled': false, ...options });
  await server.json('/product');
  sent = [];
  proxy.watch(({ from, type, content }) => {
    if (from === 'client') sent.push(type === 'P' ? `P${content}` : type);
  });
  return server;
}

const syncs = (): number => sent.filter((type) => type === 'S').length;
const parses = (): number => sent.filter((type) => type.startsWith('P')).length;
const add = (id: number): InnerRequest => ({ method: 'POST', path: '/slip', body: { id, body: 'x' } });

test('B31 requests without references go to the database in one write, before the COMMIT', async () => {
  const server = await serve();
  await answersOf(server, [add(1), { path: '/product' }, add(2), { method: 'DELETE', path: '/slip?id=gte.0' }]);
  expect(syncs()).toBe(2);
});

test('B31b each reference cuts the script where it is needed', async () => {
  const server = await serve();
  const order = { id: 'o', method: 'POST', path: '/purchase', headers: SHOWN, body: { note: 'x' } };
  const refer = { path: '/purchase?id=eq.{o#/0/id}' };
  await answersOf(server, [order, { path: '/product' }, refer, refer, { path: '/product' }]);
  expect(syncs()).toBe(3);
  sent = [];
  await answersOf(server, [order, { ...refer, id: 'p' }, { path: '/purchase?id=eq.{p#/0/id}' }]);
  expect(syncs()).toBe(4);
});

test('B31c requests of one shape prepare one statement', async () => {
  const server = await serve();
  await answersOf(
    server,
    Array.from({ length: 20 }, (_, id) => add(id)),
  );
  const first = parses();
  sent = [];
  await answersOf(server, [
    { method: 'DELETE', path: '/slip?id=gte.0' },
    ...Array.from({ length: 50 }, (_, id) => add(id)),
  ]);
  expect(first).toBeLessThan(12);
  expect(sent.filter((type) => type.includes('INSERT'))).toEqual([]);
  await shop.sql('delete from api.slip');
});

test('B31d without prepared statements, batches run as well', async () => {
  const server = await serve({ 'db-prepared-statements': false });
  const answers = await answersOf(server, [
    add(1),
    add(2),
    { path: '/slip?select=id&order=id' },
    { method: 'DELETE', path: '/slip?id=gt.0' },
  ]);
  expect(answers[2]?.body).toEqual([{ id: 1 }, { id: 2 }]);
});

test('B31e a changed table is found by planning again, in any part of a batch of reads', async () => {
  const server = await serve();
  const batch = [{ id: 'a', path: '/product?select=id&id=eq.1' }, { path: '/product?id=eq.{a#/0/id}' }];
  await answersOf(server, batch);
  await answersOf(server, batch);
  await shop.sql('alter table api.product add column size int');
  const answers = await answersOf(server, batch);
  expect(answers[1]?.body).toEqual([{ id: 1, name: 'Lamp', stock: 3, size: null }]);
  await shop.sql('alter table api.product drop column size');
});

test('B29f a connection that breaks between two parts keeps nothing', async () => {
  const server = await serve();
  proxy.watch(({ from, type, content }, cut) => {
    if (from === 'client' && type === 'P' && content.includes('"purchase"') && content.includes('SELECT')) cut();
  });
  const order = { id: 'o', method: 'POST', path: '/purchase', headers: SHOWN, body: { note: 'cut' } };
  const failed = await failureOf(server, [order, { path: '/purchase?select=note&id=eq.{o#/0/id}' }]);
  expect(failed).toMatchObject({ status: 503, code: 'SVC001' });
  expect(failed).not.toHaveProperty('request');
  expect(await shop.query(`select from api.purchase where note = 'cut'`)).toEqual([]);
});

test('B29g a connection that breaks at the COMMIT leaves the outcome unknown', async () => {
  const server = await serve();
  proxy.watch(({ from, content }, cut) => {
    if (from === 'client' && content.includes('COMMIT')) cut();
  });
  expect(await failureOf(server, [add(1), add(2)])).toMatchObject({ status: 503, code: 'SVC004' });
});

test('B32h the pre-request function runs before each request, with its settings', async () => {
  await shop.sql(`
    create table api.seen (at serial, path text, color text);
    grant insert on api.seen to ${shop.anon}; grant usage on sequence api.seen_at_seq to ${shop.anon};
    create function api.check_request() returns void language plpgsql as $$ begin
      if current_setting('request.headers')::json->>'x-color' = 'black' then
        raise sqlstate 'PT418' using message = 'no black'; end if;
      if current_setting('transaction_read_only') = 'off' then
        insert into api.seen (path, color) values
          (current_setting('request.path'), current_setting('request.headers')::json->>'x-color'); end if;
    end $$`);
  const server = await serve({ 'db-pre-request': 'api.check_request', 'batch-headers': 'x-color' });
  await shop.sql('truncate api.seen restart identity');
  await answersOf(server, [
    { ...add(1), headers: { 'X-Color': 'red' } },
    { path: '/product' },
    { method: 'DELETE', path: '/slip?id=eq.1' },
  ]);
  expect(await shop.query('select path, color from api.seen order by at')).toEqual([
    ['/slip', 'red'],
    ['/product', null],
    ['/slip', null],
  ]);
  const failed = await failureOf(server, [add(1), { path: '/product', headers: { 'X-Color': 'black' } }]);
  expect(failed).toMatchObject({ status: 418, request: 1, message: 'no black' });
  expect(await shop.query('select from api.slip')).toEqual([]);
});

test('B29h an error in a later part needs no second connection', async () => {
  const server = await serve({ 'db-pool-acquisition-timeout': 5 });
  const order = { id: 'o', method: 'POST', path: '/purchase', headers: SHOWN, body: { note: 'late' } };
  const failed = await failureOf(server, [order, { path: '/purchas?id=eq.{o#/0/id}' }]);
  expect(failed).toMatchObject({ status: 404, code: 'SVC205', request: 1, hint: null });
});
