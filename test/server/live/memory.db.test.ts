// What live rows hold is bounded in bytes, whatever their length, and live reads respect the cost budget.
import { expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { isLong } from '../../support/long-form.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { until } from '../../support/until.ts';
import { bearer, type LocalServer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from './live-harbor.ts';

/** The heap of the process, and rows that would fill it if each group kept them. */
const [HEAP_MB, ROWS] = isLong ? [512, 1000] : [64, 120];
const WIDE = 20_000;
const STREAMS = 22;

const harbor = await useLiveHarbor(
  ({ anon, user }) => `
  create table api.page (id int primary key, note text);
  insert into api.page select n, repeat(chr(97 + n % 26), ${WIDE}) from generate_series(1, ${ROWS}) n;
  create table api.item (id int primary key, kind text, note text);
  insert into api.item select n, 'a', 'x' from generate_series(1, 1000) n;
  analyze api.item;
  grant select on all tables in schema api to ${anon}, ${user};
  create publication ${PUBLICATION} for table api.page, api.item, api.berth;
`,
);
const start = useServers(harbor);

function open(at: Pick<LocalServer, 'port'>, path: string, headers: Record<string, string> = {}) {
  return openEvents(at.port, path, { headers });
}

test('B78m long rows on many streams fit into a small heap, and arrive exactly', { timeout: 300_000 }, async () => {
  const options = { 'db-uri': harbor.uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon, 'server-workers': 1 };
  const server = await startServerProcess(
    { ...options, 'live-publication': PUBLICATION, 'live-max-rows': 1000 },
    { nodeArguments: [`--max-old-space-size=${HEAP_MB}`] },
  );
  const watching: EventClient[] = [];
  try {
    const paths = Array.from({ length: STREAMS }, (_, index) => `/page?id=gt.-${index}&order=id`);
    const expected = await (await fetch(`http://127.0.0.1:${server.port}${paths[0]}`)).text();
    expect(expected.length).toBeGreaterThan(ROWS * WIDE);
    const receive = async (path: string): Promise<EventClient> => {
      const client = await open(server, path);
      expect([client.status, (await client.first(1))[0]?.data === expected]).toEqual([200, true]);
      client.text = '';
      return client;
    };
    // Groups stay for clients that return.
    for (const path of paths) (await receive(path)).close();
    for (const path of paths) watching.push(await receive(path));
    await harbor.sql(`update api.page set note = 'short' where id = 7`);
    for (const client of watching) {
      const [, change] = await client.first(2);
      expect(change).toMatchObject({ name: 'change', data: '{"upsert": [{"id":7,"note":"short"}], "delete": []}' });
    }
  } finally {
    for (const client of watching) client.close();
    expect(await server.stop()).toBe(0);
  }
});

test('B78n a group that does not fit is refused, unless one without streams can be given up', async () => {
  const own = await start({ 'live-publication': PUBLICATION, 'live-max-bytes': 30_000 });
  const [first, second] = [await open(own, '/berth?id=eq.1'), await open(own, '/berth?id=eq.2')];
  await Promise.all([first.first(1), second.first(1)]);
  const refused = await own.get('/berth?id=eq.3', { headers: { Accept: 'text/event-stream' } });
  expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text)]).toEqual([
    503,
    '1',
    expect.objectContaining({ code: 'SVC005', hint: expect.stringContaining('live-max-bytes') as unknown }),
  ]);
  first.close();
  await until(async () => (await own.metric('live_streams')) === 1);
  const third = await open(own, '/berth?id=eq.3');
  expect((await third.first(1))[0]?.name).toBe('rows');
  expect(await own.metric('live_groups')).toBe(2);
  expect(second.end).toBeUndefined();
  expect(await own.metric('live_bytes')).toBeLessThan(30_000);
});

