// Live rows: reads whose changes are streamed (`beyond.md` §3.1b).
import { describe, expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { bearer, type LocalServer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from './live-harbor.ts';

const harbor = await useLiveHarbor(
  ({ anon, user }) => `
  create table api.item (id int primary key, kind text, owner text, note text, price numeric);
  create table api.part (item_id int, number int, label text, primary key (item_id, number));
  create table api.secret (id int primary key);
  create unlogged table api.quick (id int primary key);
  create table api.access (who text primary key);
  create table api.mine (id int primary key, owner text);
  alter table api.mine enable row level security;
  create policy own on api.mine using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub'
    or exists (select from api.access where who = current_setting('request.jwt.claims', true)::json ->> 'sub'));
  create view api.dear as select id, price from api.item where price > 10;
  create function api.cheap() returns setof api.item language sql stable as 'select * from api.item where price < 5';
  create function api.header() returns table (header text, claims text) language sql stable as
    $$ select current_setting('request.headers'), current_setting('request.jwt.claims') $$;
  create table api.log (id int generated always as identity, day date, primary key (id, day)) partition by range (day);
  create table api.log_1 partition of api.log for values from ('2026-01-01') to ('2026-02-01');
  grant select on all tables in schema api to ${anon}, ${user};
  create publication ${PUBLICATION} for table api.berth, api.visit, api.item, api.part, api.access, api.mine, api.log;
  insert into api.item values (1, 'a', 'ann', 'one', 1), (2, 'b', 'bob', 'two', 20), (3, 'a', 'bob', 'three', 3);
`,
);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'live-interval': 20, 'server-etags': true });

function open(path: string, headers: Record<string, string> = {}, at: LocalServer = server): Promise<EventClient> {
  return openEvents(at.port, path, { headers });
}

interface Change {
  readonly upsert: readonly unknown[];
  readonly delete: readonly unknown[];
}

async function event(client: EventClient, index: number): Promise<{ name: string; data: unknown }> {
  const { name, data } = (await client.first(index + 1))[index] as { name: string; data: string };
  return { name, data: data === '' ? '' : (JSON.parse(data) as unknown) };
}

test('O244 the schema description says that reads can be watched', async () => {
  const described = await server.json('/', { headers: { Accept: 'application/vnd.svc.schema+json' } });
  expect(described).toMatchObject({ features: { live: true } });
});

describe('keyed reads', () => {
  test('B71 the rows come first, then what changes', async () => {
    const client = await open('/item?kind=eq.a&order=id&select=id,note');
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    expect(client.headers).not.toHaveProperty('etag');
    expect(await event(client, 0)).toEqual({
      name: 'rows',
      data: [
        { id: 1, note: 'one' },
        { id: 3, note: 'three' },
      ],
    });
    await harbor.sql(`insert into api.item values (4, 'a', 'ann', 'four', 4)`);
    expect(await event(client, 1)).toEqual({ name: 'change', data: { upsert: [{ id: 4, note: 'four' }], delete: [] } });
    await harbor.sql(
      `insert into api.item values (5, 'b', 'ann', 'no', 4); update api.item set note = 'ONE' where id = 1`,
    );
    expect(await event(client, 2)).toEqual({ name: 'change', data: { upsert: [{ id: 1, note: 'ONE' }], delete: [] } });
    await harbor.sql(`update api.item set kind = 'c' where id = 4`);
    expect(await event(client, 3)).toEqual({ name: 'change', data: { upsert: [], delete: [{ id: 4 }] } });
    await harbor.sql(`update api.item set id = 40, kind = 'a' where id = 4; delete from api.item where id in (3, 5)`);
    const last = (await event(client, 4)).data as Change;
    expect(last).toEqual({ upsert: [{ id: 40, note: 'four' }], delete: [{ id: 3 }] });
    expect(client.events.map(({ id }) => /^[\da-z]+-\d+$/u.test(id ?? ''))).toEqual([true, true, true, true, true]);
    await harbor.sql(`delete from api.item where id = 40; insert into api.item values (3, 'a', 'bob', 'three', 3);
      update api.item set note = 'one' where id = 1`);
  });

  test('B72 keys of several columns, and texts with quotes and line breaks', async () => {
    const client = await open('/part');
    expect(await event(client, 0)).toEqual({ name: 'rows', data: [] });
    await harbor.sql(`insert into api.part values (1, 1, E'a "b"\\n\\\\c')`);
    expect((await event(client, 1)).data).toEqual({
      upsert: [{ item_id: 1, number: 1, label: 'a "b"\n\\c' }],
      delete: [],
    });
    await harbor.sql(`delete from api.part`);
    expect((await event(client, 2)).data).toEqual({ upsert: [], delete: [{ item_id: 1, number: 1 }] });
  });

  test('B73b a read that shows its key twice is sent as a whole', async () => {
    const twice = await open('/item?select=*,id&kind=eq.b');
    const other = await open('/item?select=id,id:note&kind=eq.b');
    await twice.first(1);
    expect(twice.events[0]?.data).toBe((await server.get('/item?select=*,id&kind=eq.b')).text);
    expect(await event(other, 0)).toEqual({ name: 'rows', data: [{ id: 'two' }] });
    await harbor.sql(`update api.item set note = 'TWO' where id = 2`);
    expect(await event(twice, 1)).toMatchObject({ name: 'rows', data: [{ id: 2, note: 'TWO' }] });
    expect(await event(other, 1)).toEqual({ name: 'rows', data: [{ id: 'TWO' }] });
    await harbor.sql(`update api.item set note = 'two' where id = 2`);
  });

  test('B73 reads that cannot be read by key are sent as a whole', async () => {
    const embed = await open('/item?select=id,note&order=id&limit=1');
    const view = await open('/dear');
    const call = await open('/rpc/cheap?select=id&order=id');
    expect((await event(embed, 0)).data).toEqual([{ id: 1, note: 'one' }]);
    expect((await event(view, 0)).data).toEqual([{ id: 2, price: 20 }]);
    expect((await event(call, 0)).data).toEqual([{ id: 1 }, { id: 3 }]);
    await harbor.sql(`insert into api.item values (0, 'z', 'zoe', 'zero', 30)`);
    expect(await event(embed, 1)).toEqual({ name: 'rows', data: [{ id: 0, note: 'zero' }] });
    expect(((await event(view, 1)).data as unknown[]).length).toBe(2);
    await harbor.sql(`delete from api.item where id = 0`);
    expect((await event(embed, 2)).data).toEqual([{ id: 1, note: 'one' }]);
    expect(call.events.length).toBe(1);
  });
});

