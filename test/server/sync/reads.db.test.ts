// Many live reads on one connection (`beyond.md` §6.1).
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { bearer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from '../live/live-harbor.ts';
import { eventsOf, LIST_TYPE, type ListEvent, openList } from './open-list.ts';

const harbor = await useLiveHarbor(
  ({ anon, user }) => `
  create table api.todo (id int primary key, list int, title text);
  create table api.list (id int primary key, name text);
  create table api.secret (id int primary key);
  create unlogged table api.quick (id int primary key);
  create table api.mine (id int primary key, owner text);
  alter table api.mine enable row level security;
  create policy own on api.mine using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
  create domain "text/event-stream" as text;
  create function api.news() returns setof "text/event-stream" language sql stable as $$ select 'news' $$;
  create function api.write() returns int language sql volatile as 'select 1';
  create schema private;
  create table private.call (path text);
  create function private.note() returns void language plpgsql security definer as $$ begin
    if current_setting('request.path') = '/list' and current_setting('request.method') <> 'GET' then
      raise exception 'method %', current_setting('request.method');
    end if;
    perform pg_notify('calls', current_setting('request.path'));
  end $$;
  grant usage on schema private to ${anon}, ${user};
  grant select on api.todo, api.list, api.quick, api.mine to ${anon}, ${user};
  create publication ${PUBLICATION} for table api.todo, api.list, api.mine, api.secret;
  insert into api.todo values (1, 1, 'one'), (2, 1, 'two'), (3, 2, 'three');
  insert into api.list values (1, 'Home'), (2, 'Work');
  insert into api.mine values (1, 'ann'), (2, 'bob');
`,
);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'live-interval': 20 });

function open(
  reads: unknown,
  headers: Readonly<Record<string, string>> = {},
  { port }: { readonly port: number } = server,
): Promise<EventClient> {
  return openList(port, reads, headers);
}

async function event(client: EventClient, id: string, index: number): Promise<ListEvent> {
  const why = (): string => `event ${index} of ${id} in ${client.text}`;
  return until(() => eventsOf(client, id)[index], { why });
}

const ID: unknown = expect.stringMatching(/^[\da-f]{24}-\d+$/u);

