// Processes that share a port: a new server takes over from an old one, and no connection is lost.
import { networkInterfaces } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { canSharePorts, findPortSharing } from '../../../src/http/listen/port-sharing.ts';
import { findFreePort } from '../../support/server-process.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { spawnServer } from '../../support/spawned-server.ts';
import { until } from '../../support/until.ts';
import { listen } from '../../support/listen.ts';

const isLinux = process.platform === 'linux';
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'));

const harbor = await useHarbor();

/** Clients that open a connection per request. */
class Load {
  readonly #outcomes: Map<string, number> = new Map();
  readonly #clients: readonly Promise<void>[];
  #isOver = false;

  constructor(port: number, clients: number) {
    this.#clients = Array.from({ length: clients }, async () => {
      while (!this.#isOver) {
        const outcome = await ask(port);
        this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
        // Leave some CPU time for the servers under test.
        await setTimeout(3);
      }
    });
  }

  /** @returns the distinct outcomes */
  async stop(): Promise<readonly string[]> {
    await until(() => (this.#outcomes.get('200') ?? 0) > 20);
    this.#isOver = true;
    await Promise.all(this.#clients);
    return [...this.#outcomes.keys()];
  }
}

function startSharing(port: number): Promise<LocalServer> {
  return startLocalServer(harbor, { 'server-reuseport': true, 'server-port': port, 'log-level': 'info' });
}

test.runIf(isLinux)('O213 three servers take over a port one after another, and no request fails', async () => {
  const port = await findFreePort();
  let old = await startSharing(port);
  const load = new Load(port, 3);
  for (let turn = 0; turn < 3; turn++) {
    const next = await startSharing(port);
    await setTimeout(100);
    await old.stop();
    old = next;
  }
  expect(await load.stop()).toEqual(['200']);
  await old.stop();
});

test.runIf(isLinux)('O213 both of two servers are replaced, one after another, and no request fails', async () => {
  const port = await findFreePort();
  let servers = [await startSharing(port), await startSharing(port)];
  const load = new Load(port, 8);
  for (let turn = 0; turn < 3; turn++) {
    const [oldest, ...rest] = servers;
    servers = [...rest, await startSharing(port)];
    await oldest?.stop();
  }
  expect(await load.stop()).toEqual(['200']);
  await Promise.all(servers.map((server) => server.stop()));
});

test.runIf(isLinux)('O213 two of four servers stop at once while a fifth starts, and no request fails', async () => {
  const port = await findFreePort();
  const start = (): Promise<LocalServer> => startSharing(port);
  const [first, second, third, fourth] = [await start(), await start(), await start(), await start()];
  const load = new Load(port, 8);
  await setTimeout(100);
  const [fifth] = await Promise.all([start(), second.stop(), third.stop()]);
  expect(await load.stop()).toEqual(['200']);
  await Promise.all([first, fourth, fifth].map((server) => server.stop()));
});

/** @returns how many of 60 connections each server received */
async function deal(port: number, servers: readonly LocalServer[]): Promise<readonly number[]> {
  const before = servers.map(({ out }) => out.length);
  for (let index = 0; index < 60; index++) expect(await ask(port)).toBe('200');
  const dealt = (): number[] => servers.map(({ out }, index) => out.length - (before[index] ?? 0));
  await until(() => dealt().reduce((sum, count) => sum + count, 0) === 60);
  return dealt();
}

test.runIf(isLinux).each([0, 1, 2])(
  'O213 after server %i of three has stopped, the others get fair shares',
  async (index) => {
    const port = await findFreePort();
    const servers = [await startSharing(port), await startSharing(port), await startSharing(port)];
    await servers[index]?.stop();
    const left = servers.filter((_, each) => each !== index);
    // With 60 coin tosses, fewer than 12 heads occur once in a million runs.
    expect(Math.min(...(await deal(port, left)))).toBeGreaterThanOrEqual(12);
    await left[0]?.stop();
    expect(await deal(port, left.slice(1))).toEqual([60]);
    await left[1]?.stop();
  },
);

test.runIf(isLinux)(
  'O213 a process that is killed, even while stopping, leaves fair shares to the others',
  async () => {
    const port = await findFreePort();
    const spawn = (): ReturnType<typeof spawnServer> =>
      spawnServer([], {
        options: {
          'db-uri': harbor.uri,
          'db-schemas': 'api',
          'db-anon-role': harbor.anon,
          'server-host': '127.0.0.1',
          'server-reuseport': true,
          'server-port': port,
        },
      });
    const first = spawn();
    await first.logged(/API server listening/u);
    const servers = [await startSharing(port), await startSharing(port)];
    const last = spawn();
    await last.logged(/API server listening/u);
    first.signal('SIGTERM');
    await first.logged(/Received termination unix signal SIGTERM/u);
    await setTimeout(100);
    first.kill();
    last.kill();
    await Promise.all([first.ended(), last.ended()]);
    expect(Math.min(...(await deal(port, servers)))).toBeGreaterThanOrEqual(12);
    await Promise.all(servers.map((server) => server.stop()));
  },
);

/** @returns the status or error code of one request on a new connection */
async function ask(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/berth?limit=0`, { headers: { Connection: 'close' } });
    await answer.text();
    return String(answer.status);
  } catch (error) {
    return String(error instanceof Error ? error.cause : error);
  }
}

test.runIf(isLinux)('O213 clients of a stopping server are asked to reconnect before it closes', async () => {
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
  // A request may arrive before the kernel directs new connections to the other server.
  await until(async () => String(await askOn()) === 'true,200,close');
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

test.runIf(isLinux)('O213 a port that another program does not share is in use', async () => {
  const other = createServer();
  const port = await listen(other);
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
    error: 'listen EINVAL: nowhere is not an address',
  });
  other.close();
});

test.runIf(isLinux && hasIpv6)('O213 an IPv6 port can be shared', async () => {
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
])('O213 Node.js %s can share ports itself: %s', (version, canShare) => {
  expect(canSharePorts(version)).toBe(canShare);
});
