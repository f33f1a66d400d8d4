// Bodies of any length, in arbitrary chunks, over persistent connections.
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../src/contract/result.ts';
import { BodyWatch } from '../../src/http/limits/body-pace.ts';
import { readBody, takeReceived, type BodyRead, type BodyRules } from '../../src/http/receive/read-body.ts';
import { listen } from '../support/listen.ts';

const MAX_SIZE = 3_000_000;

let read: BodyRead[] = [];
let sockets: Socket[] = [];
const RULES: BodyRules = {
  maxSize: MAX_SIZE,
  mayArrive: false,
  check: () => Promise.resolve(ok({ arrivesAbove: undefined })),
  onReadStart: undefined,
  isUsed: true,
  watch: new BodyWatch(() => 60_000),
  waits: { beginClientWait: () => undefined, endClientWait: () => undefined },
};
const server = createServer((incoming, outgoing) => {
  void readBody(incoming, RULES).then((body) => {
    read.push(body);
    sockets.push(incoming.socket);
    incoming.resume();
    outgoing.end();
  });
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

await listen(server);
afterAll(() => {
  agent.destroy();
  server.close();
});
beforeEach(() => {
  read = [];
  sockets = [];
});

/** Without a declared length, the body is sent in chunks. */
async function send(body: Buffer, { isDeclared }: { readonly isDeclared: boolean }): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const headers = isDeclared ? { 'Content-Length': body.length } : { 'Transfer-Encoding': 'chunked' };
  const outgoing = request({ agent, host: '127.0.0.1', port, method: 'POST', headers });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  await once(incoming, 'end');
}

test('a body that has arrived in several pieces is taken whole', async () => {
  const taken: string[] = [];
  const receiver = createServer((incoming, outgoing) => {
    setImmediate(() => {
      taken.push(String(Buffer.from(takeReceived(incoming, RULES) ?? 'incomplete')));
      outgoing.end();
    });
  });
  const socket = connect(await listen(receiver), '127.0.0.1');
  const head = 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n';
  // The second request is only read if nothing of the first body is left.
  socket.write(`${head}3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n`.repeat(2));
  await expect.poll(() => taken).toEqual(['[1,2]', '[1,2]']);
  socket.destroy();
  receiver.close();
});

describe.each([true, false])('a body with declared length (%j)', (isDeclared) => {
  // Sizes around those at which the buffer grows, and up to the limit.
  test.each([1, 16_384, 65_536, 65_537, 131_072, 131_073, 1_200_000, MAX_SIZE])(
    'of %i bytes is read completely',
    async (size) => {
      const body = Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 31) % 251));
      await send(body, { isDeclared });
      const [first] = read;
      expect(first?.kind === 'body' && body.equals(first.bytes)).toBe(true);
    },
  );

  test('beyond the limit is discarded', async () => {
    await send(Buffer.alloc(MAX_SIZE + 1), { isDeclared });
    expect(read).toEqual([{ kind: 'tooLarge' }]);
  });
});

test('a connection does not accumulate listeners with the number of bodies', async () => {
  const counts: (readonly number[])[] = [];
  for (let index = 0; index < 30; index += 1) {
    await send(Buffer.alloc(10 + index), { isDeclared: index % 2 === 0 });
    const [socket] = sockets;
    counts.push(socket?.eventNames().map((name) => socket.listenerCount(name)) ?? []);
  }
  expect(new Set(sockets).size).toBe(1);
  expect(counts.at(-1)).toEqual(counts[1]);
});