test('B72b a change is sent when other sessions see it, not when it is in the log', async () => {
  const client = await open('/berth?id=gt.400');
  await client.first(1);
  // A commit that waits for a standby is in the log, but not visible.
  await harbor.sql(`alter system set synchronous_standby_names = 'nobody'`);
  await harbor.sql('select pg_reload_conf()');
  await until(async () => (await harbor.query('show synchronous_standby_names'))[0]?.[0] === 'nobody');
  const writing = harbor.sql(`insert into api.berth values (401, 'Seen')`);
  try {
    await until(async () => ((await server.metric('live_lag_seconds')) ?? 0) > 0);
    expect(client.events.length).toBe(1);
  } finally {
    // Otherwise all writes of the other tests would wait, too.
    await harbor.sql('alter system reset synchronous_standby_names');
    await harbor.sql('select pg_reload_conf()');
  }
  await writing;
  expect((await event(client, 1)).data).toEqual({ upsert: [{ id: 401, name: 'Seen' }], delete: [] });
  await harbor.sql('delete from api.berth where id > 400');
});

describe('groups and reconnecting clients', () => {
  test('B74 equal reads share a group, whatever claims and headers are ignored', async () => {
    const own = await start({
      'live-publication': PUBLICATION,
      'live-headers': 'x-tenant',
      'live-ignore-claims': 'jti,iat',
    });
    const seen = async (claims: Record<string, unknown>, headers: Record<string, string>): Promise<EventClient> => {
      const client = await open('/rpc/header', { ...bearer({ role: harbor.user, ...claims }), ...headers }, own);
      await client.first(1);
      return client;
    };
    const first = await seen({ sub: 'ann', jti: 'one' }, { 'X-Tenant': 'a', 'X-Other': 'x' });
    const second = await seen({ sub: 'ann', jti: 'two' }, { 'X-Tenant': 'a', 'X-Other': 'y', Cookie: 'c=1' });
    const third = await seen({ sub: 'ann', jti: 'one' }, { 'X-Tenant': 'b' });
    const [row] = JSON.parse(first.events[0]?.data ?? '') as [{ header: string; claims: string }];
    expect(JSON.parse(row.header)).toEqual({ 'x-tenant': 'a' });
    expect(JSON.parse(row.claims)).toEqual({ role: harbor.user, sub: 'ann' });
    expect(second.events[0]).toEqual(first.events[0]);
    expect(third.events[0]?.id).not.toBe(first.events[0]?.id);
    expect(await own.metric('live_groups')).toBe(2);
    expect(await own.metric('live_streams')).toBe(3);
  });

  test('B75 a client that reconnects gets the events since the last one', async () => {
    const witness = await open('/berth?id=gt.100');
    const client = await open('/berth?id=gt.100');
    await client.first(1);
    await harbor.sql(`insert into api.berth values (101, 'East')`);
    const id = (await client.first(2))[1]?.id ?? '';
    client.close();
    await harbor.sql(`insert into api.berth values (102, 'Quay')`);
    await witness.first(3);
    const again = await open('/berth?id=gt.100', { 'Last-Event-ID': id });
    expect(await event(again, 0)).toEqual({
      name: 'change',
      data: { upsert: [{ id: 102, name: 'Quay' }], delete: [] },
    });
    expect(again.events[0]?.id).toBe(witness.events[2]?.id);
  });

  test('B75b an unknown id, and that of another read, begin again', async () => {
    const other = await open('/berth?id=eq.101');
    await other.first(1);
    for (const id of ['x-1', other.events[0]?.id ?? '', `${other.events[0]?.id ?? ''}0`]) {
      const client = await open('/berth?id=gt.100&order=id', { 'Last-Event-ID': id });
      expect((await client.first(2)).map(({ name }) => name)).toEqual(['reset', 'rows']);
      expect(client.events[0]?.data).toBe('');
    }
    await harbor.sql('delete from api.berth where id > 100');
  });
});

