// Reloads of the schema cache and the configuration in a running server, and what requests see meanwhile.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { WORKERS } from '../../support/workers.ts';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, type LocalServer, type Options, post, SECRET, useServers } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { useFolder } from '../../support/use.ts';

const LOADED = /^Schema cache loaded in /u;
/** One pool per worker, plus that of the main process. */
const POOLS = WORKERS === 1 ? 1 : WORKERS + 1;
const OTHER_SECRET = 'another-secret-of-at-least-thirty-two-bytes';

const harbor = await useHarbor();
const start = useServers(harbor);

afterEach(async () => {
  await harbor.sql(
    `alter role ${harbor.login} reset all; alter role ${harbor.login} in database ${harbor.database} reset all`,
  );
});

async function isRefused(server: LocalServer): Promise<boolean> {
  if (server.server.apiAddress === undefined) return true;
  return server.get('/berth').then(
    () => false,
    () => true,
  );
}

test('O205 O206 startup lines are logged in order', async () => {
  const { err } = await start({ 'db-config': true, 'db-pool': 4 });
  const order = [
    /^Starting rowhouse \d+\.\d+\.\.\.$/u,
    /^Admin server listening on 127\.0\.0\.1:\d+$/u,
    /^Successfully connected to PostgreSQL \d+/u,
    /^Connection Pool initialized with a maximum size of 4 connections$/u,
    /^Config reloaded$/u,
    /^Schema cache queried in \d+\.\d milliseconds$/u,
    /^Schema cache loaded 3 Relations, 2 Relationships, 9 RPCs, 0 Domain Representations, 4 Media Type Handlers$/u,
    /^Schema cache loaded in \d+\.\d milliseconds$/u,
    /^API server listening on 127\.0\.0\.1:\d+$/u,
  ];
  const ordered = err.filter((line) => !/^(?:Listener|Requests are answered by \d+ workers)/u.test(line));
  expect(ordered).toEqual(order.map((line) => expect.stringMatching(line)));
});

test('O184 O205 the listener logs its connection, and its LISTEN is visible', async () => {
  const { err } = await start();
  expect(err).toContainEqual(
    expect.stringMatching(
      /^Listener connected to PostgreSQL \d+.* on "127\.0\.0\.1:\d+" and listening for database notifications on the "svc" channel$/u,
    ),
  );
  expect(
    await harbor.query(
      `select query from pg_stat_activity where usename = '${harbor.login}' and query ilike 'listen%'`,
    ),
  ).toEqual([['LISTEN "svc"']]);
});

test('O161 O190 the API port is closed during the first load', async () => {
  const server = await start({ 'internal-schema-cache-query-sleep': 400 }, { isAwaited: false });
  await server.logged(/^Admin server listening/u);
  expect(await isRefused(server)).toBe(true);
  expect([(await server.admin('/live')).status, (await server.admin('/ready')).status]).toEqual([500, 503]);
  expect((await server.admin('/schema_cache')).text).toBe('');
  await server.logged(/^API server listening/u);
  await until(async () => (await server.admin('/ready')).status === 200);
  expect((await server.get('/berth?limit=0')).status).toBe(200);
});

test('O162 O173 O207 after a failed first load the port is open and answers 503', async () => {
  const server = await start({ 'db-schemas': 'api,nowhere', 'db-extra-search-path': 'public, shed' });
  expect(server.err).toContainEqual(
    expect.stringContaining(
      'Failed to load the schema cache using db-schemas=api,nowhere and db-extra-search-path=public,shed. {"code":"3F000"',
    ),
  );
  const { status, text, headers } = await server.get('/berth');
  expect([status, JSON.parse(text)]).toEqual([
    503,
    {
      code: 'SVC002',
      details: null,
      hint: null,
      message: 'Could not query the database for the schema cache. Retrying.',
    },
  ]);
  // Workers open the port a little later, and further attempts may already have failed.
  expect(headers['retry-after']).toMatch(WORKERS === 1 ? /^1$/u : /^[1-8]$/u);
  await until(() => server.err.includes(text));
  expect((await server.get('/berth', { headers: { Authorization: 'Bearer a.b' } })).status).toBe(401);
  await server.logged(/^Attempting to reconnect to the database in 2 seconds\.\.\.$/u);
  expect(server.count(/^Attempting to reconnect to the database in 1 seconds/u)).toBe(1);
});

