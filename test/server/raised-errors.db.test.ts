// Errors that functions raise with the codes and texts of PostgreSQL, poolers or the server itself: each fails only its
// request.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { type LocalServer, type Options, post, startLocalServer } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const REFUSED = 'FATAL:  password authentication failed for user "gate"';

/** Milliseconds. */
const LOAD_PAUSE = 100;

const harbor = await useHarbor();
let server: LocalServer;

async function start(options: Options = {}): Promise<void> {
  server = await use(
    startLocalServer(harbor, {
      'db-pool': 1,
      'db-channel-enabled': false,
      'log-level': 'debug',
      ...options,
    }),
  );
}

function countBorrowings(): number {
  return server.count(/^Trying to borrow a connection from pool$/u);
}

await harbor.sql(`
    create function api.raise(state text, message text, details text) returns void language plpgsql as
      $$ begin raise exception using errcode = state, message = message, detail = details; end $$;
    create function api.prepare() returns void language plpgsql as
      $$ begin execute 'prepare mine as select 1'; end $$;
    create function api.run(command text) returns void language plpgsql as $$ begin execute command; end $$;
    create function api.name_of(pattern text) returns text language sql stable as
      $$ select name from pg_prepared_statements where statement ~ pattern and not from_sql limit 1 $$;`);
test.each([
  ['42P05', 'prepared statement "s1" already exists', '', 400],
  ['08P01', 'transaction blocks not allowed in statement pooling mode', '', 503],
  ['SVC00', `{"code":"SVC000","message":"x","details":"${REFUSED.replaceAll('"', "'")}"}`, '{"status":503}', 503],
  ['28P01', REFUSED, '', 403],
  ['42601', 'syntax error', '', 400],
])('%s raised in a function fails only its request', async (state, message, details, status) => {
  await start();
  expect((await server.get('/rpc/raise', post({ state, message, details }))).status).toBe(status);
  expect(server.fatal).toBeUndefined();
  expect((await server.get('/berth?limit=0')).status).toBe(200);
});

test('texts of PostgreSQL that repeat a long value are cut', async () => {
  await start();
  const long = '\r'.repeat(100_001);
  const cut = `${long.slice(1)}…`;
  const { status, text } = await server.get('/rpc/raise', post({ state: '22P02', message: long, details: long }));
  expect([status, JSON.parse(text)]).toEqual([400, { code: '22P02', details: cut, hint: null, message: cut }]);
  const cast = await server.get('/rpc/run', post({ command: `select '${'x'.repeat(200_000)}'::int` }));
  expect(JSON.parse(cast.text)).toMatchObject({ code: '22P02', message: expect.stringMatching(/^[^…]{100000}…$/u) });
});

test('a function that prepares the same statement twice fails, and nothing else does', async () => {
  await start();
  expect((await server.get('/rpc/prepare', post({}))).status).toBe(204);
  const again = await server.get('/rpc/prepare', post({}));
  expect([again.status, JSON.parse(again.text)]).toMatchObject([400, { code: '42P05' }]);
  expect(server.fatal).toBeUndefined();
  expect((await server.get('/berth?limit=0')).status).toBe(200);
});

test('errors with status 503 raised in functions do not trigger a schema cache load', async () => {
  await start();
  const before = countBorrowings();
  let requests = 0;
  // Longer than the interval in which the server collects reload requests.
  for (const end = performance.now() + 3 * LOAD_PAUSE; performance.now() < end; requests += 1) {
    const state = ['53100', '53300', '57P01', '08006'][requests % 4];
    const raised = await server.get('/rpc/raise', post({ state, message: 'could not extend file', details: '' }));
    expect([raised.status, JSON.parse(raised.text)]).toMatchObject([503, { code: state }]);
  }
  // Each request borrowed one connection; nothing else borrowed any.
  expect(countBorrowings()).toBe(before + requests);
});

test('a session that the administrator terminates makes the server check the database', async () => {
  await start();
  const nap = server.get('/rpc/nap', post({ seconds: 60 }));
  const running = `select 1 from pg_stat_activity where state = 'active' and query ~ 'nap' and usename = '${harbor.login}'`;
  await until(async () => (await harbor.query(running)).length === 1);
  await harbor.terminate(`query ~ 'nap'`);
  expect(JSON.parse((await nap).text)).toMatchObject({ code: '57P01' });
  await server.logged(/^Schema cache loaded in /u, 2);
});

test('O180 a statement whose name a pooler gave to another client stops the service', async () => {
  const run = (command: string) => server.get('/rpc/run', post({ command }));
  await start();
  await run('select 1');
  await server.get('/berth?limit=0');
  const name = String(await server.json('/rpc/name_of?pattern=berth'));
  expect(name).toMatch(/^s\d+_/u);
  await server.stop();
  // The same requests in a new session use the same statement names.
  await start();
  await run(`prepare "${name}" as select 1`);
  await server.get('/berth?limit=0');
  expect(server.fatal).toMatch(
    /^If you are using connection poolers in transaction mode, try setting db-prepared-statements to false\. \{"code":"42P05"/u,
  );
});
