// Answers of one long value, which leave while they arrive: nothing shows of it but the memory that they do not take
// (`beyond.md` §1.9).
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createHarbor, type Harbor } from './support/harbor.ts';
import { type LocalServer, type Options, type RequestParts, startLocalServer } from './support/local-server.ts';
import { until } from './support/until.ts';

let harbor: Harbor;
let server: LocalServer;
let sockets: Socket[] = [];
/** More than systems keep for a client that does not read. */
const LONG = 40_000_000;
/** More than is read ahead of slow clients. */
const LONGEST = '/rpc/text_of?size=70000000';

beforeAll(async () => {
  harbor = await createHarbor();
  await harbor.sql(`
    create table api.parcel (id int primary key, content text);
    insert into api.parcel select n, repeat(md5(n::text), 1000) from generate_series(1, ${LONG / 32_000}) n;
    create domain api."image/x-long" as bytea;
    create function api.picture(size int) returns api."image/x-long" language sql stable
      as $$ select decode(repeat('00ff8061', size / 4), 'hex') $$;
    create function api.text_of(size int) returns text language sql stable as $$ select repeat('ö', size / 2) $$;
    create function api.written(size int) returns text language sql volatile as $$ select repeat('w', size) $$;
    grant select on api.parcel to ${harbor.anon}`);
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.stop();
});

afterAll(() => harbor.drop());

async function start(options: Options = {}): Promise<void> {
  server = await startLocalServer(harbor, options);
}

/** Asks, and reads nothing until told to. */
function ask(target: string, method = 'GET'): Socket {
  const socket = connect(server.port, '127.0.0.1').pause();
  socket.on('error', () => {});
  sockets.push(socket);
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  return socket;
}

async function blockedCount(): Promise<unknown> {
  const rows = await harbor.query(
    `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and wait_event = 'ClientWrite'`,
  );
  return rows[0]?.[0];
}

async function inFlight(): Promise<number | undefined> {
  return server.metric('http_requests_in_flight');
}

test.each<[string, RequestParts]>([
  ['/parcel?order=id', {}],
  ['/parcel?order=id', { headers: { Prefer: 'count=exact', Range: '10-600' } }],
  ['/parcel?order=id', { headers: { Prefer: 'count=planned' } }],
  ['/parcel?order=id', { headers: { Accept: 'text/csv' } }],
  ['/parcel?order=id&limit=1000', { headers: { Accept: 'application/vnd.svc.array+json;nulls=stripped' } }],
  ['/parcel?order=id', { headers: { Accept: 'application/vnd.svc.object+json' } }],
  ['/parcel?order=id&select=nothing', {}],
  ['/rpc/text_of?size=3000000', {}],
  ['/rpc/picture?size=3000000', { headers: { Accept: 'image/x-long' } }],
  ['/rpc/written?size=3000000', { method: 'POST' }],
])('B24 %s with %j is the same as when it is held whole', async (target, parts) => {
  await start();
  const streamed = await server.get(target, parts);
  await server.stop();
  await start({ extensions: 'none' });
  const whole = await server.get(target, parts);
  const { date: _, ...expected } = whole.headers;
  expect([streamed.status, streamed.headers, streamed.text.length]).toEqual([
    whole.status,
    expect.objectContaining(expected),
    whole.text.length,
  ]);
  expect(streamed.text === whole.text).toBe(true);
  expect(streamed.headers['content-length']).toMatch(/^\d+$/u);
});

test('B25 B26 a slow reader makes PostgreSQL wait; when it leaves, its connection is free', async () => {
  await start({ 'db-pool': 1 });
  const socket = ask(LONGEST);
  await until(async () => (await blockedCount()) === 1);
  socket.destroy();
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  await until(async () => (await inFlight()) === 0);
});

test('B26 one that takes nothing is disconnected in time', async () => {
  await start({ 'db-pool': 1, 'server-send-timeout': 1 });
  const socket = ask(LONGEST);
  await until(async () => (await blockedCount()) === 1);
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  socket.resume();
  await until(() => socket.closed);
});

test('B26 what memory has room for is read ahead of a slow reader, whose connection is free meanwhile', async () => {
  await start({ 'db-pool': 1 });
  const socket = ask('/parcel?order=id&limit=600');
  await once(socket, 'readable');
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.resume();
  const { text } = await server.get('/parcel?order=id&limit=600');
  await until(() => received.length - received.indexOf('\r\n\r\n') - 4 >= text.length);
  expect(received.slice(received.indexOf('\r\n\r\n') + 4) === text).toBe(true);
});

test('B26 where slow ones have their part of the pool, the next is held whole and waits for nobody', async () => {
  await start({ 'db-pool': 4 });
  for (let count = 0; count < 2; count += 1) ask(LONGEST);
  await until(async () => (await blockedCount()) === 2);
  ask(LONGEST);
  expect((await server.get('/parcel?order=id')).text.length).toBeGreaterThan(LONG);
  expect(await blockedCount()).toBe(2);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await blockedCount()) === 0);
  expect((await server.get('/parcel?limit=1')).status).toBe(200);
});

test('B27 a write is answered when it is committed, whatever its reader does', async () => {
  await start({ 'db-pool': 1 });
  ask(`/rpc/written?size=${LONG}`, 'POST');
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  expect(await blockedCount()).toBe(0);
});

test('B54 so is everything where the extension is off', async () => {
  await start({ 'db-pool': 1, extensions: 'none' });
  ask('/parcel');
  await until(async () => (await inFlight()) === 0);
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  expect(await blockedCount()).toBe(0);
});

test('B27 a database that goes away cuts the answer short of its length', async () => {
  await start();
  const socket = ask(LONGEST);
  await until(async () => (await blockedCount()) === 1);
  await harbor.terminate(`query like '%text_of%'`);
  let [size, head] = [0, ''];
  socket.on('data', (chunk: Buffer) => {
    head ||= chunk.toString('latin1', 0, 1000);
    size += chunk.length;
  });
  socket.resume();
  await until(() => socket.closed);
  expect(size).toBeLessThan(Number(/^Content-Length: (\d+)\r$/mu.exec(head)?.[1]));
  await server.logged(/^The answer to GET \/rpc\/text_of\S* was cut off in its midst\. \{"code":"(?:57P01|SVC001)"/u);
  expect((await server.get('/parcel?limit=1')).status).toBe(200);
});