test('O163 a failed reload keeps the cache, shows in /ready and in metrics, and ends once the cause is gone', async () => {
  await harbor.sql('create schema blank');
  const server = await start({ 'db-schemas': 'api,blank' });
  expect(await server.metric('schema_cache_loads_total{status="SUCCESS"}')).toBe(1);
  await harbor.sql('alter schema blank rename to blank_away');
  void server.server.service.reloadSchemaCache();
  await server.logged(/^Failed to load the schema cache/u);
  expect((await server.admin('/ready')).status).toBe(503);
  expect((await server.get('/berth?limit=0')).status).toBe(200);
  // Every attempt fails once and logs the pause after it.
  await until(async () => {
    const failed = await server.metric('schema_cache_loads_total{status="FAIL"}');
    return failed !== undefined && failed > 0 && failed === server.count(/^Attempting to reconnect/u);
  });
  await harbor.sql('alter schema blank_away rename to blank');
  await until(async () => (await server.admin('/ready')).status === 200);
  expect(await server.metric('schema_cache_loads_total{status="SUCCESS"}')).toBe(2);
  await harbor.sql('drop schema blank');
});

test('O181 O186 notifications with and without a payload reload the schema cache, unknown ones do nothing', async () => {
  const server = await start();
  await harbor.sql(`create table api.fresh (id int); grant select on api.fresh to ${harbor.anon}`);
  expect((await server.get('/fresh')).status).toBe(404);
  const before = [...server.err];
  await harbor.sql(`notify svc, 'reload'; notify svc, 'Reload schema'; notify svc, 'reload schema '`);
  await setTimeout(200);
  expect(server.err).toEqual(before);
  await harbor.sql(`notify svc, 'reload schema'`);
  await until(async () => (await server.get('/fresh')).status === 200);
  await harbor.sql('drop table api.fresh');
  expect(await server.json('/fresh')).toMatchObject({ code: '42P01' });
  await harbor.sql('notify svc');
  await until(async () => (await server.get('/fresh')).text.includes('SVC205'));
  expect(server.count(/^Received a schema cache reload message on the "svc" channel$/u)).toBe(2);
});

test('O159 O160 a burst of reload requests causes two loads and loses none', async () => {
  const server = await start({ 'internal-schema-cache-query-sleep': 300 });
  await setTimeout(150);
  await harbor.sql(`notify svc, 'reload schema'`);
  await server.logged(/^Received a schema cache/u);
  await setTimeout(50);
  await harbor.sql(`create table api.late (id int); grant select on api.late to ${harbor.anon}`);
  for (let count = 0; count < 10; count += 1) void server.server.service.reloadSchemaCache();
  await server.logged(LOADED, 3);
  expect((await server.get('/late')).status).toBe(200);
  await setTimeout(600);
  expect(server.count(LOADED)).toBe(3);
  await harbor.sql('drop table api.late');
});

test('O172 a reload flushes the pool once and interrupts no request', async () => {
  const server = await start({ 'log-level': 'debug' });
  const hold = await harbor.hold();
  const waiting = server.get('/rpc/wait', post({}));
  await hold.waiting(1);
  await server.reload();
  expect(server.count(/^Database connection pool flushed$/u)).toBe(2 * POOLS);
  await hold.release();
  expect((await waiting).status).toBe(200);
});

test('O117 application settings survive a flush', async () => {
  const server = await start({ 'app.settings.tide': '42', 'db-pool': 1 });
  await server.reload();
  expect((await server.get('/rpc/setting?name=app.settings.tide')).text).toBe('"42"');
});

test('O46 O109 a reload reads the file again: options, settings, secret', async () => {
  const server = await start(
    { 'jwt-secret': null, 'jwt-cache-max-entries': 5 },
    { file: `db-max-rows = 1\njwt-secret = "${SECRET}"\n` },
  );
  const user = { headers: bearer({ role: harbor.user }) };
  expect((await server.get('/berth?select=id')).text).toBe('[{"id":1}]');
  expect((await server.get('/rpc/who', user)).text).toBe(`"${harbor.user}"`);
  await server.reconfigure(`db-max-rows = 2\napp.settings.tide = "high"\njwt-secret = "${OTHER_SECRET}"\n`);
  expect(server.err.at(-1)).toBe('Config reloaded');
  expect(await server.json('/berth?select=id')).toEqual([{ id: 1 }, { id: 2 }]);
  expect((await server.get('/rpc/setting?name=app.settings.tide')).text).toBe('"high"');
  expect((await server.get('/rpc/who', user)).status).toBe(401);
});

