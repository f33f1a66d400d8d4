// Sockets that exceed their quota are paused until the others have been served.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReadThrottle } from '../../../src/postgres/session/read-throttle.ts';
import type { ReadingSocket } from '../../../src/postgres/connect/reading-socket.ts';
import { type ConnectedSockets, connectSockets } from '../support/connected-sockets.ts';

const SENT = 8 * 1024 * 1024;
/** The quota after which a socket is paused, plus one more read. */
const MAX_PER_TURN = (128 + 64) * 1024;

let sockets: ConnectedSockets;
let socket: ReadingSocket;
let peer: Socket;

beforeEach(async () => {
  sockets = await connectSockets();
  ({ socket, peer } = sockets);
});

afterEach(() => sockets.close());

test('a socket reads at most its quota per turn of the event loop, and everything in the end', async () => {
  const throttle = new ReadThrottle(socket);
  let [received, inTurn, maxInTurn] = [0, 0, 0];
  const count = (): void => {
    maxInTurn = Math.max(maxInTurn, inTurn);
    inTurn = 0;
  };
  const all = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      throttle.count(chunk.length);
      if (inTurn === 0) setImmediate(count);
      inTurn += chunk.length;
      received += chunk.length;
      if (received === SENT) resolve();
    });
  });
  peer.end(Buffer.alloc(SENT));
  await all;
  await nextTurn();
  expect(received).toBe(SENT);
  expect(maxInTurn).toBeLessThanOrEqual(MAX_PER_TURN);
});

test('a socket paused by its owner while it waits for its turn stays paused', async () => {
  const throttle = new ReadThrottle(socket);
  let received = 0;
  const paused = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      throttle.count(chunk.length);
      received += chunk.length;
      if (received < MAX_PER_TURN || socket.readableFlowing === false) return;
      throttle.pause();
      resolve();
    });
  });
  peer.write(Buffer.alloc(SENT));
  await paused;
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  const before = received;
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  expect(received).toBe(before);
  expect(before).toBeLessThan(SENT);

  const more = once(socket, 'data');
  throttle.resume();
  await more;
  expect(received).toBeGreaterThan(before);
});

test('one of the waiting sockets resumes per turn, first come, first served', async () => {
  const others = [await connectSockets(), await connectSockets(), await connectSockets()];
  try {
    const all = [socket, ...others.map((other) => other.socket)];
    const throttles = all.map((each) => new ReadThrottle(each));
    for (const each of throttles) each.count(MAX_PER_TURN);
    // Nothing would be read from it, so the next socket gets its turn.
    throttles[1]?.pause();
    const seen: boolean[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      seen.push(all.map((each) => each.isPaused()));
      await nextTurn();
    }
    expect(seen).toEqual([
      [true, true, true, true],
      [false, true, true, true],
      [false, true, false, true],
      [false, true, false, false],
    ]);
    throttles[1]?.resume();
    expect(all[1]?.isPaused()).toBe(false);
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
});
