// Clients that pipeline requests: their responses, and the share that is left for other clients.
import { once } from 'node:events';
import { type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../src/contract/http.ts';
import { useHandlerServers } from '../support/handler-server.ts';
import { useHarbor } from '../support/harbor.ts';
import { sendRequest, startLocalServer } from '../support/local-server.ts';
import { openSocket, sendRaw } from '../support/raw-client.ts';
import { until } from '../support/until.ts';

const startServer = useHandlerServers();

const harbor = await useHarbor();

function requests(count: number): string {
  return Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
}

const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Responds with the path, and records the number of concurrent requests. */
function createEcho(): {
  readonly most: () => number;
  readonly handle: (request: HttpRequest) => Promise<HttpResponse>;
} {
  let [count, most] = [0, 0];
  return {
    most: () => most,
    async handle({ path }) {
      count += 1;
      most = Math.max(most, count);
      await setImmediate();
      count -= 1;
      return { status: 200, headers: [], body: Buffer.from(`<${path}>`) };
    },
  };
}

function answeredPaths(text: string): readonly string[] {
  return [...text.matchAll(/<\/(\w+)>/gu)].map(([, path = '']) => path);
}

test.each([
  [1, 2000],
  [1, 20_000],
  [4, 2000],
])('with up to %i in flight, %i pipelined requests are answered in order and completely', async (limit, count) => {
  const echo = createEcho();
  const server = await startServer({ handle: echo.handle }, { serverMaxConnectionRequests: limit });
  const paths = answeredPaths(await sendRaw(server.port, requests(count) + LAST));
  expect(paths).toEqual([...Array.from({ length: count }, (_, index) => String(index)), 'last']);
  expect(echo.most()).toBe(limit);
});

test('a body among pipelined requests is read when its turn comes', async () => {
  const seen: string[] = [];
  const server = await startServer({
    handle: async ({ body }) => {
      seen.push(Buffer.from(body).toString().slice(0, 20));
      await setImmediate();
      return { status: 200, headers: [], body: new Uint8Array() };
    },
  });
  const post = (body: string): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const text = await sendRaw(server.port, requests(2) + post('first') + post('x'.repeat(300_000)) + requests(1) + LAST);
  expect(text.match(/HTTP\/1\.1 200 OK/gu)).toHaveLength(6);
  expect(seen).toEqual(['', '', 'first', 'x'.repeat(20), '', '']);
});

test('queued requests are not started if the client disconnects', async () => {
  const begun: string[] = [];
  let answerFirst = (): void => {};
  const first = new Promise<void>((resolve) => (answerFirst = resolve));
  const server = await startServer({
    handle: async ({ path }) => {
      begun.push(path);
      await first;
      return { status: 200, headers: [], body: new Uint8Array() };
    },
  });
  const socket = openSocket(server.port);
  socket.write(requests(100));
  await until(() => begun.length === 1);
  socket.resetAndDestroy();
  await once(socket, 'close');
  answerFirst();
  const { status } = await sendRequest({ host: '127.0.0.1', port: server.port, path: '/other' });
  // The disconnect is noticed at the latest when a response cannot be sent.
  expect(status).toBe(200);
  expect(begun.length).toBeLessThan(5);
});

test('where more is sent ahead than there is room for, those who send the most are closed and counted', async () => {
  const { port, exceeded } = await startServer({ handle: () => new Promise(() => {}) });
  const send = (count: number): Socket => {
    const socket = openSocket(port);
    socket.write(requests(count));
    return socket;
  };
  const modest = Array.from({ length: 20 }, () => send(10));
  const greedy = Array.from({ length: 40 }, () => send(3000));
  // Each packet contains about 1,400 requests; all connections together may queue 20,000.
  const closedOnes = (): number => greedy.filter(({ closed }) => closed).length;
  await until(() => closedOnes() > 10);
  modest.push(...Array.from({ length: 20 }, () => send(10)));
  await until(() => closedOnes() > 20);
  expect(exceeded).toContain('server-max-connection-requests');
  const open = openSocket(port);
  await once(open, 'connect');
  expect(modest.filter(({ closed }) => closed)).toEqual([]);
});

test('a connection that pipelines 600 requests does not delay the others', async () => {
  const local = await startLocalServer(harbor, { 'db-pool': 2 });
  const one = 'GET /rpc/nap_reading?seconds=0.002 HTTP/1.1\r\nHost: x\r\n\r\n';
  let received = '';
  const socket = openSocket(local.port);
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.write(one.repeat(600));
  const answered = (): number => received.match(/HTTP\/1\.1 200 OK/gu)?.length ?? 0;
  await until(() => answered() > 0);
  const others: number[] = [];
  for (let count = 0; count < 20; count += 1) others.push((await local.get('/berth?select=id&id=eq.1')).status);
  expect(others).toEqual(others.map(() => 200));
  // The 20 were served among the requests of the other connection, and not after them.
  expect(answered()).toBeLessThan(300);
  await until(() => answered() === 600, { seconds: 25 });
  socket.destroy();
  await local.stop();
});