test('O27 the secret file is read with the configuration, not with the schema cache alone', async () => {
  const folder = useFolder();
  const file = path.join(folder, 'secret');
  await writeFile(file, SECRET);
  const server = await start({ 'jwt-secret': `@${file}` });
  const statuses = async (): Promise<readonly number[]> => {
    const tokens = [SECRET, OTHER_SECRET].map((secret) => bearer({ role: harbor.user }, secret));
    return (await Promise.all(tokens.map((headers) => server.get('/rpc/who', { headers })))).map((each) => each.status);
  };
  await writeFile(file, OTHER_SECRET);
  await server.reload();
  expect(await statuses()).toEqual([200, 401]);
  await server.server.service.reloadConfig();
  expect(await statuses()).toEqual([401, 200]);
});

test.each<[Options, readonly number[]]>([
  [{}, [0, 0]],
  [{ 'jwt-cache-max-entries': 0 }, [0, 0]],
  [{ 'jwt-cache-max-entries': 5 }, [2, 1]],
  [{ 'jwt-cache-max-lifetime': 0 }, [0, 0]],
  [{ 'jwt-cache-max-lifetime': 60 }, [2, 1]],
])('O104 two requests with one token under %j: lookups and hits are %j', async (options, [lookups = 0, hits = 0]) => {
  const server = await start(options);
  const user = { headers: bearer({ role: harbor.user }) };
  for (let request = 0; request < 2 * WORKERS; request += 1) await server.get('/rpc/who', user);
  await server.get('/rpc/who');
  // Each worker has its own cache.
  expect(await server.metric('jwt_cache_requests_total')).toBe(lookups * WORKERS);
  expect(await server.metric('jwt_cache_hits_total')).toBe(hits * WORKERS);
});

test('O164 a dropped table is reported by the database before the reload, by the server after it', async () => {
  await harbor.sql(`create table api.raft (id int); grant select on api.raft to ${harbor.anon}`);
  const server = await start();
  expect((await server.get('/raft')).text).toBe('[]');
  await harbor.sql('drop table api.raft');
  const before = await server.get('/raft');
  expect([before.status, JSON.parse(before.text)]).toMatchObject([404, { code: '42P01' }]);
  await server.reload();
  const after = await server.get('/raft');
  expect([after.status, JSON.parse(after.text)]).toMatchObject([404, { code: 'SVC205' }]);
});

test('O165 a column with a new type is read and filtered as such after the reload', async () => {
  await harbor.sql(
    `create table api.shape (id int, v int); insert into api.shape values (1, 5); grant select on api.shape to ${harbor.anon}`,
  );
  const server = await start({ 'db-pool': 1 });
  for (let count = 0; count < 3; count += 1) {
    expect(await server.json('/shape?v=eq.5')).toEqual([{ id: 1, v: 5 }]);
  }
  await harbor.sql('alter table api.shape alter v type text');
  await server.reload();
  expect(await server.json('/shape?v=eq.5')).toEqual([{ id: 1, v: '5' }]);
  expect(await server.json('/shape?v=like.*5*')).toEqual([{ id: 1, v: '5' }]);
  await harbor.sql('drop table api.shape');
});

test('O38 an invalid value keeps the running configuration', async () => {
  const server = await start({}, { file: 'db-max-rows = 1\n' });
  await server.reconfigure('db-max-rows = 2\nlog-level = "loud"\n');
  expect(server.err.at(-1)).toBe(
    'Failed reloading config: Error in config Invalid logging level. Check your configuration. ' +
      'Allowed for log-level, not "loud": crit, error, warn, info, debug.',
  );
  await server.reconfigure('db-max-rows = "unfinished\n');
  expect(server.err.at(-1)).toMatch(/^Failed reloading config: /u);
  expect((await server.get('/berth?select=id')).text).toBe('[{"id":1}]');
  await server.reconfigure('db-max-rows = 2\n');
  expect(await server.json('/berth?select=id')).toEqual([{ id: 1 }, { id: 2 }]);
});

