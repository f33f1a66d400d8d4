// A socket whose consumer offers memory: where received bytes go, and that none are overwritten.
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

test('received bytes are never overwritten', async () => {
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

test('the next bytes go to the buffer that the consumer offers', async () => {
  const target = Buffer.alloc(300_000);
  let filled = 0;
  socket.provideBuffer = () => (filled < target.length && filled > 0 ? target.subarray(filled) : undefined);
  const first = receive(1);
  peer.write('a');
  expect((await first).map(String)).toEqual(['a']);

  filled = 1;
  // The first read uses the buffer that was requested before the consumer offered one.
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

test('end and close events are emitted', async () => {
  socket.resume();
  const ended = Promise.all([once(socket, 'end'), once(socket, 'close')]);
  peer.end();
  await ended;
  expect(socket.destroyed).toBe(true);
});