describe('events', () => {
  test('B89 each event has the id of its read', async () => {
    const client = await open([
      { id: 'todos', path: '/todo?list=eq.1&order=id' },
      { id: 'lists "2"\n', method: 'GET', path: '/list?select=name&order=id' },
    ]);
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(client.headers).not.toHaveProperty('preference-applied');
    expect(await event(client, 'todos', 0)).toEqual({
      name: 'rows',
      data: {
        id: 'todos',
        eventId: ID,
        rows: [
          { id: 1, list: 1, title: 'one' },
          { id: 2, list: 1, title: 'two' },
        ],
      },
    });
    expect(await event(client, 'lists "2"\n', 0)).toEqual({
      name: 'rows',
      data: { id: 'lists "2"\n', eventId: ID, rows: [{ name: 'Home' }, { name: 'Work' }] },
    });
    await harbor.sql(`insert into api.todo values (4, 1, E'a\\r\\nb'); delete from api.todo where id = 1`);
    expect(await event(client, 'todos', 1)).toEqual({
      name: 'change',
      data: {
        id: 'todos',
        eventId: ID,
        upsert: [{ id: 4, list: 1, title: 'a\r\nb' }],
        delete: [{ id: 1 }],
      },
    });
    await harbor.sql(`update api.list set name = 'House' where id = 1`);
    expect(await event(client, 'lists "2"\n', 1)).toEqual({
      name: 'rows',
      data: { id: 'lists "2"\n', eventId: ID, rows: [{ name: 'House' }, { name: 'Work' }] },
    });
    expect(client.events.map(({ id }) => id)).toEqual([undefined, undefined, undefined, undefined]);
    for (const { data } of client.events) expect(data.startsWith('{"id":')).toBe(true);
    await harbor.sql(`delete from api.todo where id = 4; insert into api.todo values (1, 1, 'one');
      update api.list set name = 'Home' where id = 1`);
  });

  test('B89b reads share groups with single streams, whatever their ids', async () => {
    await until(async () => (await server.metric('live_streams')) === 0);
    const single = await openEvents(server.port, '/todo?list=eq.2');
    await single.first(1);
    const groups = Number(await server.metric('live_groups'));
    const both = await open([
      { id: 'a', path: '/todo?list=eq.2' },
      { id: 'b', path: '/todo?list=eq.2' },
    ]);
    const other = await open([{ id: 'c', path: '/todo?list=eq.2' }]);
    await both.first(2);
    await other.first(1);
    expect(await server.metric('live_groups')).toBe(groups);
    expect(await server.metric('live_streams')).toBe(4);
    const before = Number(await server.metric('live_reads_total'));
    await harbor.sql(`insert into api.todo values (5, 2, 'five')`);
    const change = await event(both, 'a', 1);
    expect((await single.first(2))[1]?.id).toBe(change.data['eventId']);
    expect((await event(both, 'b', 1)).data).toEqual({ ...change.data, id: 'b' });
    expect((await event(other, 'c', 1)).data).toEqual({ ...change.data, id: 'c' });
    expect(Number(await server.metric('live_reads_total'))).toBe(before + 1);
    await harbor.sql('delete from api.todo where id = 5');
  });

  test('B89c the claims and the profile of the list hold for all, preferences and ranges for one read', async () => {
    const client = await open(
      [
        { id: 'mine', path: '/mine' },
        { id: 'first', path: '/todo?order=id', headers: { Range: '0-0' } },
        { id: 'strict', path: '/todo', headers: { Prefer: 'handling=strict, nonsense' } },
        { id: 'null', path: '/todo?id=eq.1', headers: { Accept: 'text/event-stream' } },
      ],
      { ...bearer({ role: harbor.user, sub: 'ann' }), 'Accept-Profile': 'api' },
    );
    expect((await event(client, 'mine', 0)).data).toMatchObject({ rows: [{ id: 1, owner: 'ann' }] });
    expect((await event(client, 'first', 0)).data).toMatchObject({ rows: [{ id: 1 }] });
    expect(await event(client, 'strict', 0)).toMatchObject({
      name: 'error',
      data: { id: 'strict', status: 400, error: { code: 'SVC122' } },
    });
    expect((await event(client, 'null', 0)).name).toBe('rows');
  });

  test('B89d the stream ends for all when the token expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 2;
    const client = await open(
      [
        { id: 'a', path: '/todo' },
        { id: 'b', path: '/list' },
      ],
      bearer({ role: harbor.user, exp }),
    );
    await client.first(2);
    expect(await client.ended()).toBe('complete');
    expect(client.events.map(({ name, data }) => (name === 'rows' ? name : [name, data]))).toEqual([
      'rows',
      'rows',
      ['expired', ''],
    ]);
  });

  test('B89e a row longer than a piece, and rows of several lines', async () => {
    await harbor.sql(`insert into api.todo select 100, 9, repeat('x', 200000)`);
    const client = await open([
      { id: 'long', path: '/todo?list=eq.9' },
      { id: 'whole', path: '/todo?list=eq.9&limit=1' },
      { id: 'lines', path: '/todo?order=id&limit=2&select=id' },
    ]);
    for (const id of ['long', 'whole'])
      expect((await event(client, id, 0)).data['rows']).toEqual([{ id: 100, list: 9, title: 'x'.repeat(200_000) }]);
    expect((await event(client, 'lines', 0)).data['rows']).toEqual([{ id: 1 }, { id: 2 }]);
    await harbor.sql(`update api.todo set title = repeat('y', 70000) where id = 100`);
    expect((await event(client, 'long', 1)).data['upsert']).toEqual([{ id: 100, list: 9, title: 'y'.repeat(70_000) }]);
    await harbor.sql('delete from api.todo where id = 100');
    expect((await event(client, 'long', 2)).data).toEqual({
      id: 'long',
      eventId: ID,
      upsert: [],
      delete: [{ id: 100 }],
    });
  });

  test('B89f a list of many reads leaves no warning of leaked listeners', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const client = await open(
      Array.from({ length: 40 }, (_, list) => ({ id: String(list), path: `/todo?list=eq.${list}` })),
    );
    await until(() => client.events.length === 40);
    expect(warnings).toEqual([]);
  });
});

