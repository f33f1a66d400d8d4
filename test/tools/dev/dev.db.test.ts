// `rowhouse dev` as a separate process.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, sendRequest } from '../../support/local-server.ts';
import { runProgram, type Spawned, spawnServer } from '../../support/spawned-server.ts';
import { runRoleSql, runSql } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { findFreePort } from '../../support/server-process.ts';

const OWN_KEY = 'a key of the user that has more than thirty-two bytes';

let port: number;
let spawned: Spawned | undefined;

const harbor = await useHarbor();
await harbor.sql(`grant usage on schema api to ${harbor.login}`);

async function start(...args: readonly string[]): Promise<Spawned> {
  port = await findFreePort();
  const places = ['--server-port', String(port), '--db-schemas', 'api'];
  const server = spawnServer(['dev', harbor.uri, ...places, ...args]);
  spawned = server;
  await until(() => server.stdout().includes('Ctrl-C'), { seconds: 30, why: () => server.stderr() });
  return server;
}

const ask = (path: string): ReturnType<typeof sendRequest> => sendRequest({ host: '127.0.0.1', port, path });

test('requests without a token run as the login role, on loopback only, and the banner warns of it', async () => {
  const server = await start();
  expect((await ask('/rpc/who')).text).toBe(`"${harbor.login}"`);
  expect(server.stderr()).toContain(`API server listening on 127.0.0.1:${port}`);
  expect(server.stdout()).toContain(
    `  WARNING: requests need no token. Without one, they run as the role ${harbor.login}.\n`,
  );
  expect(server.stdout()).toContain(`(api) at http://localhost:${port}, on this machine only.\n`);
  expect(JSON.parse((await ask('/')).text)).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: `http://127.0.0.1:${port}` }],
  });
  const page = await sendRequest({ host: '127.0.0.1', port, path: '/' }, { headers: { Accept: 'text/html' } });
  expect(page.text).toBe(readFileSync('dist/explorer/index.html', 'utf8'));
  expect(server.stdout()).toContain(`  Explorer: open http://localhost:${port}/#key=`);
  const unfiltered = await sendRequest({ host: '127.0.0.1', port, path: '/berth' }, { method: 'DELETE' });
  expect(JSON.parse(unfiltered.text)).toMatchObject({ code: 'SVC137' });
  server.signal('SIGTERM');
  expect(await server.ended()).toBe(0);
});

test('a login that PostgreSQL rejects ends dev with one line', async () => {
  const uri = Object.assign(new URL(harbor.uri), { username: 'nobody_here' }).href;
  const { code, stdout, stderr } = await runProgram(['dev', uri, '--db-schemas', 'api']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Cannot connect to the database: [^\n]*role "nobody_here" does not exist\n$/u);
});

test('a login that is rejected later is reported once, however often dev tries again', async () => {
  const server = await start();
  await runRoleSql(harbor.adminUri, `alter role ${harbor.login} nologin`);
  try {
    await runSql(
      harbor.adminUri,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${harbor.login}'`,
    );
    await server.logged(/Retrying listening for database notifications in 4 seconds/u);
    expect(server.stderr().split('is not permitted to log in').length - 1).toBe(1);
  } finally {
    await runRoleSql(harbor.adminUri, `alter role ${harbor.login} login`);
  }
});

const keyOf = (server: Spawned): string => /\/#key=([\w-]+)\n/u.exec(server.stdout())?.[1] ?? '';

test('the link of the banner contains a new key of tokens, and a configured key still counts', async () => {
  const server = await start();
  const key = keyOf(server);
  const as = (secret: string): ReturnType<typeof sendRequest> =>
    sendRequest({ host: '127.0.0.1', port, path: '/rpc/who' }, { headers: bearer({ role: harbor.user }, secret) });
  expect((await as(key)).text).toBe(`"${harbor.user}"`);
  server.kill();
  const other = await start('--jwt-secret', OWN_KEY);
  expect((await as(OWN_KEY)).text).toBe(`"${harbor.user}"`);
  expect((await as(keyOf(other))).text).toBe(`"${harbor.user}"`);
  expect((await as(key)).status).toBe(401);
  expect(other.stdout()).not.toContain(OWN_KEY);
});

