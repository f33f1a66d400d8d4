// Clients that are slow, leave or come at a bad moment, and definitions that change under a watched read.
import { expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { bearer, type LocalServer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from './live-harbor.ts';
import { connect } from '../../support/database.ts';

const harbor = await useLiveHarbor(
  ({ anon, user }) => `
  create table api.item (id int primary key, code int not null unique, kind text);
  create table api.room (id int primary key, number int);
  create table api.bed (id int primary key);
  insert into api.bed values (1);
  create view api.slow as select id, pg_sleep(600)::text from api.bed;
  create table api.thing (id int primary key, class oid);
  create function api.method() returns setof text language sql stable as $$ select current_setting('request.method') $$;
  create table api.big (id int primary key, note text);
  grant select on all tables in schema api to ${anon}, ${user};
  create publication ${PUBLICATION} for table api.berth, api.item, api.room, api.big, api.bed, api.thing;
`,
);
const start = useServers(harbor);

function open(at: LocalServer, path: string, headers: Record<string, string> = {}): Promise<EventClient> {
  return openEvents(at.port, path, { headers });
}

test('B78h a slow client learns that the read has failed while it was behind', async () => {
  const own = await start({ 'live-publication': PUBLICATION });
  const headers = bearer({ role: harbor.user });
  const slow = await open(own, '/big', headers);
  await slow.first(1);
  slow.pause();
  const witness = await open(own, '/big', headers);
  for (let round = 1; round <= 40; round += 1)
    await harbor.sql(`insert into api.big values (1, repeat('${round % 10}', 200000))
      on conflict (id) do update set note = excluded.note`);
  await harbor.sql(`update api.big set note = 'end'`);
  await until(() => witness.events.at(-1)?.data.includes('"end"') === true);
  await harbor.sql(`revoke select on api.big from ${harbor.user}`);
  await own.reload();
  expect(await witness.ended()).toBe('complete');
  slow.resume();
  expect(await slow.ended()).toBe('complete');
  expect(slow.events.at(-1)).toEqual(witness.events.at(-1));
  expect(slow.events.at(-1)?.name).toBe('error');
  expect(await own.metric('live_streams')).toBe(0);
});

test('B78i clients that come again and again wait for one slot', async () => {
  const own = await start({ 'live-publication': PUBLICATION });
  const count = async (): Promise<unknown> =>
    (await harbor.query('select count(*)::int from pg_replication_slots'))[0]?.[0];
  await until(async () => (await count()) === 0);
  const writer = await connect(harbor.uri);
  await writer.query('begin; create temporary table held ()');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = await own.get('/berth', { headers: { Accept: 'text/event-stream' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(await count()).toBe(1);
  }
  const client = open(own, '/berth');
  await writer.query('rollback');
  expect((await client).status).toBe(200);
  expect(await count()).toBe(1);
  await writer.end();
});

test('B78g a client that leaves while it waits for its rows makes room for others', async () => {
  const own = await start({ 'live-publication': PUBLICATION, 'db-pool': 2, 'live-max-streams': 4 });
  await (await open(own, '/berth')).first(1);
  const left = new AbortController();
  const leaving = [1, 2, 3].map((limit) =>
    own.get(`/slow?limit=${limit}`, { headers: { Accept: 'text/event-stream' }, signal: left.signal }),
  );
  const sleeping = `select count(*)::int from pg_stat_activity where state = 'active' and query like '%"slow"%'
    and pid <> pg_backend_pid()`;
  const countSleeping = async (): Promise<unknown> => (await harbor.query(sleeping))[0]?.[0];
  await until(async () => (await countSleeping()) === 1);
  left.abort();
  expect((await Promise.allSettled(leaving)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  await until(async () => (await own.metric('live_groups')) === 1);
  await until(async () => (await countSleeping()) === 0);
  expect((await open(own, '/item')).status).toBe(200);
  expect(await own.metric('live_streams')).toBe(2);
});

test('B77k a replica identity and types that change under a watched read', async () => {
  const own = await start({ 'live-publication': PUBLICATION, 'live-resync': 3600 });
  await harbor.sql(`insert into api.item values (1, 11, 'a'), (2, 12, 'a'), (3, 13, 'a')`);
  const items = await open(own, '/item?kind=eq.a&order=id');
  await items.first(1);
  // The log has said nothing about the table before.
  await harbor.sql(`alter table api.item replica identity using index item_code_key`);
  await harbor.sql(`update api.item set id = 10 where id = 1`);
  await items.first(2);
  await harbor.sql(`update api.item set id = 20 where id = 2`);
  expect((await items.first(3))[2]).toMatchObject({
    name: 'rows',
    data: '[{"id":3,"code":13,"kind":"a"}, \n {"id":10,"code":11,"kind":"a"}, \n {"id":20,"code":12,"kind":"a"}]',
  });
  await harbor.sql(`alter table api.item replica identity default`);
  const rooms = await open(own, '/room?number=eq.7');
  await rooms.first(1);
  await harbor.sql(`insert into api.room values (1, 7)`);
  await rooms.first(2);
  await harbor.sql(`alter table api.room alter column number type numeric(10, 2)`);
  await harbor.sql(`update api.room set number = 8`);
  await rooms.first(3);
  await harbor.sql(`insert into api.room values (2, 7)`);
  expect((await rooms.first(4))[3]?.data).toBe('{"upsert": [{"id":2,"number":7.00}], "delete": []}');
});

test('B78j clients that come and go leave no more groups behind than there may be streams', async () => {
  const own = await start({ 'live-publication': PUBLICATION, 'live-max-streams': 2 });
  for (const id of [1, 2, 3, 4]) {
    const client = await open(own, `/berth?id=eq.${id}`);
    await client.first(1);
    client.close();
    await until(async () => (await own.metric('live_streams')) === 0);
  }
  expect(await own.metric('live_groups')).toBe(2);
});

test('B72h a value that PostgreSQL prints otherwise', async () => {
  const own = await start({ 'live-publication': PUBLICATION });
  const things = await open(own, '/thing?class=eq.-1');
  await things.first(1);
  await harbor.sql(`insert into api.thing values (1, 4294967295)`);
  expect((await things.first(2))[1]?.data).toContain('"id":1');
});

test('B74b requests whose methods differ share nothing, since policies can read them', async () => {
  const own = await start({ 'live-publication': PUBLICATION });
  const read = await open(own, '/rpc/method');
  const query = await openEvents(own.port, '/rpc/method', {
    method: 'QUERY',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect([(await read.first(1))[0]?.data, (await query.first(1))[0]?.data]).toEqual(['["GET"]', '["QUERY"]']);
});