describe('ids of events', () => {
  const headers = (subject: string): Record<string, string> => bearer({ role: harbor.user, sub: subject });
  const path = '/mine?order=id&id=gte.100';

  test('B75f an id that a client was not given is a reset, whatever its form', async () => {
    const first = await open('/berth?id=gt.600&order=id');
    await first.first(1);
    await harbor.sql(`insert into api.berth values (601, 'Hidden')`);
    await first.first(2);
    await harbor.sql('delete from api.berth where id = 601');
    const [start, , end] = await first.first(3);
    const late = await open('/berth?id=gt.600&order=id');
    const given = (await late.first(1))[0]?.id ?? '';
    expect(given).toBe(end?.id);
    const hash = given.slice(0, given.lastIndexOf('-'));
    const forged = [
      ...['-0', '-1', '-3', '-00', '--2', '-2x', '-2-2', '-1e9', '-9007199254740993', ''].map((end) => hash + end),
      start?.id?.replace(/-0$/u, '-1') ?? '',
      given.toUpperCase(),
      '-2',
      'x'.repeat(8000),
    ];
    for (const id of forged) {
      const client = await open('/berth?id=gt.600&order=id', { 'Last-Event-ID': id });
      expect([id, (await client.first(2)).map(({ name, data }) => [name, data])]).toEqual([
        id,
        [
          ['reset', ''],
          ['rows', '[]'],
        ],
      ]);
      expect(client.text).not.toContain('Hidden');
      client.close();
    }
    const same = await open('/berth?id=gt.600&order=id', { 'Last-Event-ID': given });
    await harbor.sql(`insert into api.berth values (602, 'Seen')`);
    expect(await event(same, 0)).toEqual({ name: 'change', data: { upsert: [{ id: 602, name: 'Seen' }], delete: [] } });
    await harbor.sql('delete from api.berth where id = 602');
  });

  test('B75g events from before visibility shrank are not sent again', async () => {
    await harbor.sql(`insert into api.mine values (101, 'ann'), (102, 'bob')`);
    const ann = await open(path, headers('ann'));
    const id = (await ann.first(1))[0]?.id ?? '';
    await harbor.sql(`insert into api.mine values (103, 'ann')`);
    const shown = (await ann.first(2))[1]?.id ?? '';
    // No row changes: only the rows that ann may see.
    await harbor.sql(`insert into api.access values ('ann')`);
    await ann.first(3);
    await harbor.sql(`delete from api.access`);
    expect((await event(ann, 3)).data).toEqual({ upsert: [], delete: [{ id: 102 }] });
    for (const before of [id, shown]) {
      const again = await open(path, { ...headers('ann'), 'Last-Event-ID': before });
      expect((await again.first(2)).map(({ name }) => name)).toEqual(['reset', 'rows']);
      expect(again.text).not.toContain('bob');
    }
    const later = await open(path, { ...headers('ann'), 'Last-Event-ID': ann.events[2]?.id ?? '' });
    expect((await event(later, 0)).data).toEqual({ upsert: [], delete: [{ id: 102 }] });
    const after = await open(path, { ...headers('ann'), 'Last-Event-ID': ann.events[3]?.id ?? '' });
    await harbor.sql(`insert into api.mine values (104, 'ann')`);
    expect((await event(after, 0)).data).toEqual({ upsert: [{ id: 104, owner: 'ann' }], delete: [] });
    const bob = await open(path, { ...headers('bob'), 'Last-Event-ID': ann.events[3]?.id ?? '' });
    expect((await bob.first(2)).map(({ name }) => name)).toEqual(['reset', 'rows']);
    await harbor.sql('delete from api.mine where id > 100');
  });

  test('B75h of events with all rows, a client that returns gets the last one only', async () => {
    const read = '/berth?id=gt.700&select=name&order=id';
    const witness = await open(read);
    const id = (await witness.first(1))[0]?.id ?? '';
    await harbor.sql(`insert into api.berth values (701, 'Hidden')`);
    await witness.first(2);
    await harbor.sql(`update api.berth set name = 'Shown' where id = 701`);
    await witness.first(3);
    const again = await open(read, { 'Last-Event-ID': id });
    expect(await event(again, 0)).toEqual({ name: 'rows', data: [{ name: 'Shown' }] });
    expect(again.text).not.toContain('Hidden');
    await harbor.sql('delete from api.berth where id > 700');
  });
});

