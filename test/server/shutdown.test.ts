// How the server ends: what is under way finishes, what is idle goes, nothing new comes in.
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHarbor, type Harbor } from './support/harbor.ts';
import { post, startLocalServer } from './support/local-server.ts';
import { until } from './support/until.ts';

let harbor: Harbor;

beforeAll(async () => {
  harbor = await createHarbor();
});

afterAll(() => harbor.drop());

test('O214 requests in progress finish, and say that the connection closes; new ones are refused', async () => {
  const ownSessions = `select 1 from pg_stat_activity where usename = '${harbor.login}'`;
  const server = await startLocalServer(harbor);
  const { port } = server;
  const nap = server.get('/rpc/nap', post({ seconds: 0.6 }));
  await setTimeout(200);
  const stopped = server.stop();
  await setTimeout(50);
  await expect(server.get('/berth')).rejects.toThrow('ECONNREFUSED');
  const { status, headers } = await nap;
  expect([status, headers.connection]).toEqual([200, 'close']);
  await stopped;
  expect(port).toBeGreaterThan(0);
  // A session that has been taken leave of ends in its own time.
  await until(async () => (await harbor.query(ownSessions)).length === 0);
});

test('O213 O214 a client that has connected just before the end is answered', async () => {
  const server = await startLocalServer(harbor);
  const early = connect(server.port, '127.0.0.1');
  await once(early, 'connect');
  await setTimeout(50);
  const stopped = server.stop();
  await setTimeout(20);
  early.write('GET /berth?select=id&id=eq.1 HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await text(early)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*\[\{"id":1\}\]$/u);
  await stopped;
});

test('O214 a request that has come on an idle connection is answered', async () => {
  const server = await startLocalServer(harbor);
  const request = 'GET /berth?select=id&id=eq.1 HTTP/1.1\r\nHost: x\r\n\r\n';
  const kept = connect(server.port, '127.0.0.1');
  kept.write(request);
  await setTimeout(200);
  // Lies in the server's socket, unread, when the end begins.
  kept.write(request);
  const stopped = server.stop();
  const answers = (await text(kept)).split(/(?=HTTP\/1\.1 )/u);
  expect(answers).toHaveLength(2);
  expect(answers[1]).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*\[\{"id":1\}\]$/u);
  await stopped;
});

test('O214 idle connections are closed at once, silent ones soon', async () => {
  const server = await startLocalServer(harbor);
  const agent = new Agent({ keepAlive: true });
  const [response] = (await once(get({ host: '127.0.0.1', port: server.port, path: '/berth', agent }), 'response')) as [
    NodeJS.ReadableStream,
  ];
  response.resume();
  await once(response, 'end');
  const silent = connect(server.port, '127.0.0.1');
  await once(silent, 'connect');
  await setTimeout(50);
  const start = performance.now();
  await server.stop();
  expect(performance.now() - start).toBeLessThan(1000);
  agent.destroy();
});

test('a request that is only half sent holds the end up for a moment, not for good', async () => {
  const server = await startLocalServer(harbor);
  const half = connect(server.port, '127.0.0.1');
  half.on('error', () => {});
  half.write('GET /berth HTTP/1.1\r\nHost: x\r\n');
  await setTimeout(50);
  const start = performance.now();
  await server.stop();
  expect(performance.now() - start).toBeLessThan(4000);
});

test('O182 a stop during the first load ends it, and says nothing of a failure', async () => {
  const server = await startLocalServer(harbor, { 'internal-schema-cache-query-sleep': 20_000 }, { isAwaited: false });
  await server.logged(/^Connection Pool initialized/u);
  await setTimeout(100);
  const start = performance.now();
  await server.stop();
  expect(performance.now() - start).toBeLessThan(1500);
  expect(server.count(/^Failed/u)).toBe(0);
  expect(server.server.apiAddress).toBeUndefined();
});