test('rowhouse token signs with the key of the link', async () => {
  const environment = { SVC_JWT_SECRET: keyOf(await start()) };
  const { stdout } = await runProgram(['token', '--role', harbor.user], { environment });
  const headers = { authorization: `Bearer ${stdout.trimEnd()}` };
  expect((await sendRequest({ host: '127.0.0.1', port, path: '/rpc/who' }, { headers })).text).toBe(`"${harbor.user}"`);
});

test('--inspect-uri connects the explorer as an owner, is never printed, and must be of the same database', async () => {
  const owner = Object.assign(new URL(harbor.adminUri), { password: 'never-shown' }).href;
  const server = await start('--inspect-uri', owner, '--server-workers', '1');
  expect(server.stdout()).toContain('  Its SQL page and its explanations use the role postgres (--inspect-uri).\n');
  const headers = { Host: `localhost:${port}`, Origin: `http://localhost:${port}`, 'Console-Key': keyOf(server) };
  const body = JSON.stringify({ sql: 'select session_user', as: 'login' });
  const run = await sendRequest(
    { host: '127.0.0.1', port, path: '/explorer/sql' },
    { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body },
  );
  expect(JSON.parse(run.text)).toMatchObject({ kind: 'done', results: [{ rows: [['postgres']] }], role: 'postgres' });
  expect((await ask('/rpc/who')).text).toBe(`"${harbor.login}"`);
  expect(server.stdout() + server.stderr()).not.toContain('never-shown');
  server.kill();
  const other = Object.assign(new URL(owner), { pathname: '/postgres' }).href;
  const refused = await runProgram(['dev', harbor.uri, '--db-schemas', 'api', '--inspect-uri', other]);
  expect(refused.stderr).toContain(`--inspect-uri is for the database postgres, but ${harbor.database} is served.`);
  expect(refused.stderr).not.toContain('never-shown');
});

test('a configuration keeps its role for requests without a token', async () => {
  const server = await start('--db-anon-role', harbor.anon);
  expect((await ask('/rpc/who')).text).toBe(`"${harbor.anon}"`);
  expect(server.stdout()).toContain(`run as the role ${harbor.anon}.\n`);
});

test('who has the key of the link may ask about the access of roles', async () => {
  const server = await start('--server-workers', '1');
  const question = (secret: string): ReturnType<typeof sendRequest> =>
    sendRequest(
      { host: '127.0.0.1', port, path: '/explorer/access/matrix' },
      {
        method: 'POST',
        headers: bearer({ purpose: 'access', exp: Math.floor(Date.now() / 1000) + 60 }, secret),
        body: '{"schema":"api"}',
      },
    );
  const answer = await question(keyOf(server));
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(JSON.parse(answer.text)).toMatchObject({ schema: 'api', login: harbor.login });
  const refused = await question('another key of at least thirty-two bytes');
  expect(refused.status).toBe(401);
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'SVC301' });
  server.kill();
  await start('--jwt-secret', OWN_KEY, '--server-workers', '1');
  expect((await question(OWN_KEY)).status).toBe(401);
});

test('a token without Bearer is reported, because the request runs without it', async () => {
  const server = await start();
  const headers = { Authorization: bearer({ role: harbor.user }, keyOf(server))['Authorization']?.slice(7) ?? '' };
  const answer = await sendRequest({ host: '127.0.0.1', port, path: '/rpc/who' }, { headers });
  expect(answer.text).toBe(`"${harbor.login}"`);
  await server.logged(/The token of GET \/rpc\/who was ignored\. Send "Authorization: Bearer TOKEN"/u);
});

test('no key is printed if tokens come from an issuer', async () => {
  const server = await start('--jwt-issuer', 'https://login.example.com/');
  expect(server.stdout()).toContain(`  Explorer: open http://localhost:${port}/ in a browser.\n`);
});

test('plans, aggregates and dry runs are on unless the user sets otherwise', async () => {
  const features = async (): Promise<unknown> => {
    const headers = { Accept: 'application/vnd.svc.schema+json' };
    const { text } = await sendRequest({ host: '127.0.0.1', port, path: '/' }, { headers });
    return (JSON.parse(text) as { readonly features: unknown }).features;
  };
  await start();
  expect(await features()).toMatchObject({ aggregates: true, plans: true, rollback: true });
  spawned?.kill();
  await start('--db-plan-enabled=false', '--db-aggregates-enabled=false', '--db-tx-end', 'commit');
  expect(await features()).toMatchObject({ aggregates: false, plans: false, rollback: false });
});

