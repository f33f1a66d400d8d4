// The access log and the diagnostic log of requests, by level and format.
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type LocalServer, type Options, post, useServers } from '../support/local-server.ts';
import { until } from '../support/until.ts';

const TIME = String.raw`\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]`;

const harbor = await useHarbor();
const launch = useServers(harbor);

/** Starts a server and empties its error log. */
async function start(options?: Options): Promise<LocalServer> {
  const server = await launch(options);
  server.err.length = 0;
  return server;
}

function line(pattern: string): unknown {
  return expect.stringMatching(new RegExp(`^${pattern}$`, 'u'));
}

test('O198 O199 each request logs one line: client, role, time, request, status, size, referer, user agent', async () => {
  const server = await start({ 'log-level': 'info' });
  const { anon, user } = harbor;
  const headers = { ...bearer({ role: user }), 'User-Agent': 'cases/1 "x"', Referer: 'http://a.example/x' };
  await server.get('/berth?id=eq.1&select=id', { headers });
  await server.get('/gone');
  await server.get('/berth?limit=0', { method: 'HEAD' });
  await server.get('/ledger', { headers: bearer({ role: user }) });
  await server.get('/berth', { headers: { Authorization: 'Bearer a.b' } });
  await server.get('/rpc/fail', { ...post({}), headers: { ...bearer({ role: user }) } });
  expect(server.out).toEqual([
    line(
      `127\\.0\\.0\\.1 - ${user} ${TIME} "GET /berth\\?id=eq\\.1&select=id HTTP/1\\.1" 200 10 "http://a\\.example/x" "cases/1 \\\\"x\\\\""`,
    ),
    line(`127\\.0\\.0\\.1 - ${anon} ${TIME} "GET /gone HTTP/1\\.1" 404 \\d+ "" ""`),
    line(`127\\.0\\.0\\.1 - ${anon} ${TIME} "HEAD /berth\\?limit=0 HTTP/1\\.1" 200 - "" ""`),
    line(`127\\.0\\.0\\.1 - ${user} ${TIME} "GET /ledger HTTP/1\\.1" 403 \\d+ "" ""`),
    line(`127\\.0\\.0\\.1 - - ${TIME} "GET /berth HTTP/1\\.1" 401 \\d+ "" ""`),
    line(`127\\.0\\.0\\.1 - ${user} ${TIME} "POST /rpc/fail HTTP/1\\.1" 500 \\d+ "" ""`),
  ]);
});