test('O26 O48 options that are fixed at startup do not change', async () => {
  const server = await start({ 'db-uri': null }, { file: `db-pool = ${WORKERS}\ndb-uri = "${harbor.uri}"\n` });
  await server.reconfigure('db-pool = 9\nserver-timing-enabled = true\ndb-uri = "postgresql://127.0.0.1:1/none"\n');
  await server.reload();
  expect((await server.get('/berth')).headers).toHaveProperty('server-timing');
  expect(await server.metric('db_pool_max')).toBe(WORKERS);
});

test('O49 the log level follows a reload', async () => {
  const server = await start({}, { file: 'log-level = "crit"\n' });
  await server.get('/gone');
  await server.reconfigure('log-level = "info"\n');
  await server.get('/gone');
  await until(() => server.out.length > 0);
  expect(server.out).toHaveLength(1);
});

test('O103 the deprecated path syntax is logged as a warning at startup and on reload', async () => {
  const server = await start({ 'jwt-role-claim-key': '.duty' });
  const warnings = [
    'WARNING: The config `jwt-role-claim-key=."duty"` is using the deprecated JSPath syntax.',
    'Update `jwt-role-claim-key=."duty"` to the new JSONPath syntax as support for JSPath will be removed in a future release. Write `$.duty`, in a configuration file `$$.duty`.',
  ];
  expect(server.err.filter((line) => line.includes('JSPath'))).toEqual(warnings);
  await server.server.service.reloadConfig();
  expect(server.err.filter((line) => line.includes('JSPath'))).toEqual([...warnings, ...warnings]);
});

test('O1 O39 O45 O47 settings of the login role apply with db-config, and a notification reloads them', async () => {
  await harbor.sql(`alter role ${harbor.login} set svc.db_max_rows = '1'`);
  const [served, without] = [await start({ 'db-config': true, 'db-max-rows': 3 }), await start()];
  expect((await served.get('/berth?select=id')).text).toBe('[{"id":1}]');
  expect(await without.json('/berth?select=id')).toHaveLength(3);
  await harbor.sql(
    `alter role ${harbor.login} in database ${harbor.database} set svc.db_max_rows = '2'; notify svc, 'reload config'`,
  );
  await until(async () => (await served.get('/berth?select=id')).text.includes('2'));
  expect(served.err).toContain('Received a config reload message on the "svc" channel');
});

test('O41 the pre-config function sets the schemas', async () => {
  await harbor.sql(
    `create function public.pre() returns void language sql as $$ select set_config('svc.db_schemas', 'archive, api', true) $$`,
  );
  const server = await start({ 'db-config': true, 'db-pre-config': 'public.pre' });
  expect((await server.get('/old_visit')).status).toBe(200);
  await harbor.sql('drop function public.pre');
});

test('O39 O41 a pre-config function named in the database takes effect with the next read', async () => {
  await harbor.sql(
    `create function public.late() returns void language sql as $$ select set_config('svc.db_max_rows', '1', true) $$`,
  );
  const server = await start({ 'db-config': true, 'db-max-rows': 3, 'db-channel-enabled': false });
  await harbor.sql(`alter role ${harbor.login} in database ${harbor.database} set svc.db_pre_config = 'public.late'`);
  const seen: unknown[] = [];
  for (let read = 0; read < 4; read++) {
    if (read === 3)
      await harbor.sql(`alter role ${harbor.login} in database ${harbor.database} set svc.db_max_rows = '2'`);
    await server.server.service.reloadConfig();
    seen.push(await server.json('/berth?select=id'));
  }
  const [one, two] = [[{ id: 1 }], [{ id: 1 }, { id: 2 }]];
  expect(seen).toEqual([[...two, { id: 3 }], one, one, two]);
  await harbor.sql(`alter role ${harbor.login} in database ${harbor.database} reset all`);
  await harbor.sql('drop function public.late');
});