test('B78o a result that outgrows the memory ends its group, and no other', async () => {
  const own = await start({ 'live-publication': PUBLICATION, 'live-max-bytes': 1_000_000 });
  const tooLong = { code: 'SVC140', hint: expect.stringContaining('live-max-bytes') as unknown };
  for (const path of ['/item?id=lte.3&order=id', '/item?order=id&limit=3']) {
    const [client, other] = [await open(own, path), await open(own, '/item?id=eq.9')];
    await Promise.all([client.first(1), other.first(1)]);
    await harbor.sql(`update api.item set note = repeat('x', 600000) where id = 2`);
    const last = (await client.first(2))[1];
    expect([last?.name, JSON.parse(last?.data ?? '')]).toEqual(['error', expect.objectContaining(tooLong)]);
    expect(await client.ended()).toBe('complete');
    const refused = await own.get(path, { headers: { Accept: 'text/event-stream' } });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([400, expect.objectContaining(tooLong)]);
    await harbor.sql(`update api.item set note = 'x' where id = 2`);
    const again = await open(own, path);
    expect((await again.first(1))[0]?.name).toBe('rows');
    await harbor.sql(`update api.item set note = note || 'y' where id = 9`);
    expect((await other.first(2))[1]?.name).toBe('change');
    [client, other, again].forEach((each) => each.close());
  }
});

test('B78p slow clients hold no more than the memory, and get all rows when they read', async () => {
  const own = await start({ 'live-publication': PUBLICATION, 'live-max-bytes': 20_000_000 });
  const client = await open(own, '/page?id=lte.100&order=id');
  client.pause();
  const witness = await open(own, '/page?id=lte.100&order=id');
  await witness.first(1);
  for (let round = 1; round <= 30; round += 1) {
    await harbor.sql(`update api.page set note = repeat('${round % 10}', 100000) where id between 1 and 10`);
    await witness.first(1 + round);
    expect(await own.metric('live_bytes')).toBeLessThanOrEqual(20_000_000);
  }
  client.resume();
  await until(() => client.events.at(-1)?.data.includes('00000') === true);
  const rows = await own.get('/page?id=lte.100&order=id');
  await until(() => client.events.at(-1)?.name === 'rows');
  expect(client.events.at(-1)?.data).toBe(rows.text);
});

test('B6e live rows work with a cost budget, and none of their reads exceeds it', async () => {
  const own = await start({ 'live-publication': PUBLICATION, 'db-max-cost': 100_000, 'db-config': true });
  const headers = bearer({ role: harbor.user });
  const keyed = await open(own, '/item?kind=eq.a&id=lte.20&order=id', headers);
  const whole = await open(own, '/item?select=id,note&order=id&limit=1', headers);
  await Promise.all([keyed.first(1), whole.first(1)]);
  await harbor.sql(`update api.item set note = 'cost' where id = 1`);
  expect((await keyed.first(2))[1]).toMatchObject({
    name: 'change',
    data: '{"upsert": [{"id":1,"kind":"a","note":"cost"}], "delete": []}',
  });
  expect((await whole.first(2))[1]).toMatchObject({ name: 'rows', data: '[{"id":1,"note":"cost"}]' });
  await harbor.sql(`alter role ${harbor.user} set svc.max_cost = '0.01'`);
  await own.server.service.reloadConfig();
  for (const client of [keyed, whole]) {
    const last = (await client.first(3))[2];
    expect([last?.name, JSON.parse(last?.data ?? '')]).toEqual(['error', expect.objectContaining({ code: 'SVC130' })]);
    expect(await client.ended()).toBe('complete');
  }
  const refused = await own.get('/item?kind=eq.a', { headers: { ...headers, Accept: 'text/event-stream' } });
  expect([refused.status, JSON.parse(refused.text)]).toEqual([400, expect.objectContaining({ code: 'SVC130' })]);
  await harbor.sql(`alter role ${harbor.user} reset svc.max_cost; update api.item set note = 'x'`);
});
