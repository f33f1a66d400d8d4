// Streams of the notifications on channels that a function names (`beyond.md` §3.1).
import { expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, type LocalServer, useServers } from '../../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);
await harbor.sql(`
  create domain "text/event-stream" as text;
  create function api.order_events() returns setof "text/event-stream" language sql stable
    as $$ values ('orders'), ('Two words') $$;
  create function api.one_event() returns "text/event-stream" language sql stable as $$ select 'orders' $$;
  create function api.named(channel text) returns setof "text/event-stream" language sql stable as $$ select channel $$;
  create function api.none() returns setof "text/event-stream" language sql stable as $$ select null where false $$;
  create function api.own_events() returns setof "text/event-stream" language plpgsql stable as $$ begin
    if current_user <> '${harbor.user}' then raise insufficient_privilege using message = 'members only'; end if;
    return next 'for ' || (current_setting('request.jwt.claims')::json ->> 'sub');
  end $$;
  create function api.tagged() returns setof "text/event-stream" language plpgsql stable as $$ begin
    perform set_config('response.headers', '[{"X-Mark": "m"}]', true);
    return next 'orders';
  end $$;
`);
const server = await start({ 'events-max-streams': 20 });

function open(path: string, headers: Record<string, string> = {}, at: LocalServer = server): Promise<EventClient> {
  return openEvents(at.port, path, { headers });
}

const notify = (channel: string, payload: string): Promise<void> =>
  harbor.sql(`select pg_notify('${channel}', ${payload})`);

test('B45 notifications arrive as events with the name of their channel', async () => {
  const client = await open('/rpc/order_events');
  expect(client.status).toBe(200);
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'transfer-encoding': 'chunked',
  });
  expect(client.headers).not.toHaveProperty('content-range');
  await notify('orders', `'{"id": 1}'`);
  await notify('Two words', `''`);
  await notify('other', `'x'`);
  await notify('orders', `E'one\\ntwo\\r\\nthree'`);
  const events = await client.first(3);
  expect(events.map(({ name, data }) => [name, data])).toEqual([
    ['orders', '{"id": 1}'],
    ['Two words', ''],
    ['orders', 'one\ntwo\nthree'],
  ]);
  const ids = events.map(({ id }) => Number(id));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(new Set(ids).size).toBe(3);
});

test('a stream that its client closes is logged with the status and the bytes that the client received', async () => {
  const logging = await start({ 'log-level': 'info' });
  const client = await open('/rpc/one_event', {}, logging);
  await notify('orders', `'last'`);
  await client.first(1);
  client.close();
  const findLine = (): string | undefined => logging.out.find((line) => line.includes('/rpc/one_event'));
  await until(() => findLine() !== undefined);
  expect(findLine()).toMatch(/"GET \/rpc\/one_event HTTP\/1\.1" 200 [1-9]/u);
});

test('B45b one connection listens for all streams, and to nothing when they have left', async () => {
  const listening = `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and query ilike 'listen "orders"'`;
  const first = await open('/rpc/one_event');
  const second = await open('/rpc/one_event');
  await notify('orders', `'both'`);
  expect((await first.first(1))[0]?.data).toBe('both');
  expect((await second.first(1))[0]?.data).toBe('both');
  expect(await harbor.query(listening)).toEqual([[1]]);
  first.close();
  second.close();
  await until(async () => (await harbor.query(listening))[0]?.[0] === 0);
});

test('B45c without the media type, or by POST, the function answers its rows', async () => {
  expect(await server.json('/rpc/order_events')).toEqual(['orders', 'Two words']);
  const posted = await server.get('/rpc/order_events', { method: 'POST', headers: { Accept: 'text/event-stream' } });
  expect([posted.status, JSON.parse(posted.text)]).toEqual([415, expect.objectContaining({ code: 'SVC107' })]);
  const preferred = await server.get('/rpc/order_events', {
    headers: { Accept: 'text/event-stream;q=0.5, application/json' },
  });
  expect(preferred.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('B45d HEAD has the headers of the stream and ends', async () => {
  const head = await server.get('/rpc/order_events', { method: 'HEAD', headers: { Accept: 'text/event-stream' } });
  expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', '']);
});

test('B45e headers that the function sets are sent, and no channels are a silent stream', async () => {
  expect((await open('/rpc/tagged')).headers['x-mark']).toBe('m');
  const silent = await open('/rpc/none');
  await until(() => silent.text === ':\n\n');
});

test('B46 the function runs as the role and decides who listens to what', async () => {
  const refused = await open('/rpc/own_events');
  expect(refused.status).toBe(401);
  const token = (sub: string) => bearer({ role: harbor.user, sub });
  const ann = await open('/rpc/own_events', token('ann'));
  const bob = await open('/rpc/own_events', token('bob'));
  await notify('for bob', `'hers'`);
  await notify('for ann', `'his'`);
  expect((await ann.first(1)).map(({ data }) => data)).toEqual(['his']);
  expect((await bob.first(1)).map(({ data }) => data)).toEqual(['hers']);
});

test('B46b channels of the server, and names that are none, cannot be listened to', async () => {
  for (const channel of ['svc', '', 'x'.repeat(64), 'a%0Adata:%20b']) {
    const refused = await server.get(`/rpc/named?channel=${channel}`, { headers: { Accept: 'text/event-stream' } });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([400, expect.objectContaining({ code: 'SVC143' })]);
  }
});

test('B47 after a lost connection the stream goes on, and says that there is a gap', async () => {
  const client = await open('/rpc/one_event');
  await notify('orders', `'before'`);
  await client.first(1);
  await harbor.terminate(`query ilike 'listen "orders"'`);
  expect((await client.first(2))[1]).toEqual({ name: 'svc.gap', id: undefined, data: '' });
  await notify('orders', `'after'`);
  expect((await client.first(3))[2]?.data).toBe('after');
});

test('B47b beyond the limit a stream is refused until another one ends', async () => {
  const limited = await start({ 'events-max-streams': 1 });
  const client = await open('/rpc/one_event', {}, limited);
  const refused = await open('/rpc/one_event', {}, limited);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  client.close();
  await until(async () => (await open('/rpc/one_event', {}, limited)).status === 200);
});

test('B47c a client that does not read is cut off when a megabyte waits', async () => {
  const client = await open('/rpc/one_event');
  client.pause();
  await until(async () => {
    await harbor.sql(`select pg_notify('orders', repeat('x', 7900) || n) from generate_series(1, 400) n`);
    return server.count(/read its events too slowly/u) > 0;
  });
  client.resume();
  expect(await client.ended()).toBe('broken');
});

test('B47d the stream ends when the token expires', async () => {
  const exp = Math.floor(Date.now() / 1000) + 2;
  const client = await open('/rpc/own_events', bearer({ role: harbor.user, sub: 'ann', exp }));
  expect(client.status).toBe(200);
  expect(await client.ended()).toBe('complete');
  expect(Date.now() / 1000).toBeGreaterThan(exp - 0.1);
});

test('B47e when the server ends, the stream says when to reconnect', async () => {
  const own = await start();
  const client = await open('/rpc/one_event', {}, own);
  await own.stop();
  expect(await client.ended()).toBe('complete');
  expect(client.text).toMatch(/retry: \d+\n\n$/u);
});

test('B54 without the extension the media type is unknown', async () => {
  const off = await start({ extensions: 'none' });
  const accept = { headers: { Accept: 'text/event-stream' } };
  expect((await off.get('/rpc/order_events', accept)).status).toBe(415);
  const value = await off.get('/rpc/one_event', accept);
  expect([value.status, value.text]).toEqual([200, 'orders']);
});
