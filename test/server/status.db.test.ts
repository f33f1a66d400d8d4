// `/status` of the admin server: what it reports, what it keeps secret, and which hosts it refuses.
import { expect, test } from 'vitest';
import { PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import type { StatusDocument } from '../../src/contract/status-document.ts';
import { WORKERS } from '../support/workers.ts';
import { useHarbor } from '../support/harbor.ts';
import { bearer, SECRET, startLocalServer } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const PASSWORD = 'a-password-in-the-connection-string';

const harbor = await useHarbor();

const uri = `${harbor.uri}${harbor.uri.includes('?') ? '&' : '?'}sslpassword=${PASSWORD}`;
const options = { 'db-uri': uri, 'app.settings.key': PASSWORD, 'server-allowed-hosts': '127.0.0.1' };
const server = await use(startLocalServer(harbor, options));
const token: string = bearer({ role: harbor.anon })['Authorization'] ?? '';

async function readStatus(): Promise<StatusDocument> {
  return JSON.parse((await server.admin('/status')).text) as StatusDocument;
}

test('reports a server that has just started', async () => {
  const { status: code, text, headers } = await server.admin('/status');
  expect([code, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const status = JSON.parse(text) as StatusDocument;
  expect(Object.keys(status).filter((name) => name !== 'workers')).toEqual(
    'product dialect versions uptimeSeconds isLive isReady problems pool requests refusals slowest errors schemaCache listener tokenCache configuration'.split(
      ' ',
    ),
  );
  expect(status.workers?.length ?? 1).toBe(WORKERS);
  const { versions, uptimeSeconds, isLive, isReady, problems, pool, requests, listener } = status;
  expect(versions).toEqual({ node: process.version, postgres: expect.stringMatching(/^\d+\.\d+$/u) });
  expect(uptimeSeconds).toBeLessThan(180);
  expect({ isLive, isReady, problems, listener }).toEqual({
    isLive: true,
    isReady: true,
    problems: [],
    listener: { state: 'listening', channel: 'svc' },
  });
  expect(pool).toEqual({ max: 10, open: expect.any(Number), inUse: 0, waiting: 0, timeouts: 0 });
  expect(requests.answered).toBe(0);
  expect(status.schemaCache.loads.succeeded).toBeGreaterThan(0);
  expect(Date.parse(status.schemaCache.loadedAt ?? '')).toBeGreaterThan(Date.now() - 180_000);
  expect(status.schemaCache.relations).toBeGreaterThan(0);
  expect(status.configuration).toHaveLength(PUBLIC_OPTION_KEYS.length + 1);
});

test('reports requests without their values, and no secrets', async () => {
  const headers = { Authorization: token };
  await server.get('/berth?id=eq.4711&limit=1', { headers });
  await server.get('/berth?id=eq.words', { headers });
  await server.get('/gone?id=eq.1', { headers });
  await server.get('/berth', { headers: { Authorization: `Bearer ${PASSWORD}` } });
  const { text } = await server.admin('/status');
  const { slowest, errors, requests } = JSON.parse(text) as StatusDocument;
  expect(slowest.map(({ shape, requests: count }) => [shape, count])).toEqual([['GET /berth?id&limit', 3]]);
  expect(errors.map(({ code, count, status, method, route }) => [code, count, status, method, route])).toEqual([
    ['SVC301', 1, 401, 'GET', '/berth'],
    ['SVC205', 1, 404, 'GET', 'other'],
    ['22P02', 1, 400, 'GET', '/berth'],
  ]);
  expect(requests.statuses).toEqual([
    { status: 200, count: 1 },
    { status: 400, count: 1 },
    { status: 401, count: 1 },
    { status: 404, count: 1 },
  ]);
  for (const secret of [SECRET, PASSWORD, token, '4711', 'words', new URL(harbor.uri).password].filter(Boolean))
    expect(text).not.toContain(secret);
});

test('reports connections in use and requests in flight', async () => {
  const held = await harbor.hold();
  const answer = server.get('/rpc/wait', { method: 'POST' });
  await held.waiting(1);
  const { pool, requests } = await readStatus();
  expect([pool.inUse, requests.inFlight]).toEqual([1, 1]);
  await held.release();
  await answer;
  await until(async () => (await readStatus()).pool.inUse === 0);
});

test('other hosts are refused, except for health checks', async () => {
  for (const target of ['/status', '/metrics', '/schema_cache', '/gone', '/']) {
    const { status, text } = await server.admin(target, { headers: { Host: 'rebound.example' } });
    expect([target, status, (JSON.parse(text) as { code: string }).code]).toEqual([target, 403, 'SVC136']);
  }
  const page = { Host: '127.0.0.1', Origin: 'https://evil.example' };
  expect((await server.admin('/status', { headers: page })).status).toBe(403);
  for (const target of ['/live', '/ready'])
    expect((await server.admin(target, { headers: { Host: '10.1.2.3:3001' } })).status).toBe(200);
});

test('reports why a server is not ready', async () => {
  const uri = `postgres://gate:${PASSWORD}@127.0.0.1:1/shop`;
  const lost = await startLocalServer(harbor, { 'db-uri': uri, 'db-channel-enabled': false });
  try {
    const { text } = await lost.admin('/status');
    const { isLive, isReady, problems, versions, schemaCache, listener } = JSON.parse(text) as StatusDocument;
    expect({ isLive, isReady, problems, versions, schemaCache, listener }).toEqual({
      isLive: true,
      isReady: false,
      problems: [
        'The schema cache could not be loaded: Database connection error. ' +
          'connection to server at "127.0.0.1", port 1 failed: connect ECONNREFUSED 127.0.0.1:1',
      ],
      versions: { node: process.version },
      schemaCache: {
        loads: { succeeded: 0, failed: 0 },
        querySeconds: 0,
        relations: 0,
        relationships: 0,
        functions: 0,
      },
      listener: { state: 'off', channel: 'svc' },
    });
    expect(text).not.toContain(PASSWORD);
  } finally {
    await lost.stop();
  }
});
