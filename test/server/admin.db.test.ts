// Health checks, metrics, the schema cache dump, and the addresses that the two servers can listen on.
import { existsSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WORKERS } from '../support/workers.ts';
import { useHarbor } from '../support/harbor.ts';
import { post, sendRequest, useServers } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { useFolder } from '../support/use.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

const folder = useFolder();

test.each(['*', '*4', '!4', '*6', '!6', '::1', 'localhost'])('O190 both servers can listen on %s', async (host) => {
  const server = await start({ 'server-host': host });
  const listening = server.err.filter((line) => line.includes('server listening on'));
  const isIpv6 = /\[::1?\]:\d+$/u.test(listening[0] ?? '');
  expect(listening).toHaveLength(2);
  expect(isIpv6).toBe(!['*4', '!4', 'localhost'].includes(host) || (host === 'localhost' && isIpv6));
  const address = { host: isIpv6 ? '::1' : '127.0.0.1', port: server.port };
  expect((await sendRequest({ ...address, path: '/berth?limit=0' })).status).toBe(200);
  const adminPort = Number(/\d+$/u.exec(listening[0] ?? '')?.[0]);
  const answers = await Promise.all(
    ['/live', '/ready'].map((target) => sendRequest({ ...address, port: adminPort, path: target })),
  );
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, ''],
    [200, ''],
  ]);
  expect(answers[0]?.headers['server']).toMatch(/^rowhouse\/\d+\.\d+$/u);
});

test('a server on an IPv6-only address accepts no IPv4 clients', async () => {
  const server = await start({ 'server-host': '!6' });
  await expect(server.get('/berth')).rejects.toThrow('ECONNREFUSED');
});

test('O212 O213 a port that is in use stops the service with the system error', async () => {
  const server = await start();
  const second = await start({ 'server-port': server.port });
  expect(second.fatal).toBe(
    `API server cannot listen: listen EADDRINUSE: address already in use 127.0.0.1:${server.port}. Choose another port with server-port.`,
  );
  const third = await start({ 'server-port': 0, 'admin-server-port': server.port });
  expect(third.fatal).toMatch(/^Admin server cannot listen: listen EADDRINUSE/u);
  expect(third.count(/^Successfully connected/u)).toBe(0);
});

test.each([
  ['server-host', 'no-such-host.invalid', /^Admin server cannot listen: getaddrinfo/u],
  [
    'server-unix-socket',
    '/no/such/folder/api.sock',
    /^API server cannot listen: listen ENOENT: no such file or directory \/no\/such\/folder\/api\.sock$/u,
  ],
])('an invalid %s stops the service', async (option, value, message) => {
  const server = await start({ [option]: value });
  expect(server.fatal).toMatch(message);
});

test('O191 O194 both servers on Unix sockets: mode, stale socket, deleted socket', async () => {
  const [api, admin] = [path.join(folder, 'api.sock'), path.join(folder, 'admin.sock')];
  const options = {
    'server-unix-socket': api,
    'admin-server-unix-socket': admin,
    'admin-server-unix-socket-mode': '700',
  };
  const server = await start({ ...options, 'log-level': 'info' });
  expect([api, admin].map((file) => statSync(file).mode & 0o777)).toEqual([0o660, 0o700]);
  expect(server.err.filter((line) => line.includes('listening on /'))).toEqual([
    `Admin server listening on ${admin}`,
    `API server listening on ${api}`,
  ]);
  const ask = async (socketPath: string, target: string): Promise<number> =>
    (await sendRequest({ socketPath, path: target })).status;
  expect([await ask(api, '/rpc/who'), await ask(admin, '/live'), await ask(admin, '/ready')]).toEqual([200, 200, 200]);
  expect(server.out).toEqual([expect.stringMatching(/^- - .*"GET \/rpc\/who HTTP\/1\.1" 200 /u)]);
  const second = await start(options);
  expect(second.fatal).toBe(`Admin server cannot listen: listen EADDRINUSE: address already in use ${admin}`);
  expect(await ask(api, '/rpc/who')).toBe(200);
  unlinkSync(api);
  expect([await ask(admin, '/live'), await ask(admin, '/ready')]).toEqual([500, 500]);
});