test('O43 a missing pre-config function is logged, and the server starts', async () => {
  const server = await start({ 'db-config': true, 'db-pre-config': 'tune' });
  expect(server.err).toContainEqual(
    expect.stringMatching(
      /^Failed to query database settings for the config parameters\.\{"code":"42883".*function tune\(\) does not exist/u,
    ),
  );
  expect((await server.get('/berth?limit=0')).status).toBe(200);
});

test('O43 if the pre-config function fails, settings of the login role are ignored as well', async () => {
  await harbor.sql(`alter role ${harbor.login} set svc.db_max_rows = '1'`);
  const server = await start({ 'db-config': true, 'db-pre-config': 'public.rare', 'db-max-rows': 2 });
  expect(server.count(/^Failed to query database settings for the config parameters\./u)).toBe(1);
  expect(await server.json('/berth?select=id')).toEqual([{ id: 1 }, { id: 2 }]);
  await harbor.sql(`create function public.rare() returns void language sql as ''`);
  await server.server.service.reloadConfig();
  expect(await server.json('/berth?select=id')).toEqual([{ id: 1 }]);
  await harbor.sql('drop function public.rare');
});

test('a connection lost while the settings are read keeps the previous settings', async () => {
  const takeSeconds = (seconds: number) =>
    harbor.sql(
      `create or replace function public.slow() returns void language sql as $$
         select set_config('svc.db_max_rows', '1', true), pg_sleep(${seconds}) $$`,
    );
  await takeSeconds(0);
  const server = await start({ 'db-config': true, 'db-pre-config': 'public.slow', 'db-channel-enabled': false });
  expect((await server.get('/berth?select=id')).text).toBe('[{"id":1}]');
  await takeSeconds(100);
  const reload = server.server.service.reloadConfig();
  await until(
    async () =>
      (
        await harbor.query(
          `select 1 from pg_stat_activity where query ~ 'slow' and state = 'active' and usename = '${harbor.login}'`,
        )
      ).length > 0,
  );
  await takeSeconds(0);
  await harbor.terminate(`query ~ 'slow' and state = 'active'`);
  await reload;
  expect(server.err).toContainEqual(expect.stringMatching(/^Failed to query database settings/u));
  await until(async () => (await server.get('/berth?select=id')).status === 200);
  expect((await server.get('/berth?select=id')).text).toBe('[{"id":1}]');
  await harbor.sql('drop function public.slow');
});

test('O118 settings of impersonated roles follow a config reload', async () => {
  await harbor.sql(`alter role ${harbor.user} set work_mem = '7MB'`);
  const server = await start({ 'db-config': true });
  const user = { headers: bearer({ role: harbor.user }) };
  expect((await server.get('/rpc/setting?name=work_mem', user)).text).toBe('"7MB"');
  await harbor.sql(`alter role ${harbor.user} set work_mem = '6MB'; notify svc, 'reload config'`);
  await until(async () => (await server.get('/rpc/setting?name=work_mem', user)).text === '"6MB"');
});

test('O46 O118 turning db-config off and on by reloads applies the current settings of the database at once', async () => {
  await harbor.sql(`alter role ${harbor.user} set work_mem = '7MB'`);
  await harbor.sql(`alter role ${harbor.login} in database ${harbor.database} set svc.db_max_rows = '2'`);
  const server = await start({ 'db-config': null, 'db-channel-enabled': false }, { file: 'db-config = true\n' });
  const user = { headers: bearer({ role: harbor.user }) };
  const seen = async (): Promise<readonly unknown[]> => [
    (await server.get('/rpc/setting?name=work_mem', user)).text,
    await server.json('/berth?select=id'),
  ];
  expect(await seen()).toEqual(['"7MB"', [{ id: 1 }, { id: 2 }]]);
  await server.reconfigure('db-config = false\n');
  expect((await seen())[0]).toBe('"4MB"');
  await harbor.sql(`alter role ${harbor.user} set work_mem = '6MB'`);
  await server.reconfigure('db-config = true\n');
  expect(await seen()).toEqual(['"6MB"', [{ id: 1 }, { id: 2 }]]);
  await harbor.sql(`alter role ${harbor.login} in database ${harbor.database} reset svc.db_max_rows`);
});

test('O189 the listener follows db-channel-enabled and db-channel', async () => {
  const server = await start({}, { file: '' });
  const channels = (): Promise<readonly (readonly unknown[])[]> =>
    harbor.query(`select query from pg_stat_activity where usename = '${harbor.login}' and query ilike 'listen%'`);
  await server.reconfigure('db-channel-enabled = false\n');
  await until(async () => (await channels()).length === 0);
  await server.reconfigure('db-channel = "quay"\n');
  await until(async () => (await channels()).flat()[0] === 'LISTEN "quay"');
  await harbor.sql('create table api.fresh (id int)');
  await harbor.sql(`notify quay, 'reload schema'`);
  await server.logged(/^Received a schema cache reload message on the "quay" channel$/u);
  await harbor.sql('drop table api.fresh');
});

test('O188 a lost listener reconnects and picks up the changes in between', async () => {
  const server = await start();
  await harbor.sql(`create table api.fresh (id int); grant select on api.fresh to ${harbor.anon}`);
  await harbor.terminate(`query ilike 'listen%'`);
  await server.logged(/^Failed listening for database notifications on the "svc" channel\. terminating connection/u);
  await server.logged(/^Retrying listening for database notifications in 1 seconds\.\.\.$/u);
  expect((await server.admin('/ready')).status).toBe(503);
  await server.logged(/^Listener connected to /u, 2);
  await until(async () => (await server.get('/fresh')).status === 200);
  await harbor.sql('drop table api.fresh');
});

test('O188 after a lost listener, the schema cache is loaded once', async () => {
  const server = await start();
  const loaded = /^Schema cache loaded \d/u;
  await harbor.terminate(`query ilike 'listen%'`);
  await server.logged(/^Listener connected to /u, 2);
  await server.logged(loaded, 2);
  // A second load would be done before this one.
  await harbor.sql(`create table api.later (id int); grant select on api.later to ${harbor.anon}`);
  await harbor.sql(`notify svc, 'reload schema'`);
  await until(async () => (await server.get('/later')).status === 200);
  expect(server.count(loaded)).toBe(3);
  await harbor.sql('drop table api.later');
});

test('O178 a lost listener stops the service if recovery is off', async () => {
  const server = await start({ 'db-pool-automatic-recovery': false });
  await harbor.terminate(`query ilike 'listen%'`);
  await until(() => server.fatal !== undefined);
  expect(server.err).toContainEqual(expect.stringMatching(/^Failed listening for database notifications/u));
  expect(server.count(/^Retrying/u)).toBe(0);
});

test('O177 an unknown database is retried', async () => {
  const server = await start({ 'db-uri': harbor.uri.replace(/[^/]+$/u, 'nowhere') }, { isAwaited: false });
  await server.logged(
    /^Failed to query the PostgreSQL version\. \{"code":"SVC000".*database \\"nowhere\\" does not exist/u,
  );
  await server.logged(/^Attempting to reconnect to the database in 1 seconds\.\.\.$/u);
  expect(server.fatal).toBeUndefined();
  expect((await server.admin('/ready')).status).toBe(503);
});

test.each([false, true])(
  'O177 an unknown database stops the service if recovery is off; listener: %s',
  async (listens) => {
    const server = await start({
      'db-uri': harbor.uri.replace(/[^/]+$/u, 'nowhere'),
      'db-pool-automatic-recovery': false,
      'db-channel-enabled': listens,
    });
    expect(server.fatal).toBe('Automatic recovery disabled, exiting.');
    expect(server.err.at(-1)).toBe('Automatic recovery disabled, exiting.');
    expect(server.count(/^Failed to query the PostgreSQL version\. \{"code":"SVC000"/u)).toBe(1);
    expect(server.server.apiAddress).toBeUndefined();
  },
);

test('O175 terminated connections: the next request succeeds', async () => {
  const server = await start({ 'db-pool': 1, 'db-channel-enabled': false });
  await server.get('/berth');
  await harbor.terminate('true');
  await until(async () => (await server.get('/berth')).status === 200);
  const nap = server.get('/rpc/nap', post({ seconds: 5 }));
  await until(
    async () =>
      (
        await harbor.query(
          `select 1 from pg_stat_activity where query ~ 'nap' and state = 'active' and usename = '${harbor.login}'`,
        )
      ).length > 0,
  );
  await harbor.terminate(`query ~ 'nap'`);
  expect((await nap).status).toBe(503);
  await until(async () => (await server.get('/berth')).status === 200);
});
