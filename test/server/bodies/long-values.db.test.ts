// Responses with one long value are streamed while they arrive. They differ from buffered responses only in the memory
// they use (`beyond.md` §1.9).
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, type Options, type RequestParts, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { openSocket } from '../../support/raw-client.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
let server: LocalServer;
/** More than the kernel buffers for a client that does not read. */
const LONG = 40_000_000;
/** More than the server reads ahead for slow clients. */
const LONGEST = '/rpc/text_of?size=70000000';

await harbor.sql(`
    create table api.parcel (id int primary key, content text) with (autovacuum_enabled = false);
    insert into api.parcel select n, repeat(md5(n::text), 1000) from generate_series(1, ${LONG / 32_000}) n;
    create domain api."image/x-long" as bytea;
    create function api.picture(size int) returns api."image/x-long" language sql stable
      as $$ select decode(repeat('00ff8061', size / 4), 'hex') $$;
    create function api.text_of(size int) returns text language sql stable as $$ select repeat('ö', size / 2) $$;
    create table api.odd (id int primary key, "a ""b""" text, list int[], extra jsonb, parcel int references api.parcel)
      with (autovacuum_enabled = false);
    insert into api.odd select n, case n % 4 when 0 then null when 1 then '' when 2 then E'quote " comma,\nline ü' else 'plain' end,
      array[n, null], '{"a": [1, "x,y"]}', n % 40 + 1 from generate_series(1, 20000) n;
    create function api.odd_since(first int) returns setof api.odd language plpgsql stable as $$ begin
        perform set_config('response.headers', '[{"X-Odd": "yes"}]', true);
        return query select * from api.odd where id >= first;
      end $$;
    create function api.written(size int) returns text language sql volatile as $$ select repeat('w', size) $$;
    create table api.note (id int primary key, content text, extra json);
    insert into api.note select n, repeat(md5(n::text), 3), '{"a": 1}' from generate_series(1, 20000) n;
    update api.note set extra = '{"a": "\\u0000"}' where id = 15000;
    create table api.odd_kin (id int primary key, name text);
    create table api.odd_child () inherits (api.odd_kin);
    create table api.heir (id int primary key, kin int references api.odd_kin);
    insert into api.odd_kin values (1, 'of the table');
    insert into api.odd_child values (1, 'of its child');
    insert into api.heir values (1, 1), (2, null);
    create view api.odd_view as select id, list from api.odd;
    grant select on api.parcel, api.odd, api.odd_view, api.odd_kin, api.heir, api.note to ${harbor.anon}`);

async function start(options: Options = {}): Promise<void> {
  server = await use(startLocalServer(harbor, options));
}

/** Sends a request and does not read the response until the test does. */
function ask(target: string, accept = '*/*'): Socket {
  return sendHead(`GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\n\r\n`);
}