describe('errors and refusals', () => {
  test('B90 a read that cannot begin is an error of its own', async () => {
    const client = await open([
      { id: 'unknown', path: '/nothing' },
      { id: 'denied', path: '/secret' },
      { id: 'unpublished', path: '/quick' },
      { id: 'syntax', path: '/todo?id=nonsense.1' },
      { id: 'volatile', path: '/rpc/write' },
      { id: 'root', path: '/' },
      { id: 'fine', path: '/list' },
    ]);
    expect(client.status).toBe(200);
    expect((await event(client, 'fine', 0)).name).toBe('rows');
    const errors = { unknown: [404, 'SVC205'], denied: [401, '42501'], unpublished: [400, 'SVC141'] };
    for (const [id, [status, code]] of Object.entries(errors))
      expect(await event(client, id, 0)).toMatchObject({ name: 'error', data: { id, status, error: { code } } });
    expect(await event(client, 'syntax', 0)).toMatchObject({ name: 'error', data: { status: 400 } });
    expect(await event(client, 'volatile', 0)).toMatchObject({ name: 'error', data: { status: 415 } });
    expect(await event(client, 'root', 0)).toMatchObject({ name: 'error', data: { status: 415 } });
    expect(Object.keys(eventsOf(client, 'denied')[0]?.data ?? {})).toEqual(['id', 'status', 'error']);
    expect(client.end).toBeUndefined();
    await harbor.sql(`insert into api.list values (3, 'Third')`);
    expect((await event(client, 'fine', 1)).name).toBe('change');
    await harbor.sql('delete from api.list where id = 3');
  });

  test('B90b a stream whose reads all fail ends', async () => {
    const client = await open([
      { id: 'a', path: '/nothing' },
      { id: 'b', path: '/secret' },
    ]);
    expect(client.status).toBe(200);
    expect(await client.ended()).toBe('complete');
    expect(client.events.map(({ name }) => name)).toEqual(['error', 'error']);
  });

  test('B90c a read that ends leaves the others, and the last one ends the stream', async () => {
    await harbor.sql(`grant select on api.secret to ${harbor.anon}`);
    const client = await open([
      { id: 'secret', path: '/secret' },
      { id: 'list', path: '/list' },
    ]);
    await client.first(2);
    await harbor.sql(`revoke select on api.secret from ${harbor.anon}`);
    await server.reload();
    expect(await event(client, 'secret', 1)).toMatchObject({
      name: 'error',
      data: { id: 'secret', status: 401, error: { code: '42501' } },
    });
    await harbor.sql(`insert into api.list values (4, 'Fourth')`);
    expect((await event(client, 'list', 1)).data).toMatchObject({ upsert: [{ id: 4 }] });
    await harbor.sql(`delete from api.list where id = 4; revoke select on api.list from ${harbor.anon}`);
    await server.reload();
    expect(await client.ended()).toBe('complete');
    expect(client.events.at(-1)?.name).toBe('error');
    await harbor.sql(`grant select on api.list to ${harbor.anon}`);
    await server.reload();
    await until(async () => (await server.metric('live_streams')) === 0);
  });

  test.each([
    ['not JSON', '{', undefined, 'Empty or invalid json'],
    ['an object', {}, undefined, 'A list is an array of requests'],
    ['an empty list', [], undefined, 'The list contains no request'],
    ['no id', [{ path: '/list' }], 0, 'Request 0 of the list has no id of 1 to 255 characters'],
    ['an empty id', [{ id: '', path: '/list' }], 0, 'Request 0 of the list has no id of 1 to 255 characters'],
    [
      'a long id',
      [{ id: 'x'.repeat(256), path: '/list' }],
      0,
      'Request 0 of the list has no id of 1 to 255 characters',
    ],
    ['a number as id', [{ id: 1, path: '/list' }], 0, 'Request 0 of the list has an id that is not a string'],
    [
      'the same id twice',
      [
        { id: 'a', path: '/list' },
        { id: 'a', path: '/todo' },
      ],
      1,
      'Request 1 of the list repeats the id "a"',
    ],
    ['no path', [{ id: 'a' }], 0, 'Request 0 of the list has no path that starts with /'],
    [
      'a blank in a path',
      [{ id: 'a', path: '/list?name=eq.a b' }],
      0,
      'Request 0 of the list has a path with a blank or control character; encode it, as %20',
    ],
    [
      'a HEAD',
      [{ id: 'a', path: '/list', method: 'HEAD' }],
      0,
      'Request 0 of the list has the method HEAD; a list contains reads by GET only',
    ],
    [
      'a write',
      [{ id: 'a', path: '/list', method: 'POST' }],
      0,
      'Request 0 of the list has the method POST; a list contains reads by GET only',
    ],
    ['a body', [{ id: 'a', path: '/list', body: null }], 0, 'Request 0 of the list has the unknown member "body"'],
    [
      'a reference',
      [
        { id: 'a', path: '/list' },
        { id: 'b', path: '/todo?list=eq.{a#/0/id}' },
      ],
      1,
      'Request 1 of the list has a path with #; a list contains no references',
    ],
    [
      'a function that names channels',
      [
        { id: 'a', path: '/list' },
        { id: 'b', path: '/rpc/news' },
      ],
      1,
      'Request 1 of the list calls a function that names channels; a list contains reads of rows only',
    ],
    [
      'a header of the list',
      [{ id: 'a', path: '/list', headers: { Authorization: 'x' } }],
      0,
      'Request 0 of the list has the header authorization, which belongs to the list',
    ],
    [
      'another type',
      [{ id: 'a', path: '/list', headers: { Accept: 'text/csv' } }],
      0,
      'Request 0 of the list has the header accept; the response is a stream of events',
    ],
    [
      'an unknown header',
      [{ id: 'a', path: '/list', headers: { 'X-Mine': 'x' } }],
      0,
      'Request 0 of the list has the header x-mine, which a request in a list cannot have',
    ],
    [
      'an event id that is no string',
      [{ id: 'a', path: '/list', lastEventId: 1 }],
      0,
      'Request 0 of the list has a lastEventId that is not a string',
    ],
    [
      'too many reads',
      Array.from({ length: 101 }, (_, index) => ({ id: String(index), path: '/list' })),
      undefined,
      'A list contains up to 100 requests (batch-max-requests)',
    ],
  ])('B90d %s is refused as a whole', async (_, list, request, message) => {
    const client = await open(list);
    await client.ended();
    expect(client.status).toBe(400);
    const body = JSON.parse(client.text) as Record<string, unknown>;
    expect(body).toMatchObject({ code: 'SVC102', message });
    expect(body['request']).toBe(request);
  });

  test('B90e other requests with this media type stay batches', async () => {
    const list = JSON.stringify([{ id: 'a', method: 'GET', path: '/list?id=eq.1' }]);
    for (const headers of [{}, { Accept: 'application/json, text/event-stream' }, { Accept: '*/*' }]) {
      const response = await server.get('/', {
        method: 'POST',
        headers: { 'Content-Type': LIST_TYPE, ...headers },
        body: list,
      });
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    }
    for (const settings of [
      { extensions: 'live, batch', 'live-publication': PUBLICATION },
      { extensions: 'sync, batch', 'live-publication': PUBLICATION },
      { extensions: 'sync, live, batch' },
    ]) {
      const own = await start(settings);
      const client = await open(list, {}, own);
      expect([client.status, client.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    }
    const without = await start({ extensions: 'sync, live', 'live-publication': PUBLICATION });
    expect((await open(list, {}, without)).headers['content-type']).toBe('text/event-stream');
  });
});

describe('limits', () => {
  test('B90f each read counts as a stream', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'live-max-streams': 3 });
    const reads = ['a', 'b', 'c', 'd'].map((id) => ({ id, path: '/list' }));
    const client = await open(reads, {}, own);
    for (const id of ['a', 'b', 'c']) expect((await event(client, id, 0)).name).toBe('rows');
    expect(await event(client, 'd', 0)).toMatchObject({
      name: 'error',
      data: { id: 'd', status: 503, error: { code: 'SVC005' } },
    });
    const refused = await open(
      [
        { id: 'e', path: '/list' },
        { id: 'f', path: '/todo' },
      ],
      {},
      own,
    );
    await refused.ended();
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/u);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'SVC005' });
    const single = await openEvents(own.port, '/list');
    expect(single.status).toBe(503);
    client.close();
    await until(async () => (await own.metric('live_streams')) === 0);
    expect((await open(reads.slice(0, 3), {}, own)).status).toBe(200);
  });

  test('B90g a client that leaves before the rows come leaves nothing behind', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'db-pool': 2 });
    await harbor.sql('begin; lock table api.list in access exclusive mode; select pg_sleep(0); commit');
    const client = await open([{ id: 'a', path: '/list' }], {}, own);
    await client.first(1);
    client.close();
    await until(async () => (await own.metric('live_streams')) === 0);
  });
});

