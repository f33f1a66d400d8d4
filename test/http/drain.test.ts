// Closing connections at a shutdown (`operating.md` §11.4), with a clock of the test.
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drain } from '../../src/http/exchange/drain.ts';
import { Connections } from '../../src/http/limits/connections.ts';

/** A socket that has read some bytes and can be destroyed. */
class StubSocket extends EventEmitter {
  bytesRead = 0;

  destroy(): void {
    this.emit('close');
  }
}

let connections: Connections;
let connect: () => StubSocket;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] });
  const server = createServer();
  connections = new Connections(server);
  connect = () => {
    const socket = new StubSocket();
    server.emit('connection', socket);
    return socket;
  };
});
afterEach(() => vi.useRealTimers());

/** Sends a request and receives its response. */
function serve(socket: StubSocket): void {
  socket.bytesRead += 100;
  const node = socket as unknown as Socket;
  const signal = connections.begin({ socket: node, complete: true } as IncomingMessage);
  if (signal !== undefined) connections.finish(node, signal);
}

/** Milliseconds until the drain is over. @param meanwhile called every 5 milliseconds */
async function timeDrain(meanwhile?: (milliseconds: number) => void): Promise<number> {
  const start = performance.now();
  const ends: number[] = [];
  void drain(connections, start + 60_000).then(() => ends.push(performance.now()));
  while (ends.length === 0) {
    await vi.advanceTimersByTimeAsync(5);
    meanwhile?.(performance.now() - start);
  }
  return (ends[0] ?? 0) - start;
}

test('O214 connections that have been idle for half a second are closed within 25 milliseconds', async () => {
  const kept = connect();
  connect();
  serve(kept);
  await vi.advanceTimersByTimeAsync(500);
  expect(await timeDrain()).toBeLessThanOrEqual(25);
});

test('O214 a connection that was used recently is kept for half a second', async () => {
  const used = connect();
  await vi.advanceTimersByTimeAsync(10_000);
  serve(used);
  await vi.advanceTimersByTimeAsync(499);
  expect(await timeDrain()).toBeGreaterThanOrEqual(500);
});

test('O214 on a connection at rest, a request of which a byte arrives is awaited', async () => {
  const socket = connect();
  await vi.advanceTimersByTimeAsync(10_000);
  const send = (milliseconds: number): void => {
    if (milliseconds === 5) socket.bytesRead += 1;
  };
  expect(await timeDrain(send)).toBeGreaterThanOrEqual(2000);
});

/** Sends a request every 400 milliseconds, and returns when an idle connection is closed. */
async function timeIdle(lastMilliseconds: number): Promise<number> {
  const [rested, used] = [connect(), connect()];
  await vi.advanceTimersByTimeAsync(10_000);
  serve(used);
  const start = performance.now();
  let closedAt = 0;
  rested.once('close', () => (closedAt = performance.now() - start));
  await timeDrain((milliseconds) => {
    if (milliseconds <= lastMilliseconds && milliseconds % 400 === 0) serve(used);
  });
  return closedAt;
}

test('O214 while requests arrive on others, an idle connection is kept: a proxy may take it next', async () => {
  expect(await timeIdle(2000)).toBeGreaterThanOrEqual(2500);
});

test('O214 an idle connection is kept for five seconds at most', async () => {
  const milliseconds = await timeIdle(60_000);
  expect(milliseconds).toBeGreaterThanOrEqual(5000);
  expect(milliseconds).toBeLessThan(5100);
});
