// The server on a failing network: half-open connections, clients that disconnect, too few connections, and recovery.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, rowsOf } from '../../postgres/support/connect-test.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, type Options, post, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';

const READING_NAP = '/rpc/nap_reading?seconds=20';

const harbor = await useHarbor();
let proxy: TcpProxy;
let server: LocalServer;

beforeEach(async () => {
  const { hostname: host, port } = new URL(harbor.uri);
  proxy = await startTcpProxy({ host, port: Number(port) });
});

afterEach(async () => {
  proxy.clear();
  await server.stop();
  await proxy.close();
});

/** Starts the server behind the proxy, with timeouts of a few tenths of a second. */
async function start(options: Options = {}): Promise<void> {
  const address = Object.assign(new URL(harbor.uri), { hostname: '127.0.0.1', port: String(proxy.port) });
  const uri = `${address.href}?sslmode=disable&keepalives_idle=1&tcp_user_timeout=300`;
  server = await startLocalServer(harbor, {
    'db-uri': uri,
    'db-pool': 1,
    'db-channel-enabled': false,
    'server-max-wait': 0,
    ...options,
  });
}

async function countActive(pattern: string): Promise<number> {
  const running = `select 1 from pg_stat_activity where state = 'active' and query ~ '${pattern}' and usename = '${harbor.login}'`;
  return (await harbor.query(running)).length;
}

/** Returns the milliseconds until the server is ready. */
async function timeToReady(): Promise<number> {
  const start = performance.now();
  await until(async () => (await server.admin('/ready')).status === 200, { seconds: 20 });
  return performance.now() - start;
}

test('a request on a half-open connection gets 503, and the next one is answered', async () => {
  await start();
  expect((await server.get('/berth?limit=0')).status).toBe(200);
  proxy.set({ isStalled: true });
  const { status, text } = await server.get('/berth');
  expect([status, JSON.parse(text)]).toMatchObject([
    503,
    { code: 'SVC001', details: 'the database server is no longer reachable' },
  ]);
  proxy.clear();
  await until(async () => (await server.get('/berth?limit=0')).status === 200);
});

test('a read whose client leaves a half-open connection does not occupy the session', async () => {
  await start();
  expect((await server.get('/berth?limit=0')).status).toBe(200);
  const abort = new AbortController();
  const answer = server.get(READING_NAP, { signal: abort.signal }).catch(() => 'gone');
  await until(async () => (await countActive('nap_reading')) === 1);
  // Later connections work: only this one is broken.
  for (const connection of proxy.connections) connection.set({ isStalled: true });
  abort.abort();
  expect(await answer).toBe('gone');
  expect((await server.get('/berth?limit=0')).status).toBe(200);
});

test('O188 a half-open listener is detected and reconnects, and the schema cache is reloaded', async () => {
  await start({ 'db-channel-enabled': true });
  await server.reload();
  for (const connection of proxy.connections) connection.set({ isStalled: true });
  await harbor.sql(`
    create table api.mooring (id int);
    grant select on api.mooring to ${harbor.anon};
    notify svc, 'reload schema';
  `);
  await server.logged(/^Failed listening .* channel\. the database server no longer responds$/u);
  expect((await server.admin('/ready')).status).toBe(503);
  await server.logged(/^Listener connected to /u, 2);
  await until(async () => (await server.get('/mooring')).status === 200);
  await timeToReady();
  await harbor.sql('drop table api.mooring');
});