describe('visibility', () => {
  test('B76 each role sees its own rows, and what its policies depend on is watched', async () => {
    await harbor.sql(`insert into api.mine values (1, 'ann'), (2, 'bob')`);
    const ann = await open('/mine?order=id', bearer({ role: harbor.user, sub: 'ann' }));
    const bob = await open('/mine?order=id', bearer({ role: harbor.user, sub: 'bob' }));
    expect((await event(ann, 0)).data).toEqual([{ id: 1, owner: 'ann' }]);
    expect((await event(bob, 0)).data).toEqual([{ id: 2, owner: 'bob' }]);
    await harbor.sql(`insert into api.access values ('ann')`);
    expect((await event(ann, 1)).data).toEqual({ upsert: [{ id: 2, owner: 'bob' }], delete: [] });
    await harbor.sql(`update api.mine set owner = 'cyd' where id = 2`);
    expect((await event(bob, 1)).data).toEqual({ upsert: [], delete: [{ id: 2 }] });
    expect((await event(ann, 2)).data).toEqual({ upsert: [{ id: 2, owner: 'cyd' }], delete: [] });
    await harbor.sql(`delete from api.access`);
    expect((await event(ann, 3)).data).toEqual({ upsert: [], delete: [{ id: 2 }] });
    expect(bob.text).not.toContain('cyd');
  });

  test('B76b a policy that changes counts after a reload, and a withdrawn privilege ends the stream', async () => {
    const own = await start({ 'live-publication': PUBLICATION });
    const client = await open('/part', bearer({ role: harbor.user }), own);
    expect((await event(client, 0)).data).toEqual([]);
    await harbor.sql(`insert into api.part values (7, 7, 'x')`);
    await client.first(2);
    await harbor.sql(`alter table api.part enable row level security`);
    await own.reload();
    expect((await event(client, 2)).data).toEqual({ upsert: [], delete: [{ item_id: 7, number: 7 }] });
    await harbor.sql(`alter table api.part disable row level security; revoke select on api.part from ${harbor.user}`);
    await own.reload();
    const last = await event(client, 3);
    expect(last).toEqual({ name: 'error', data: expect.objectContaining({ code: '42501' }) as unknown });
    expect(await client.ended()).toBe('complete');
    await harbor.sql(`grant select on api.part to ${harbor.user}; delete from api.part`);
  });

  test('B76c without any sign of a change, all is read again after live-resync', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'live-resync': 1 });
    const client = await open('/mine?order=id', bearer({ role: harbor.user, sub: 'ann' }), own);
    await client.first(1);
    await harbor.sql(`alter policy own on api.mine using (true)`);
    expect((await event(client, 1)).data).toEqual({ upsert: [{ id: 2, owner: 'cyd' }], delete: [] });
  });

  test('B76e who joins a group, or returns to it, is refused once the role may no longer read', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'live-interval': 60_000 });
    const reads = ['/item?kind=eq.a', '/item?select=id&order=id&limit=1'];
    for (const path of reads) {
      const headers = bearer({ role: harbor.user, sub: path });
      const first = await open(path, headers, own);
      const [rows] = await first.first(1);
      expect((await (await open(path, headers, own)).first(1))[0]).toEqual(rows);
      await harbor.sql(`revoke select on api.item from ${harbor.user}`);
      for (const more of [{}, { 'Last-Event-ID': rows?.id ?? '' }]) {
        const refused = await own.get(path, { headers: { ...headers, ...more, Accept: 'text/event-stream' } });
        const plain = await own.get(path, { headers });
        expect([refused.status, JSON.parse(refused.text)]).toEqual([403, JSON.parse(plain.text)]);
      }
      expect((await first.first(2))[1]).toMatchObject({ name: 'error' });
      await harbor.sql(`grant select on api.item to ${harbor.user}`);
    }
  });

  test('B76f the first rows are those of a policy that was altered a moment before', async () => {
    const headers = bearer({ role: harbor.user, sub: 'eve' });
    const first = await open('/mine?order=id', headers);
    await first.first(1);
    await harbor.sql(`alter policy own on api.mine using (id = 1)`);
    const rows = { name: 'rows', data: [{ id: 1, owner: 'ann' }] };
    expect(await event(await open('/mine?order=id', headers), 0)).toEqual(rows);
    expect((await event(first, first.events.length - 1)).name).toMatch(/rows|change/u);
    await harbor.sql(`alter policy own on api.mine using (false)`);
    expect(await event(await open('/mine?order=id', headers), 0)).toEqual({ name: 'rows', data: [] });
  });

  test('B76d the stream ends when the token expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 2;
    const client = await open('/berth', bearer({ role: harbor.user, exp }));
    expect(await client.ended()).toBe('complete');
    expect(client.events.map(({ name }) => name)).toEqual(['rows', 'expired']);
  });
});

