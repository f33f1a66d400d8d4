// Live rows under cuts, floods and large changes: whatever happens, clients end with what a GET returns.
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { isLong } from '../../support/long-form.ts';
import { openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { bearer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from './live-harbor.ts';
import { Watcher } from './watcher.ts';

const WRITES = isLong ? 1000 : 60;
const WIDE = isLong ? 1_000_000 : 50_000;

const harbor = await useLiveHarbor(
  ({ user }) => `
  create table api.note (id int primary key, room int, text text);
  insert into api.note select n, n % 300, 'x' from generate_series(1, 600) n;
  create index on api.note (room);
  create table api.wide (id int primary key, room int);
  grant select on api.note, api.wide to ${user};
  create publication ${PUBLICATION} for table api.note, api.wide;
`,
);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'live-interval': 20, 'db-aggregates-enabled': true });
const headers = bearer({ role: harbor.user });

async function watch(path: string): Promise<Watcher> {
  const watcher = await Watcher.open({
    port: server.port,
    path,
    headers,
    viewer: { role: harbor.user },
    findForeign: () => [],
  });
  return watcher;
}

/** The process of the database that sends its log; undefined while there is none. */
async function findSender(): Promise<unknown> {
  const rows = await harbor.query('select active_pid from pg_replication_slots').catch(() => []);
  return rows[0]?.[0] ?? undefined;
}

test('B75c a client that is cut off after every event misses nothing', { timeout: 300_000 }, async () => {
  let cuts = 0;
  const over = new AbortController();
  let watcher = await watch('/note?room=eq.7');
  await watcher.converges();
  const cutting = (async () => {
    while (!over.signal.aborted) {
      await until(() => watcher.waiting > 0 || over.signal.aborted, { seconds: 60 });
      watcher = await watcher.reopen();
      cuts += 1;
    }
  })();
  for (let count = 1; count <= WRITES; count += 1) {
    await harbor.sql(
      count % 3 === 0
        ? `delete from api.note where id = ${1000 + count - 1}`
        : `insert into api.note values (${1000 + count}, 7, '${count}')`,
    );
    if (count % 5 === 0) await until(() => cuts >= count / 5, { seconds: 60 });
  }
  over.abort();
  await cutting;
  await watcher.converges();
  expect(watcher.faults).toEqual([]);
  expect(cuts).toBeGreaterThan(WRITES / 6);
});

test('B77h after a crash of PostgreSQL, clients have what they missed', async () => {
  const watcher = await watch('/note?room=eq.8');
  const other = await watch('/note?select=count()');
  await watcher.converges();
  const backend = new Client(harbor.adminUri);
  backend.on('error', () => undefined);
  await backend.connect();
  const { rows } = await backend.query<{ pid: number }>('select pg_backend_pid() as pid');
  const sender = await findSender();
  // All other processes of the database then end too, and it recovers.
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await until(async () => ![sender, undefined].includes(await findSender()), { seconds: 60 });
  await harbor.sql(`insert into api.note values (5000, 8, 'after')`);
  await watcher.converges();
  await other.converges();
  expect([...watcher.faults, ...other.faults]).toEqual([]);
});

test('B78e clients that come at the same moment wait for their rows, and others are answered', async () => {
  const own = await start({
    'live-publication': PUBLICATION,
    'live-max-streams': 200,
    'server-max-requests': 20,
    'db-pool': 2,
  });
  const opening = Array.from({ length: 250 }, async (_, room) => {
    const client = await openEvents(own.port, `/note?room=eq.${room}`, { headers });
    return client;
  });
  const read = own.get('/note?id=eq.1', { headers });
  const opened = await Promise.all(opening);
  expect((await read).status).toBe(200);
  expect(opened.filter(({ status }) => status === 200).length).toBe(200);
  const refused = opened.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  await until(() => refused.every(({ text }) => text.includes('live-max-streams')));
  for (const client of opened.filter(({ status }) => status === 200)) await client.first(1);
});

test('B77i a transaction of very many rows is read as a whole', { timeout: 300_000 }, async () => {
  const [few, many] = [await watch('/wide?room=eq.1'), await watch('/wide?select=count()')];
  await few.converges();
  await harbor.sql(`insert into api.wide select n, n % ${WIDE / 10} from generate_series(1, ${WIDE}) n`);
  for (const watcher of [few, many]) await watcher.converges();
  await harbor.sql('update api.wide set room = room + 1');
  for (const watcher of [few, many]) await watcher.converges();
  await harbor.sql('delete from api.wide');
  for (const watcher of [few, many]) await watcher.converges();
  expect([...few.faults, ...many.faults]).toEqual([]);
});

test('B71g a row of several megabytes arrives whole', async () => {
  const watcher = await watch('/note?id=eq.3000');
  await watcher.converges();
  await harbor.sql(`insert into api.note values (3000, 9, repeat('long', 1000000))`);
  await watcher.converges();
  await harbor.sql(`update api.note set text = 'short' where id = 3000`);
  await watcher.converges();
  expect(watcher.faults).toEqual([]);
});