describe('a slow client', () => {
  test('B90h only the reads that missed events begin again, and errors are not lost', async () => {
    await harbor.sql(`grant select on api.secret to ${harbor.anon}`);
    await server.reload();
    const reads = [
      { id: 'large', path: '/todo?list=eq.50' },
      { id: 'quiet', path: '/list?id=gt.100' },
      { id: 'secret', path: '/secret' },
    ];
    const client = await open(reads, { Prefer: 'position' });
    for (const { id } of reads) await event(client, id, 0);
    client.pause();
    const witness = await openEvents(server.port, '/todo?list=eq.50');
    await witness.first(1);
    const write = async (round: number): Promise<void> => {
      const title = String(round % 10).repeat(200_000);
      await harbor.sql(`insert into api.todo values (500, 50, '${title}')
        on conflict (id) do update set title = excluded.title`);
      await until(() => witness.events.at(-1)?.data.includes(title) === true);
    };
    for (let round = 1; round <= 30; round += 1) await write(round);
    await harbor.sql(`revoke select on api.secret from ${harbor.anon}`);
    await server.reload();
    await until(async () => (await server.metric('live_streams')) === 3);
    await harbor.sql(`update api.todo set title = 'end' where id = 500`);
    await until(() => witness.events.at(-1)?.data.includes('"end"') === true);
    client.resume();
    const isReset = (): boolean => eventsOf(client, 'large').some(({ name }) => name === 'reset');
    await until(() => isReset() && eventsOf(client, 'large').at(-1)?.name === 'rows');
    const large = eventsOf(client, 'large').map(({ name }) => name);
    expect(large.slice(large.indexOf('reset'))).toEqual(['reset', 'rows']);
    expect(eventsOf(client, 'large').at(-1)?.data['rows']).toEqual([{ id: 500, list: 50, title: 'end' }]);
    expect((await event(client, 'secret', 1)).name).toBe('error');
    await harbor.sql(`insert into api.list values (101, 'quiet')`);
    expect((await event(client, 'quiet', 1)).name).toBe('change');
    expect(eventsOf(client, 'quiet').map(({ name }) => name)).toEqual(['rows', 'change']);
    // No position claims what the client has not received.
    const names = client.events.map(({ name }) => name);
    expect(names.slice(names.indexOf('reset')).slice(0, 3)).toEqual(['reset', 'rows', 'position']);
    await harbor.sql('delete from api.todo where id = 500; delete from api.list where id = 101');
  });
});