function sendHead(head: string): Socket {
  const socket = openSocket(server.port).pause();
  socket.write(head);
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

/**
 * Results that exceed the read-ahead are sent in chunks, without a length; everything else is the same. A page of at most
 * 1000 rows with few columns comes as one value, whose length PostgreSQL states before its bytes.
 */
const CHUNKED = true;

test.each<[string, RequestParts, boolean?]>([
  ['/parcel?order=id', {}, CHUNKED],
  ['/parcel?order=id', { headers: { Prefer: 'count=exact', Range: '10-600' } }],
  ['/parcel?order=id&limit=1100', { headers: { Prefer: 'count=exact' } }, CHUNKED],
  ['/parcel?order=id', { headers: { Prefer: 'count=planned' } }, CHUNKED],
  ['/parcel?order=id&id=lt.0', {}],
  ['/parcel?order=id&id=lt.9', {}],
  ['/parcel?order=id', { headers: { Accept: 'text/csv' } }, CHUNKED],
  ['/parcel?order=id', { headers: { Accept: 'text/csv', Prefer: 'count=exact', Range: '10-600' } }, CHUNKED],
  ['/parcel?order=id', { headers: { Accept: 'text/csv', Prefer: 'count=planned' } }, CHUNKED],
  ['/parcel?order=id&offset=40', { headers: { Prefer: 'count=exact' } }, CHUNKED],
  ['/parcel?order=id&offset=40&limit=1005', { headers: { Accept: 'text/csv', Prefer: 'count=exact' } }, CHUNKED],
  ['/parcel?order=id&offset=1240', { headers: { Prefer: 'count=planned' } }],
  ['/parcel?order=id&offset=1250', { headers: { Accept: 'text/csv' } }],
  ['/parcel?order=id&offset=1251', { headers: { Accept: 'text/csv', Prefer: 'count=exact' } }],
  ['/parcel?order=id&offset=1251', { headers: { Prefer: 'count=exact' } }],
  ['/parcel?select=id,odd(id,list)&order=id.desc&offset=3', {}, CHUNKED],
  ['/parcel?select=id,odd(id,list)&order=id.desc&offset=3', { headers: { Accept: 'text/csv' } }, CHUNKED],
  ['/note?order=id', {}, CHUNKED],
  ['/note?select=id,content,extra->>a&order=id', {}],
  ['/note?select=id,content,extra->>a&order=id', { headers: { Accept: 'text/csv' } }],
  ['/heir?select=id,odd_kin(name)&order=id', { headers: { Prefer: 'count=exact' } }],
  ['/heir?select=id,...odd_kin(name)&order=id', { headers: { Accept: 'text/csv', Prefer: 'count=exact' } }],
  ['/odd?select=*,parcel(id)&order=id', {}, CHUNKED],
  ['/odd?select=*,parcel(id)&order=id', { headers: { Accept: 'text/csv' } }, CHUNKED],
  ['/odd?select=extra->a,list->>0,parcel!inner(id)&order=id', {}, CHUNKED],
  ['/odd?id=gt.9&select=id,labels:list::text', { headers: { Accept: 'text/csv', Prefer: 'count=estimated' } }],
  ['/odd?id=lt.0', { headers: { Accept: 'text/csv' } }],
  ['/odd?id=lt.0', { headers: { Accept: 'text/csv', Prefer: 'count=exact', Range: '5-9' } }],
  ['/odd?id=lt.0', { headers: { Prefer: 'count=exact', Range: '5-' } }],
  ['/odd_view?order=id', {}, CHUNKED],
  ['/odd_view?order=id', { headers: { Accept: 'text/csv' } }],
  ['/rpc/odd_since?first=3&order=id', { headers: { Accept: 'text/csv', Prefer: 'count=exact' } }, CHUNKED],
  ['/rpc/odd_since?first=3&order=id', {}],
  ['/rpc/odd_since?first=3&select=id,list&limit=2', { headers: { Accept: 'text/csv' } }],
  ['/rpc/text_of?size=3000', { headers: { Accept: 'text/csv' } }],
  ['/parcel?order=id&limit=1000', { headers: { Accept: 'application/vnd.svc.array+json;nulls=stripped' } }],
  ['/parcel?order=id', { headers: { Accept: 'application/vnd.svc.object+json' } }],
  ['/parcel?order=id&select=nothing', {}],
  ['/rpc/text_of?size=3000000', {}],
  ['/rpc/picture?size=3000000', { headers: { Accept: 'image/x-long' } }],
  [
    '/rpc/written',
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ size: 3_000_000 }) },
  ],
])('B24 %s with %j is the same as when it is held whole', async (target, parts, isChunked = false) => {
  await start();
  const streamed = await server.get(target, parts);
  await server.stop();
  await start({ extensions: 'none' });
  const whole = await server.get(target, parts);
  const { date: _, 'content-length': length, ...expected } = whole.headers;
  const sized = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
  expect([streamed.status, streamed.headers, streamed.text.length]).toEqual([
    whole.status,
    expect.objectContaining({ ...expected, ...sized }),
    whole.text.length,
  ]);
  expect(streamed.text === whole.text).toBe(true);
  expect('content-length' in streamed.headers).toBe(!isChunked);
  expect(length).toMatch(/^\d+$/u);
});

test('B24 HEAD reports the same number of rows as GET', async () => {
  await start();
  for (const Accept of ['application/json', 'text/csv']) {
    const parts = { method: 'HEAD', headers: { Accept, Prefer: 'count=exact' } };
    const { status, headers, text } = await server.get('/parcel?offset=40&limit=1100', parts);
    expect([status, headers['content-range'], text]).toEqual([206, '40-1139/1250', '']);
  }
});

test('B24 CSV with any characters equals the row text of PostgreSQL', async () => {
  await harbor.sql(`
    create table if not exists api.any_text (id int primary key, alone text, within text, nested int[], missing text);
    insert into api.any_text select n, chr(n), 'x' || chr(n) || 'y', array[n], nullif(repeat(' ', n % 3), '  ')
      from generate_series(1, 300) n on conflict do nothing;
    grant select on api.any_text to ${harbor.anon}`);
  await start();
  const { status, text } = await server.get('/any_text?order=id', { headers: { Accept: 'text/csv' } });
  const rows = await harbor.query(
    'select substr((t.*)::text, 2, length((t.*)::text) - 2) from api.any_text t order by id',
  );
  const lines = ['id,alone,within,nested,missing', ...rows.map(([line]) => line)];
  expect([status, text]).toEqual([200, lines.join('\n')]);
});

test('B25 B26 a slow reader blocks PostgreSQL, and its connection is free once it leaves', async () => {
  await start({ 'db-pool': 2 });
  const socket = ask(LONGEST);
  await until(async () => (await blockedCount()) === 1);
  socket.destroy();
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  await until(async () => (await inFlight()) === 0);
});