test('queued writes whose clients have disconnected are not run, the one already sent is', async () => {
  await harbor.sql(`grant insert on api.ledger to ${harbor.anon}`);
  await start({ 'log-level': 'info', 'db-pool-acquisition-timeout': 60 });
  const holder = await openSession(harbor.adminUri);
  await rowsOf(holder, 'begin');
  await rowsOf(holder, 'lock table api.ledger');
  const aborts = Array.from({ length: 101 }, () => new AbortController());
  const [sent, ...waiting] = aborts.map(
    ({ signal }, id) =>
      () =>
        server.get('/ledger', { ...post({ id }), signal }).catch(() => 'gone'),
  );
  const answers = [Promise.resolve(sent?.())];
  await until(async () => (await countActive('ledger')) === 1);
  answers.push(...waiting.map((send) => send()));
  await until(async () => (await server.metric('db_pool_waiting')) === 100);
  for (const abort of aborts) abort.abort();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['gone']));
  await until(async () => (await server.metric('db_pool_waiting')) === 0);
  await rowsOf(holder, 'commit');
  await until(() => server.out.filter((line) => line.includes('"POST /ledger HTTP/1.1" 499')).length === 101);
  expect(await rowsOf(holder, 'select id from api.ledger')).toEqual([['0']]);
  expect(server.err.join('\n')).not.toContain('57014');
  await rowsOf(holder, 'truncate api.ledger');
  await holder.close();
});

test('a database with fewer connections than db-pool serves every request, and the log says so', async () => {
  await harbor.sql(`alter role ${harbor.login} connection limit 3`);
  await start({ 'db-pool': 20 });
  const answers = await Promise.all(Array.from({ length: 60 }, () => server.get('/rpc/nap', post({ seconds: 0.01 }))));
  await harbor.sql(`alter role ${harbor.login} connection limit -1`);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const line =
    /^Failed to open another connection\. The pool continues with the existing ones\. \{"code":"SVC000".*too many connections for role/u;
  expect(server.count(line)).toBe(1);
});

test.each([true, false])(
  'O174 a database that comes back is detected at once, whatever the pause (listener: %s)',
  async (hasListener) => {
    await start({ 'db-channel-enabled': hasListener });
    proxy.refuse();
    proxy.cut();
    expect((await server.get('/berth?limit=0')).status).toBe(503);
    await server.logged(/^Attempting to reconnect to the database in 8 seconds\.\.\.$/u);
    if (hasListener) await server.logged(/^Retrying listening for database notifications in 8 seconds\.\.\.$/u);
    const { headers } = await server.get('/berth?limit=0');
    expect(Number(headers['retry-after'])).toBeGreaterThan(6);
    await proxy.accept();
    expect(await timeToReady()).toBeLessThan(6000);
    expect((await server.get('/berth?limit=0')).status).toBe(200);
    expect(server.count(/ in 16 seconds\.\.\.$/u)).toBe(0);
  },
);

test('O174 a successful request ends the pause, also if there is no connection left for the check', async () => {
  await start();
  await harbor.sql(`alter role ${harbor.login} connection limit 1`);
  proxy.refuse();
  proxy.cut();
  await server.get('/berth?limit=0');
  await server.logged(/^Attempting to reconnect to the database in 8 seconds\.\.\.$/u);
  await proxy.accept();
  await until(async () => (await server.get('/berth?limit=0')).status === 200);
  expect(await timeToReady()).toBeLessThan(6000);
  expect(server.count(/ in 16 seconds\.\.\.$/u)).toBe(0);
  await harbor.sql(`alter role ${harbor.login} connection limit -1`);
});

test('a database that answers with errors is not queried more often', async () => {
  await start();
  await harbor.sql(`alter role ${harbor.login} set statement_timeout = 1; alter schema api rename to quay`);
  await server.get('/berth');
  void server.server.service.reloadSchemaCache();
  await server.logged(/^Attempting to reconnect to the database in 1 seconds\.\.\.$/u);
  await server.logged(/^Attempting to reconnect to the database in 2 seconds\.\.\.$/u);
  const before = proxy.acceptedCount;
  await server.logged(/^Attempting to reconnect to the database in 4 seconds\.\.\.$/u);
  // Querying once a second would make at least three connections.
  expect(proxy.acceptedCount - before).toBeLessThanOrEqual(2);
  await harbor.sql(`alter role ${harbor.login} reset statement_timeout; alter schema quay rename to api`);
});