test.each([
  ['crit', []],
  ['error', ['500']],
  ['warn', ['404', '500']],
  ['info', ['200', '404', '500']],
  ['debug', ['200', '404', '500']],
])('O200 at level %s the access log contains the statuses %j', async (level, statuses) => {
  const server = await start({ 'log-level': level });
  await server.get('/berth?limit=0');
  await server.get('/gone');
  await server.get('/rpc/fail', post({}));
  expect(server.out.map((each) => / HTTP\/1\.1" (\d+) /u.exec(each)?.[1])).toEqual(statuses);
});

test('O201 preflights and admin requests are not logged, OPTIONS requests are', async () => {
  const server = await start({ 'log-level': 'info' });
  const preflight = { Origin: 'http://a.example', 'Access-Control-Request-Method': 'GET' };
  await server.get('/berth', { method: 'OPTIONS', headers: preflight });
  await server.admin('/live');
  await server.get('/berth', { method: 'OPTIONS' });
  expect(server.out).toEqual([expect.stringContaining('"OPTIONS /berth HTTP/1.1" 200 0 ')]);
});

test('O202 database errors with status 5xx are logged in full, whatever clients receive', async () => {
  const server = await start({ 'client-error-verbosity': 'minimal' });
  const { text } = await server.get('/rpc/fail', post({}));
  expect(text).toBe('{"code":"XX000","message":"broken"}');
  expect(server.err).toEqual(['{"code":"XX000","details":null,"hint":null,"message":"broken"}']);
  await server.get('/berth?id=eq.x');
  expect(server.err).toHaveLength(1);
});

test.each([
  ['svc', 'SVC'],
  ['postgrest', 'PGRST'],
])(
  'O200 in the %s dialect, a token that no secret can verify is logged in the access log only',
  async (dialect, prefix) => {
    const server = await start({ dialect, 'jwt-secret': null });
    const { status, text } = await server.get('/berth', { headers: { Authorization: 'Bearer a.b.c' } });
    expect([status, text]).toEqual([
      500,
      `{"code":"${prefix}300","details":null,"hint":null,"message":"Server lacks JWT secret"}`,
    ]);
    expect(server.out).toEqual([line(`127\\.0\\.0\\.1 - - ${TIME} "GET /berth HTTP/1\\.1" 500 ${text.length} "" ""`)]);
    expect(server.err).toEqual([]);
  },
);

describe('a session that an administrator terminates', () => {
  const ENDED = {
    code: '57P01',
    details: null,
    hint: null,
    message: 'terminating connection due to administrator command',
  };
  const LOST = {
    code: 'PGRST001',
    details: 'terminating connection due to administrator command',
    hint: null,
    message: 'Database client error. Retrying the connection.',
  };

  test.each([
    ['svc', 'text', JSON.stringify(ENDED)],
    ['postgrest', 'text', JSON.stringify(LOST)],
    ['postgrest', 'json', '"code":"PGRST001"'],
  ])('in the %s dialect, in the %s format, is logged as %s', async (dialect, format, logged) => {
    const server = await start({ dialect, 'log-format': format, 'db-channel-enabled': false });
    const nap = server.get('/rpc/nap', post({ seconds: 60 }));
    const running = `select 1 from pg_stat_activity where state = 'active' and query ~ 'nap' and usename = '${harbor.login}'`;
    await until(async () => (await harbor.query(running)).length === 1);
    await harbor.terminate(`query ~ 'nap'`);
    const { status, text } = await nap;
    expect([status, JSON.parse(text)]).toEqual([503, ENDED]);
    const lines = [...server.out, ...server.err].filter((each) => /"code":|57P01/u.test(each));
    expect(lines).toEqual([format === 'text' ? logged : expect.stringContaining(logged)]);
  });

  test('is logged as raised if a function merely raises its SQLSTATE', async () => {
    const server = await start({ dialect: 'postgrest' });
    await harbor.sql(`create or replace function api.pretend() returns void language plpgsql as
      $$ begin raise exception 'not really' using errcode = '57P01'; end $$; notify pgrst, 'reload schema'`);
    await server.logged(/^Schema cache loaded in /u);
    server.err.length = 0;
    expect((await server.get('/rpc/pretend', post({}))).status).toBe(503);
    expect(server.err).toEqual(['{"code":"57P01","details":null,"hint":null,"message":"not really"}']);
  });
});

test('O202 at level crit they are not logged', async () => {
  const server = await start({ 'log-level': 'crit' });
  await server.get('/rpc/fail', post({}));
  expect(server.err).toEqual([]);
});

test('O203 O204 log-query logs the statements of failed requests, without values', async () => {
  const server = await start({ 'log-level': 'info', 'log-query': true, 'db-pre-request': 'api.mark' });
  await server.get('/berth?id=eq.1');
  await server.get('/gone');
  expect(server.err).toEqual([]);
  await server.get('/berth?id=eq.x');
  expect(server.err).toHaveLength(3);
  const [settings = '', preRequest = '', main = ''] = server.err;
  expect(settings).toMatch(/set_config\(.*\$1/u);
  expect(preRequest).toContain('"api"."mark"()');
  expect(main).toMatch(/FROM "api"\."berth".*\$1/u);
  expect(server.err.join('\n')).not.toContain('eq.x');
});

test('O203 at level error, log-query logs only the statements of requests with status 5xx', async () => {
  const server = await start({ 'log-query': true });
  await server.get('/berth?id=eq.x');
  expect(server.err).toEqual([]);
  await server.get('/rpc/fail', post({}));
  expect(server.err.join('\n')).toContain('"fail"');
});

test('O181 legacy names of embeds are logged as a warning, with the request', async () => {
  const server = await start();
  await server.get('/visit?select=id,quay:berth(name)&berth.id=eq.1');
  expect(server.err).toEqual([
    'WARNING: Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release.',
    'Update filters, orders or limits that use `berth` to `quay` in `GET /visit?select=id,quay:berth(name)&berth.id=eq.1`',
  ]);
});

test('O168 pool timeouts answer 504 and are counted, and a burst of them is logged once', async () => {
  const server = await start({ 'db-pool': 1, 'db-pool-acquisition-timeout': 1 });
  const hold = await harbor.hold();
  const waiting = server.get('/rpc/wait', post({}));
  await hold.waiting(1);
  const refused = await Promise.all([1, 2, 3, 4].map(() => server.get('/berth')));
  expect(refused.map(({ status }) => status)).toEqual([504, 504, 504, 504]);
  expect(server.err).toEqual([
    '{"code":"SVC003","details":null,"hint":null,"message":"Timed out acquiring connection from connection pool."}',
  ]);
  expect(await server.metric('db_pool_timeouts_total')).toBe(4);
  await hold.release();
  expect((await waiting).status).toBe(200);
});

test('O206 pool, token cache and schema load are logged in detail at level debug', async () => {
  const server = await launch({ 'log-level': 'debug', 'jwt-cache-max-entries': 1 });
  await server.get('/rpc/who', { headers: bearer({ role: harbor.user }) });
  await server.get('/rpc/who', { headers: bearer({ role: harbor.user, n: 1 }) });
  for (const pattern of [
    /^Trying to borrow a connection from pool$/u,
    /^Borrowed a connection from the pool$/u,
    /^Connection 1 is being established$/u,
    /^Connection 1 is available due to connection establishment$/u,
    /^Connection 1 is used$/u,
    /^Connection 1 is available due to session success$/u,
    /^Connection 1 is terminated due to release$/u,
    /^Database connection pool flushed$/u,
    /^Looked up a JWT in JWT cache$/u,
    /^Evicted entry from JWT cache$/u,
    /^tables: \d+\.\d ms, keydeps: \d+\.\d ms, rels: \d+\.\d ms, funcs: \d+\.\d ms, comprels: \d+\.\d ms, dreps: \d+\.\d ms, mhandlers: \d+\.\d ms$/u,
  ])
    expect(server.count(pattern), String(pattern)).toBeGreaterThan(0);
});

test('O206 at level info the details are not logged', async () => {
  const server = await start({ 'log-level': 'info', 'jwt-cache-max-entries': 1 });
  await server.get('/rpc/who', { headers: bearer({ role: harbor.user }) });
  expect(server.err).toEqual([]);
});

test('log-format=json logs one object per line, for diagnostics and for requests', async () => {
  const server = await launch({
    'log-format': 'json',
    'log-level': 'info',
    'server-trace-header': 'X-Id',
  });
  expect(server.err.map((each) => JSON.parse(each) as unknown)).toContainEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
    level: 'info',
    event: 'starting',
    message: expect.stringMatching(/^Starting rowhouse/u),
  });
  await server.get('/berth?id=eq.1&select=id', { headers: { 'X-Id': 'r-1', 'User-Agent': 'cases/1' } });
  await server.get('/gone');
  const common = {
    time: expect.any(String),
    event: 'request',
    client: '127.0.0.1',
    httpVersion: '1.1',
    role: harbor.anon,
    method: 'GET',
  };
  expect(server.out.map((each) => JSON.parse(each) as unknown)).toEqual([
    {
      ...common,
      level: 'info',
      message: 'GET /berth?id=eq.1&select=id 200',
      requestId: 'r-1',
      path: '/berth?id=eq.1&select=id',
      status: 200,
      bytes: 10,
      durationMs: expect.any(Number),
      userAgent: 'cases/1',
    },
    {
      ...common,
      level: 'warn',
      message: 'GET /gone 404',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/u),
      path: '/gone',
      status: 404,
      bytes: expect.any(Number),
      durationMs: expect.any(Number),
      code: 'SVC205',
      error: { message: "Could not find the table 'api.gone' in the schema cache" },
    },
  ]);
});