test('B25 B26 a page that comes as one long value has a length, and the server does not hold it', async () => {
  await start({ 'db-pool': 2 });
  const socket = ask('/parcel?order=id&limit=1000');
  await until(async () => (await blockedCount()) === 1);
  await once(socket, 'readable');
  const [head = ''] = String(socket.read()).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
  expect(Number(/^Content-Length: (\d+)$/mu.exec(head)?.[1])).toBeGreaterThan(32_000_000);
  // What was read makes room for a moment.
  await until(async () => (await blockedCount()) === 1);
  socket.destroy();
  await until(async () => (await inFlight()) === 0);
});

test.skipIf(process.platform !== 'linux')('B25 PostgreSQL does not hold long CSV in memory', async () => {
  await start({ 'db-pool': 2 });
  const socket = ask('/parcel?order=id', 'text/csv');
  let pid: unknown;
  await until(async () => {
    const [row] = await harbor.query(`select pid from pg_stat_activity where wait_event = 'ClientWrite'`);
    pid = row?.[0];
    return pid !== undefined;
  });
  const memory = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  expect(Number(/^RssAnon:\s+(\d+) kB$/mu.exec(memory)?.[1])).toBeLessThan(LONG / 1024 / 2);
  socket.destroy();
  await until(async () => (await inFlight()) === 0);
});

test('B26 a client that reads nothing is disconnected after the timeout', async () => {
  await start({ 'db-pool': 2, 'server-send-timeout': 1 });
  const socket = ask(LONGEST);
  await until(async () => (await blockedCount()) === 1);
  await until(async () => (await blockedCount()) === 0);
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  socket.resume();
  await until(() => socket.closed);
});

test('B26 within the memory budget, the server reads ahead for a slow reader and frees its connection', async () => {
  await start({ 'db-pool': 2 });
  const accept = 'application/vnd.svc.array+json;nulls=stripped';
  const { text } = await server.get('/parcel?order=id&limit=600', { headers: { Accept: accept } });
  const socket = ask('/parcel?order=id&limit=600', accept);
  await once(socket, 'readable');
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.resume();
  await until(() => received.length - received.indexOf('\r\n\r\n') - 4 >= text.length);
  expect(received.slice(received.indexOf('\r\n\r\n') + 4) === text).toBe(true);
});

test('B26 besides slow readers, other responses are held whole while memory lasts, and refused beyond that', async () => {
  await start({ 'db-pool': 4 });
  const readers = [ask(LONGEST), ask(LONGEST)];
  await until(async () => (await blockedCount()) === 2);
  const array = await server.get('/parcel?order=id&limit=700');
  expect(array.headers['content-length']).toBe(String(Buffer.byteLength(array.text)));
  expect(JSON.parse(array.text)).toHaveLength(700);
  const csv = await server.get('/parcel?order=id&limit=700', { headers: { Accept: 'text/csv' } });
  expect(csv.headers['content-length']).toBe(String(Buffer.byteLength(csv.text)));
  for (const headers of [{}, { Accept: 'text/csv' }]) {
    const refused = await server.get('/parcel?order=id', { headers });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([503, { code: 'SVC005' }]);
  }
  expect((await server.get(LONGEST)).status).toBe(503);
  // PostgreSQL may still be finishing the refused statements.
  await until(async () => (await blockedCount()) === 2);
  for (const reader of readers) reader.destroy();
  await until(async () => (await server.get('/parcel?order=id')).text.length > LONG);
});

test('B26 a pool of one has no connection for slow readers: their responses are held or refused', async () => {
  await start({ 'db-pool': 1 });
  const socket = ask('/parcel?order=id&limit=700');
  await once(socket, 'readable');
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  expect((await server.get('/parcel?order=id')).status).toBe(503);
  const lines = await server.get('/parcel?order=id', { headers: { Accept: 'application/x-ndjson' } });
  expect(lines.status).toBe(503);
  expect(await blockedCount()).toBe(0);
});

test('B27 a write is answered once it is committed, whatever its reader does', async () => {
  await start({ 'db-pool': 2 });
  const body = JSON.stringify({ size: LONG });
  const head = `POST /rpc/written HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const socket = sendHead(`${head}\r\n\r\n${body}`);
  await once(socket, 'readable');
  expect(String(socket.read(15))).toBe('HTTP/1.1 200 OK');
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  expect(await blockedCount()).toBe(0);
});

test('B54 without the extension every response is held whole', async () => {
  await start({ 'db-pool': 2, extensions: 'none' });
  ask('/parcel');
  await until(async () => (await inFlight()) === 0);
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
  expect(await blockedCount()).toBe(0);
});

test('B27 losing the database cuts the response short of its length', async () => {
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
  await server.logged(/^The response to GET \/rpc\/text_of\S* was cut off\. \{"code":"(?:57P01|SVC001)"/u);
  expect((await server.get('/parcel?limit=1')).status).toBe(200);
});