test('O191 a file at the path of the socket is removed only if it is a socket', async () => {
  const file = path.join(folder, 'precious');
  writeFileSync(file, 'data');
  const server = await start({ 'server-unix-socket': file });
  expect(server.fatal).toBe(`API server cannot listen: ${file} exists and is not a socket`);
  expect(existsSync(file)).toBe(true);
});

test('O192 without a listener, /ready checks the pool', async () => {
  const server = await start({ 'db-channel-enabled': false, 'db-pool': 1, 'db-pool-acquisition-timeout': 1 });
  expect((await server.admin('/ready')).status).toBe(200);
  const hold = await harbor.hold();
  const waiting = server.get('/rpc/wait', post({}));
  await hold.waiting(1);
  expect((await server.admin('/ready')).status).toBe(503);
  await hold.release();
  await waiting;
  await until(async () => (await server.admin('/ready')).status === 200);
});

test('O193 other paths return 404, HEAD has no body, any method is accepted', async () => {
  const server = await start();
  for (const target of ['/', '/gone', '/live/x', '/berth']) {
    const { status, text } = await server.admin(target);
    expect([status, text], target).toEqual([404, '']);
  }
  const head = await server.admin('/metrics', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await server.admin('/live', { method: 'POST' })).status).toBe(200);
});

test('O195 O197 metrics are exposed in the Prometheus text format', async () => {
  const server = await start({ 'db-pool': 7 });
  const { status, text, headers } = await server.admin('/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const [queryTime = '', ...rest] = text.split('\n').filter((line) => !line.startsWith('#'));
  expect(queryTime).toMatch(/^svc_schema_cache_query_time_seconds 0\.\d+$/u);
  expect(rest).toEqual([
    'svc_schema_cache_loads_total{status="SUCCESS"} 1.0',
    'svc_db_pool_timeouts_total 0.0',
    'svc_db_pool_available 0',
    'svc_db_pool_waiting 0.0',
    'svc_db_pool_max 7.0',
    'svc_jwt_cache_requests_total 0.0',
    'svc_jwt_cache_hits_total 0.0',
    'svc_jwt_cache_evictions_total 0.0',
    'svc_http_requests_in_flight 0.0',
    '',
  ]);
  expect(text).toContain(
    '# HELP svc_db_pool_waiting Requests waiting to acquire a pool connection\n# TYPE svc_db_pool_waiting gauge\n',
  );
});

test('O195 O196 waiting requests are counted, and released connections are available', async () => {
  const server = await start({ 'db-pool': WORKERS });
  const naps = Array.from({ length: 3 * WORKERS }, () => server.get('/rpc/nap', post({ seconds: 0.3 })));
  await until(async () => (await server.metric('db_pool_waiting')) === 2 * WORKERS);
  expect(await server.metric('db_pool_available')).toBe(0);
  await Promise.all(naps);
  expect([await server.metric('db_pool_waiting'), await server.metric('db_pool_available')]).toEqual([0, WORKERS]);
});

test('O197 runtime metrics are exposed if enabled', async () => {
  const server = await start({}, { hasRuntimeMetrics: true });
  const read = async (): Promise<ReadonlyMap<string, number>> => {
    const lines = (await server.admin('/metrics')).text.split('\n').filter((line) => line.startsWith('rt_'));
    return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
  };
  const before = await read();
  expect([...before.keys()]).toEqual([
    'rt_gcs_total',
    'rt_major_gcs_total',
    'rt_allocated_bytes_total',
    'rt_max_live_bytes',
    'rt_max_mem_in_use_bytes',
    'rt_mutator_cpu_seconds_total',
    'rt_gc_cpu_seconds_total',
    'rt_elapsed_seconds_total',
  ]);
  expect(Array.from({ length: 200_000 }, (_, index) => ({ index })).length).toBe(200_000);
  await setTimeout(50);
  const after = await read();
  for (const [name, value] of before) expect(after.get(name), name).toBeGreaterThanOrEqual(value);
  expect(after.get('rt_allocated_bytes_total')).toBeGreaterThan(before.get('rt_allocated_bytes_total') ?? 0);
});

test('O166 the schema cache is served as JSON', async () => {
  const server = await start();
  const { headers, text } = await server.admin('/schema_cache');
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Object.keys(JSON.parse(text) as object)).toEqual(
    expect.arrayContaining(['dbTables', 'dbRelationships', 'dbRoutines', 'dbRepresentations', 'dbMediaHandlers']),
  );
});