test('--role replaces the login role', async () => {
  const server = await start('--role', harbor.user);
  expect((await ask('/rpc/who')).text).toBe(`"${harbor.user}"`);
  expect(server.stdout()).toContain(`run as the role ${harbor.user}.\n`);
});

test('a web page of another site is refused, even with a rebound host name', async () => {
  await start();
  const request = (headers: Record<string, string>): ReturnType<typeof sendRequest> =>
    sendRequest(
      { host: '127.0.0.1', port, path: '/rpc/who' },
      { method: 'POST', headers: { 'Content-Type': 'text/plain', ...headers } },
    );
  const refused = await request({ Origin: 'https://evil.example' });
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'SVC136', details: 'Origin: https://evil.example' });
  expect((await request({ Host: `rebound.example:${port}` })).status).toBe(403);
  const own = { Host: `localhost:${port}`, Origin: 'http://localhost:5173', 'Content-Type': 'application/json' };
  expect((await request(own)).status).toBe(200);
});

test('the admin server refuses web pages of other sites as well', async () => {
  const adminPort = await findFreePort();
  await start('--admin-server-port', String(adminPort));
  const request = (target: string, headers: Record<string, string>): ReturnType<typeof sendRequest> =>
    sendRequest({ host: '127.0.0.1', port: adminPort, path: target }, { headers });
  for (const target of ['/status', '/metrics', '/schema_cache', '/']) {
    const statuses = [
      await request(target, { Host: `rebound.example:${adminPort}`, Accept: 'text/html' }),
      await request(target, { Origin: 'https://evil.example', Accept: 'text/html' }),
      await request(target, { Host: `localhost:${adminPort}`, Accept: 'text/html' }),
    ].map(({ status }) => status);
    expect([target, ...statuses]).toEqual([target, 403, 403, 200]);
  }
});

test('server-allowed-hosts admits pages of further hosts', async () => {
  await start('--server-allowed-hosts', '127.0.0.1,shop.test');
  const headers = { Origin: 'http://shop.test' };
  expect((await sendRequest({ host: '127.0.0.1', port, path: '/rpc/who' }, { headers })).status).toBe(200);
});

test('schema changes take effect without a reload request, and are printed', async () => {
  await start('--db-channel-enabled=false');
  expect((await ask('/crane')).status).toBe(404);
  await harbor.sql(`create table api.crane (id int); grant select on api.crane to ${harbor.login}`);
  await until(async () => (await ask('/crane')).status === 200);
  await harbor.sql(`comment on table api.crane is 'Lifts'`);
  await until(async () => (await ask('/')).text.includes('Lifts'));
  await harbor.sql('alter table api.crane rename id to number');
  await until(() => spawned?.stdout().includes('  crane: id → number') === true);
  expect(spawned?.stdout()).toMatch(/^ {2}\+ crane$/mu);
  await harbor.sql('drop table api.crane');
  await until(async () => (await ask('/crane')).status === 404);
});

test('writing rows does not reload the schema', async () => {
  const server = await start('--db-channel-enabled=false');
  const countLoads = (): number => server.stderr().match(/Schema cache loaded in/gu)?.length ?? 0;
  await harbor.sql('create table api.log (id int)');
  await until(() => countLoads() === 2);
  const [row] = await harbor.query('select clock_timestamp()::text');
  await harbor.sql('insert into api.log values (1)');
  const polls = `select from pg_stat_activity where usename = '${harbor.login}' and query ~ 'pg_attrdef' and query_start > '${String(row?.[0])}'`;
  await until(async () => (await harbor.query(polls)).length > 0);
  await harbor.sql('create table api.other_log (id int)');
  await until(() => countLoads() > 2);
  expect(countLoads()).toBe(3);
});

test.each([
  [['--server-host', '0.0.0.0'], /^rowhouse dev requires no token, .*"0\.0\.0\.0"\.\n$/u],
  [['--admin-server-host=*'], /^rowhouse dev requires no token, .*"\*"\.\n$/u],
  [['--db-uri', 'postgres://127.0.0.1:1/x'], /^Cannot connect to the database: .*ECONNREFUSED/u],
])('%j fails at the start', async (args, message) => {
  const { code, stdout, stderr } = await runProgram(['dev', ...args]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
});
