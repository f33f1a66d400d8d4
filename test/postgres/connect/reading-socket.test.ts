// A socket whose reader offers memory: what arrives there, what arrives elsewhere, and that nothing is written over.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReadingSocket } from '../../../src/postgres/connect/reading-socket.ts';
import { type ConnectedSockets, connectSockets } from '../support/connected-sockets.ts';

let sockets: ConnectedSockets;
let socket: ReadingSocket;
let peer: Socket;

beforeEach(async () => {
  sockets = await connectSockets();
  ({ socket, peer } = sockets);
});

afterEach(() => sockets.close());

async function receive(length: number): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  let received = 0;
  while (received < length) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    chunks.push(chunk);
    received += chunk.length;
  }
  return chunks;
}

test('what was received stays as it was, however much follows', async () => {
  const sent: Buffer[] = [];
  const kept: Buffer[] = [];
  for (let round = 0; round < 40; round += 1) {
    const bytes = Buffer.alloc(1 + round * 499, round);
    const arrived = receive(bytes.length);
    peer.write(bytes);
    kept.push(...(await arrived));
    sent.push(bytes);
  }
  expect(Buffer.concat(kept).equals(Buffer.concat(sent))).toBe(true);
});

test('the next bytes come where the reader wants them', async () => {
  const target = Buffer.alloc(300_000);
  let filled = 0;
  socket.offerRoom = () => (filled < target.length && filled > 0 ? target.subarray(filled) : undefined);
  const first = receive(1);
  peer.write('a');
  expect((await first).map(String)).toEqual(['a']);

  filled = 1;
  // What is read first goes where it was to go before the reader said so.
  const chunks: Buffer[] = [];
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunk.buffer === target.buffer) filled += chunk.length;
      if (chunks.reduce((sum, { length }) => sum + length, 0) === 200_000) resolve();
    });
  });
  peer.write(Buffer.alloc(200_000, 'b'));
  await whole;
  expect(filled).toBeGreaterThan(100_000);
  expect(target.subarray(1, filled).every((byte) => byte === 0x62)).toBe(true);
  expect(target.subarray(filled).every((byte) => byte === 0)).toBe(true);
});

test('the end and the close are told', async () => {
  socket.resume();
  const told = Promise.all([once(socket, 'end'), once(socket, 'close')]);
  peer.end();
  await told;
  expect(socket.destroyed).toBe(true);
});
