// Processes that share a port: who starts takes over from who ends, and nobody's connection is lost.
import { networkInterfaces } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canSharePorts, findPortSharing } from '../../src/server/port-sharing.ts';
import { findFreePort } from '../support/server-process.ts';
import { createHarbor, type Harbor } from './support/harbor.ts';
import { startLocalServer } from './support/local-server.ts';

const isLinux = process.platform === 'linux';
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'));

let harbor: Harbor;

beforeAll(async () => {
  harbor = await createHarbor();
});

afterAll(() => harbor.drop());

test.runIf(isLinux)('O213 three servers in turn take over a port, and no request fails', async () => {
  const options = { 'server-reuseport': true, 'server-port': await findFreePort() };
  let old = await startLocalServer(harbor, options);
  const outcomes = new Map<string, number>();
  const end = new AbortController();
  const { port } = old;
  const clients = Array.from({ length: 3 }, async () => {
    while (!end.signal.aborted) {
      const outcome = await ask(port);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  });
  for (let turn = 0; turn < 3; turn++) {
    const next = await startLocalServer(harbor, options);
    await setTimeout(100);
    await old.stop();
    old = next;
  }
  end.abort();
  await Promise.all(clients);
  await old.stop();
  expect([...outcomes.keys()]).toEqual(['200']);
  expect(outcomes.get('200')).toBeGreaterThan(20);
});

/** @returns status or error code of one request on a connection of its own */
async function ask(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/berth?limit=0`, { headers: { Connection: 'close' } });
    await answer.text();
    return String(answer.status);
  } catch (error) {
    return String(error instanceof Error ? error.cause : error);
  }
}

test.runIf(isLinux)('O213 clients of the server that ends are told to connect anew before it closes', async () => {
  const options = { 'server-reuseport': true, 'server-port': await findFreePort() };
  const old = await startLocalServer(harbor, options);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const askOn = async (): Promise<unknown> => {
    const request = get({ agent, port: old.port, path: '/berth?limit=0' });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    await answer.resume().toArray();
    return [request.reusedSocket, answer.statusCode, answer.headers.connection];
  };
  expect(await askOn()).toEqual([false, 200, 'keep-alive']);
  const next = await startLocalServer(harbor, options);
  const end = old.stop();
  expect(await askOn()).toEqual([true, 200, 'close']);
  expect(await askOn()).toEqual([false, 200, 'keep-alive']);
  await end;
  expect(await askOn()).toEqual([true, 200, 'keep-alive']);
  agent.destroy();
  await next.stop();
});

test.runIf(isLinux)('O213 without server-reuseport a shared port is in use', async () => {
  const port = await findFreePort();
  const shared = await startLocalServer(harbor, { 'server-reuseport': true, 'server-port': port });
  const alone = await startLocalServer(harbor, { 'server-port': port }, { isAwaited: false });
  await alone.logged(/address already in use/u);
  expect(alone.fatal).toContain(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
  await alone.stop();
  await shared.stop();
});

test.runIf(isLinux)('O213 a port that another program keeps for itself is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sharing = await findPortSharing();
  expect(sharing?.({ host: '127.0.0.1', isIpv6Only: false }, port)).toEqual({
    ok: false,
    error: `listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  });
  expect(sharing?.({ host: '192.0.2.1', isIpv6Only: false }, port)).toEqual({
    ok: false,
    error: `listen EADDRNOTAVAIL: address not available 192.0.2.1:${port}`,
  });
  expect(sharing?.({ host: 'nowhere', isIpv6Only: false }, port)).toEqual({
    ok: false,
    error: 'listen EINVAL: nowhere is no address',
  });
  other.close();
});

test.runIf(isLinux && hasIpv6)('O213 a shared port of IPv6 is served', async () => {
  const options = { 'server-host': '!6', 'server-reuseport': true, 'server-port': await findFreePort() };
  const first = await startLocalServer(harbor, options);
  const second = await startLocalServer(harbor, options);
  expect([first.server.apiAddress, second.server.apiAddress]).toEqual([`[::]:${first.port}`, `[::]:${first.port}`]);
  await expect(first.get('/berth')).rejects.toThrow('ECONNREFUSED');
  expect((await fetch(`http://[::1]:${first.port}/berth?limit=0`)).status).toBe(200);
  await first.stop();
  expect((await fetch(`http://[::1]:${first.port}/berth?limit=0`)).status).toBe(200);
  await second.stop();
});

test.each([
  ['20.19.0', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.0.0', false],
  ['23.1.0', true],
  ['24.0.0', true],
])('O213 Node %s shares ports of itself: %s', (version, canShare) => {
  expect(canSharePorts(version)).toBe(canShare);
});