describe('sources', () => {
  test('B77 TRUNCATE, also of a partition, and new partitions', async () => {
    const client = await open('/log?select=id,day&order=id');
    expect((await event(client, 0)).data).toEqual([]);
    await harbor.sql(`insert into api.log (day) values ('2026-01-05')`);
    expect(((await event(client, 1)).data as unknown[]).length).toBe(1);
    await harbor.sql(`truncate api.log_1`);
    expect((await event(client, 2)).data).toEqual([]);
    await harbor.sql(`create table api.log_2 partition of api.log for values from ('2026-02-01') to ('2026-03-01')`);
    await harbor.sql(`insert into api.log (day) values ('2026-02-05')`);
    expect(((await event(client, 3)).data as unknown[]).length).toBe(1);
  });

  test('B77b a changed table is read again', async () => {
    const client = await open('/visit');
    await client.first(1);
    await harbor.sql(`insert into api.visit values (1, 1)`);
    await client.first(2);
    await harbor.sql(`alter table api.visit add column note text default 'new'; update api.visit set note = 'x'`);
    await until(() => client.events.length > 2);
    expect(((await event(client, 2)).data as Change).upsert).toEqual([{ id: 1, berth_id: 1, note: 'x' }]);
    await harbor.sql('delete from api.visit');
  });

  test('B77l P13 rows that are read as a whole, or get another key, follow a reset after a new schema', async () => {
    const own = await start({ 'live-publication': PUBLICATION });
    const [whole, keyed] = [await open('/dear?order=id', {}, own), await open('/part', {}, own)];
    await Promise.all([whole.first(1), keyed.first(1)]);
    await harbor.sql(`create or replace view api.dear as select id, price, note from api.item where price > 10;
      alter table api.part drop constraint part_pkey, add primary key (number), alter item_id drop not null;
      insert into api.part values (8, 80, 'eight')`);
    await own.reload();
    expect((await whole.first(3)).slice(1).map(({ name, data }) => [name, data])).toEqual([
      ['reset', ''],
      ['rows', '[{"id":2,"price":20,"note":"two"}]'],
    ]);
    await until(() => keyed.events.some(({ name }) => name === 'reset'));
    await harbor.sql(`delete from api.part where number = 80;
      alter table api.part drop constraint part_pkey, add primary key (item_id, number)`);
  });

  test('B77c after a lost replication connection, missed changes are read', async () => {
    const client = await open('/berth?id=gt.200');
    await client.first(1);
    const slots = 'select count(*)::int from pg_replication_slots where active';
    expect((await harbor.query(slots))[0]?.[0]).toBeGreaterThan(0);
    await harbor.sql(`select pg_terminate_backend(active_pid) from pg_replication_slots;
      insert into api.berth values (201, 'Lost')`);
    expect((await event(client, 1)).data).toEqual({ upsert: [{ id: 201, name: 'Lost' }], delete: [] });
    await harbor.sql('delete from api.berth where id > 200');
    expect((await event(client, 2)).data).toEqual({ upsert: [], delete: [{ id: 201 }] });
  });

  test.each([
    ['/secret', 'api.secret is not published, or only in part'],
    ['/quick', 'api.quick is not published, or only in part'],
  ])('B77d %s cannot be watched', async (path, details) => {
    const refused = await server.get(path, { headers: { Accept: 'text/event-stream' } });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      400,
      expect.objectContaining({ code: 'SVC141', details }) as unknown,
    ]);
  });

  test('B77e without a publication, the media type is unknown and nothing is replicated', async () => {
    const slots = 'select count(*)::int from pg_replication_slots';
    const before = await harbor.query(slots);
    const off = await start();
    expect((await off.get('/berth', { headers: { Accept: 'text/event-stream' } })).status).toBe(415);
    const none = await start({ 'live-publication': PUBLICATION, extensions: 'events' });
    expect((await none.get('/berth', { headers: { Accept: 'text/event-stream' } })).status).toBe(415);
    expect(await harbor.query(slots)).toEqual(before);
  });

  test('B77g a missing publication is reported at the start, and reads cannot be watched', async () => {
    const missing = await start({ 'live-publication': 'nothing' });
    await until(() => missing.count(/the publication nothing of live-publication does not exist/u) > 0);
    const refused = await missing.get('/berth', { headers: { Accept: 'text/event-stream' } });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([400, expect.objectContaining({ code: 'SVC141' })]);
  });

  test('B77f when the server ends, its slot is gone', async () => {
    const own = await start({ 'live-publication': PUBLICATION });
    const client = await open('/berth', {}, own);
    await client.first(1);
    const count = async () => (await harbor.query('select count(*)::int from pg_replication_slots'))[0]?.[0] as number;
    const before = await count();
    await own.stop();
    expect(client.text).toMatch(/retry: \d+\n\n$/u);
    await until(async () => (await count()) < before);
  });
});