describe('resume', () => {
  test('B91 a list that is opened again continues where each read was', async () => {
    const first = await open([
      { id: 'a', path: '/todo?list=eq.1' },
      { id: 'b', path: '/todo?list=eq.2' },
    ]);
    const [a, b] = [await event(first, 'a', 0), await event(first, 'b', 0)];
    await harbor.sql(`insert into api.todo values (10, 1, 'ten')`);
    await event(first, 'a', 1);
    const again = await open([
      { id: 'x', path: '/todo?list=eq.1', lastEventId: a.data['eventId'] },
      { id: 'y', path: '/todo?list=eq.2', lastEventId: b.data['eventId'] },
      { id: 'z', path: '/list?id=eq.1' },
    ]);
    expect(await event(again, 'x', 0)).toEqual({
      name: 'change',
      data: { ...eventsOf(first, 'a')[1]?.data, id: 'x' },
    });
    expect((await event(again, 'z', 0)).name).toBe('rows');
    first.close();
    await harbor.sql(`insert into api.todo values (11, 1, 'eleven'), (12, 2, 'twelve')`);
    expect((await event(again, 'x', 1)).data).toMatchObject({ upsert: [{ id: 11 }] });
    // Nothing was missed, so nothing came before this change.
    expect(await event(again, 'y', 0)).toMatchObject({ name: 'change', data: { upsert: [{ id: 12 }] } });
    await harbor.sql('delete from api.todo where id >= 10');
  });

  test('B91b an id that the server has not given to this read is a reset', async () => {
    const client = await open([
      { id: 'a', path: '/todo?list=eq.1&order=id', lastEventId: '0123456789abcdef01234567-0' },
      { id: 'b', path: '/list?order=id', lastEventId: '' },
    ]);
    for (const id of ['a', 'b']) {
      expect(await event(client, id, 0)).toEqual({ name: 'reset', data: { id } });
      expect((await event(client, id, 1)).name).toBe('rows');
    }
  });

  test('B91c ids of single streams and of lists are the same', async () => {
    const single = await openEvents(server.port, '/todo?list=eq.1');
    const [rows] = await single.first(1);
    const list = await open([{ id: 'a', path: '/todo?list=eq.1', lastEventId: rows?.id }]);
    await harbor.sql(`insert into api.todo values (20, 1, 'twenty')`);
    const change = await event(list, 'a', 0);
    expect(change.name).toBe('change');
    const back = await openEvents(server.port, '/todo?list=eq.1', {
      headers: { 'Last-Event-ID': String(change.data['eventId']) },
    });
    await harbor.sql(`delete from api.todo where id = 20`);
    expect((await back.first(1))[0]?.name).toBe('change');
  });
});
