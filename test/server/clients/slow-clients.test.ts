// Slow clients: slow heads, bodies and reads, and idle connections.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HttpLimits } from '../../../src/http/limits/limits.ts';
import { isTooSlow } from '../../../src/http/limits/body-pace.ts';
import { type HandlerServer, useHandlerServers } from '../../support/handler-server.ts';
import { sendRaw, openSocket } from '../../support/raw-client.ts';
import { until } from '../../support/until.ts';

const startServer = useHandlerServers();

/** More than the kernel buffers for a client that does not read. */
const LONG = Buffer.alloc(30_000_000, 'x');

function start(limits: Partial<HttpLimits>, body: Uint8Array = LONG): Promise<HandlerServer> {
  return startServer({ handle: () => Promise.resolve({ status: 200, headers: [], body }) }, limits);
}

function openCount({ http }: HandlerServer): Promise<number> {
  return new Promise((resolve) => http.server.getConnections((_, count) => resolve(count)));
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n';

test('a client that reads nothing of its response is disconnected and counted', async () => {
  const own = await start({ serverSendTimeout: 0.3 });
  openSocket(own.port).pause().write(GET);
  await until(async () => (await openCount(own)) === 1);
  await until(async () => (await openCount(own)) === 0);
  expect(own.exceeded).toEqual(['server-send-timeout']);
});

test('a client that stops reading in the middle of a response, or pipelines further requests, is disconnected', async () => {
  const own = await start({ serverSendTimeout: 0.3 });
  const socket = openSocket(own.port);
  socket.once('data', () => socket.pause());
  socket.write(GET.repeat(2000));
  await until(() => own.exceeded.length > 0);
  await until(async () => (await openCount(own)) === 0);
  expect(own.exceeded).toEqual(['server-send-timeout']);
});

test('a client that reads slowly receives its whole response, however long it takes', async () => {
  const own = await start({ serverSendTimeout: 1 });
  const socket = openSocket(own.port);
  socket.write(GET);
  let [size, begin] = [0, performance.now()];
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length;
    socket.pause();
    void setTimeout(chunk.length / 12_000).then(() => socket.resume());
  });
  await until(() => size > LONG.length, { seconds: 25 });
  expect([performance.now() - begin > 2000, own.exceeded]).toEqual([true, []]);
});

test('a statement may run longer than server-send-timeout', async () => {
  const handle = async (): Promise<{ status: number; headers: []; body: Uint8Array }> => {
    await setTimeout(700);
    return { status: 200, headers: [], body: Buffer.from('late') };
  };
  const server = await startServer({ handle }, { serverSendTimeout: 0.2, serverKeepAliveTimeout: 0.2 });
  // The second request arrives while the first is being answered.
  const text = await sendRaw(server.port, GET, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  expect([text.match(/late/gu), server.exceeded]).toEqual([['late', 'late'], []]);
});

test('a body that stalls or arrives too slowly gets 408, and the connection is closed', async () => {
  const own = await start({ serverBodyTimeout: 1 }, new Uint8Array());
  const drip = openSocket(own.port);
  let text = '';
  drip.on('data', (chunk: Buffer) => (text += chunk.toString()));
  drip.write(POST);
  const timer = setInterval(() => drip.write('x'), 100);
  const stalled = sendRaw(own.port, `${POST}half`);
  await Promise.all([once(drip, 'close'), stalled]);
  clearInterval(timer);
  for (const answer of [text, await stalled]) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n(?:.*\r\n)*Connection: close\r\n/u);
    expect(answer).toContain('"option":"server-body-timeout"');
  }
  expect(own.exceeded).toEqual(['server-body-timeout', 'server-body-timeout']);
});

test.each([
  ['a long upload over a slow line', { elapsedMs: 1_000_000, idleMs: 900, sizeBytes: 1_000_000_000 }, false],
  ['a long upload that has stalled', { elapsedMs: 70_000, idleMs: 60_000, sizeBytes: 1_000_000_000 }, true],
  ['a small upload within the timeout', { elapsedMs: 59_000, idleMs: 59_000, sizeBytes: 0 }, false],
  ['one byte every three seconds', { elapsedMs: 61_000, idleMs: 1000, sizeBytes: 20 }, true],
  ['two kilobytes a second', { elapsedMs: 600_000, idleMs: 500, sizeBytes: 1_200_000 }, false],
  ['half a kilobyte a second', { elapsedMs: 130_000, idleMs: 500, sizeBytes: 65_000 }, true],
])('%s', (_, pace, expected) => {
  expect(isTooSlow(pace, 60_000)).toBe(expected);
});

test('a head that does not arrive, or not completely, gets 408', async () => {
  const own = await start({ serverHeadersTimeout: 0.5 });
  const answers = await Promise.all([sendRaw(own.port), sendRaw(own.port, 'GET / HTTP/1.1\r\nHost: x\r\n')]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/u);
  expect(own.exceeded).toEqual(['server-headers-timeout', 'server-headers-timeout']);
});

test('an idle connection is closed after its timeout, and no refusal is counted', async () => {
  const own = await start({ serverKeepAliveTimeout: 0.3 }, Buffer.from('idle'));
  expect(await sendRaw(own.port, GET)).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: keep-alive\r\n[^]*idle$/u);
  expect(own.exceeded).toEqual([]);
});

test('connections exceeded the limit are closed at once and counted', async () => {
  const own = await start({ serverMaxConnections: 2 }, Buffer.from('served'));
  const [first, second] = [openSocket(own.port), openSocket(own.port)];
  await Promise.all([once(first, 'connect'), once(second, 'connect')]);
  await until(async () => (await openCount(own)) === 2);
  expect(await sendRaw(own.port, GET)).toBe('');
  expect(own.exceeded).toEqual(['server-max-connections']);
  first.destroy();
  await until(async () => (await openCount(own)) === 1);
  expect(await sendRaw(own.port, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).toMatch(/served$/u);
});