describe('limits', () => {
  test('B78 too many rows are an error, at the start and later', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'live-max-rows': 3 });
    const client = await open('/berth', {}, own);
    await client.first(1);
    await harbor.sql(`insert into api.berth values (301, 'Too many')`);
    expect(await event(client, 1)).toEqual({
      name: 'error',
      data: expect.objectContaining({ code: 'SVC140' }) as unknown,
    });
    expect(await client.ended()).toBe('complete');
    const refused = await own.get('/berth', { headers: { Accept: 'text/event-stream' } });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      400,
      expect.objectContaining({ code: 'SVC140', hint: expect.stringContaining('live-max-rows') as unknown }),
    ]);
    await harbor.sql('delete from api.berth where id > 300');
  });

  test('B78b beyond the limit of streams, a stream is refused', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'live-max-streams': 1 });
    const client = await open('/berth', {}, own);
    const refused = await open('/berth', {}, own);
    expect([client.status, refused.status, refused.headers['retry-after']]).toEqual([200, 503, '1']);
  });

  test('B78d open streams leave the limits of requests to others', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'server-max-requests': 2, 'db-pool': 1 });
    for (let count = 0; count < 5; count += 1) expect((await open('/berth', {}, own)).status).toBe(200);
    expect((await own.get('/berth')).status).toBe(200);
  });

  test('B78c a slow client misses events and gets all rows when it has caught up', async () => {
    const client = await open('/item?select=id,note&id=gt.500');
    await client.first(1);
    client.pause();
    const witness = await open('/item?select=id,note&id=gt.500');
    for (let round = 1; round <= 40; round += 1) {
      await harbor.sql(`insert into api.item (id, note) values (501, repeat('${round % 10}', 200000))
        on conflict (id) do update set note = excluded.note`);
      // Changes of a row that are read together are one event.
      await until(() => witness.events.at(-1)?.data.includes(`${round % 10}`.repeat(1000)) === true);
    }
    await harbor.sql(`update api.item set note = 'end' where id = 501`);
    await until(() => witness.events.at(-1)?.data.includes('"end"') === true);
    client.resume();
    await until(() => client.events.at(-1)?.data.includes('"end"') === true);
    const names = client.events.map(({ name }) => name);
    expect(names.slice(names.indexOf('reset'))).toEqual(['reset', 'rows']);
    await harbor.sql('delete from api.item where id > 500');
  });
});
