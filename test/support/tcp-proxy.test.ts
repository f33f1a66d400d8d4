// Tests of the TCP proxy that the fault tests rely on.
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from './listen.ts';
import { until } from './until.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

interface Peer {
  readonly socket: Socket;
  readonly text: () => string;
  /** In order of arrival. */
  readonly events: string[];
}

let server: Server;
let served: Peer[];
let proxy: TcpProxy;

function listenTo(socket: Socket): Peer {
  let text = '';
  const events: string[] = [];
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('end', () => events.push('end'));
  socket.on('error', (error: NodeJS.ErrnoException) => events.push(error.code ?? error.message));
  socket.on('close', () => events.push('close'));
  return { socket, text: () => text, events };
}

/** Opens a connection through the proxy and returns both ends. */
async function connect(): Promise<readonly [client: Peer, server: Peer]> {
  const client = listenTo(createConnection(proxy.port, '127.0.0.1'));
  const index = served.length;
  return [client, await until(() => served[index])];
}

beforeEach(async () => {
  served = [];
  server = createServer((socket) => served.push(listenTo(socket)));
  proxy = await startTcpProxy({ host: '127.0.0.1', port: await listen(server) });
});

afterEach(async () => {
  await proxy.close();
  for (const { socket } of served) socket.destroy();
  server.close();
});

test('bytes and the end of the stream pass in both directions, in order', async () => {
  const [client, peer] = await connect();
  const long = 'x'.repeat(3_000_000);
  peer.socket.write('hello ');
  client.socket.end(long);
  await until(() => peer.text().length === long.length);
  await until(() => client.events.includes('close'));
  expect(peer.text()).toBe(long);
  expect([client.text(), client.events]).toEqual(['hello ', ['end', 'close']]);
  await until(() => proxy.connections.length === 0);
  expect(proxy.acceptedCount).toBe(1);
});

test('a stalled direction holds back bytes and the end of the stream, the other direction does not', async () => {
  const [client, peer] = await connect();
  proxy.set({ isStalled: true }, 'toServer');
  client.socket.end('question');
  peer.socket.write('news');
  await until(() => client.text() === 'news');
  await sleep(30);
  expect([peer.text(), peer.events]).toEqual(['', []]);
  proxy.clear();
  await until(() => peer.events.includes('close'));
  expect(peer.text()).toBe('question');
});

test('one connection can be stalled while others pass bytes', async () => {
  const [first, firstPeer] = await connect();
  const [second, secondPeer] = await connect();
  proxy.connections[0]?.set({ isStalled: true });
  first.socket.write('1');
  second.socket.write('2');
  await until(() => secondPeer.text() === '2');
  expect(firstPeer.text()).toBe('');
});

test('a delay applies to every byte in parallel, not in sequence', async () => {
  const [client, peer] = await connect();
  proxy.set({ delay: 100 });
  const start = performance.now();
  for (const letter of 'abcdefghij') {
    client.socket.write(letter);
    await sleep(5);
  }
  await until(() => peer.text() === 'abcdefghij');
  const took = performance.now() - start;
  expect(took).toBeGreaterThan(140);
  expect(took).toBeLessThan(900);
});

test('bandwidth is limited to the configured bytes per second', async () => {
  const [client, peer] = await connect();
  proxy.set({ bytesPerSecond: 10_000 });
  const start = performance.now();
  client.socket.write('x'.repeat(2000));
  await until(() => peer.text().length === 2000);
  expect(performance.now() - start).toBeGreaterThan(190);
});

test('both ends are closed once the byte budget has been delivered', async () => {
  const [client, peer] = await connect();
  proxy.set({ bytesLeft: 3 }, 'toClient');
  peer.socket.write('abcdef');
  await until(() => client.events.includes('close') && peer.events.includes('close'));
  expect([client.text(), client.events]).toEqual(['abc', ['end', 'close']]);
  expect(proxy.connections).toEqual([]);
});

test('a cut resets both ends', async () => {
  const [client, peer] = await connect();
  proxy.cut();
  await until(() => client.events.includes('close') && peer.events.includes('close'));
  expect([client.events, peer.events]).toEqual([
    ['ECONNRESET', 'close'],
    ['ECONNRESET', 'close'],
  ]);
});

test('while it refuses connections, open ones stay; later it accepts again on the same port', async () => {
  const [client, peer] = await connect();
  const { port } = proxy;
  proxy.refuse();
  const refused = listenTo(createConnection(port, '127.0.0.1'));
  await until(() => refused.events.includes('close'));
  expect(refused.events).toEqual(['ECONNREFUSED', 'close']);
  client.socket.write('still here');
  await until(() => peer.text() === 'still here');
  await proxy.accept();
  await connect();
  expect(proxy.port).toBe(port);
});
