// Slow and failing responses: `server-send-timeout`, the count of unsent bytes, and the last bytes of a response.
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { BodySink, BodyStream } from '../../../src/contract/body-stream.ts';
import type { HttpResponse } from '../../../src/contract/http.ts';
import type { HttpLimits } from '../../../src/http/limits/limits.ts';
import { type HandlerServer, useHandlerServers } from '../../support/handler-server.ts';
import { sendRaw, openSocket } from '../../support/raw-client.ts';
import { until } from '../../support/until.ts';

const startServer = useHandlerServers();

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

function start(answer: () => HttpResponse, limits: Partial<HttpLimits> = {}): Promise<HandlerServer> {
  return startServer({ handle: () => Promise.resolve(answer()) }, limits, Infinity);
}

/** Supplies the pieces as fast as they are taken, then waits for the test to end or fail it. */
class PieceBody implements BodyStream {
  readonly byteLength: number | undefined;
  failure: unknown;
  cancelled = 0;
  sink: BodySink | undefined;
  readonly #pieces: Uint8Array[];

  constructor(pieces: readonly Uint8Array[], byteLength?: number) {
    this.#pieces = [...pieces];
    this.byteLength = byteLength;
  }

  read(sink: BodySink): void {
    this.sink = sink;
    this.resume();
  }

  resume(): void {
    for (let isWanted = true; isWanted && this.#pieces.length > 0;) {
      const piece = this.#pieces.shift();
      isWanted = piece !== undefined && this.sink?.take(piece) === true;
    }
  }

  release(): void {}

  cancel(): void {
    this.cancelled += 1;
  }
}

/** A body that never ends. */
class EndlessBody extends PieceBody {
  override resume(): void {
    while (this.sink?.take(Buffer.alloc(65_536, 'x')) === true);
  }
}

const LONG = Buffer.alloc(30_000_000, 'x');

test.each([
  ['buffered', (): HttpResponse => ({ status: 200, headers: [], body: LONG })],
  ['streamed', (): HttpResponse => ({ status: 200, headers: [], body: new EndlessBody([]) })],
])('B26 a client that reads a %s response too slowly is disconnected', async (_, answer) => {
  const own = await start(answer, { serverSendTimeout: 2 });
  const socket = openSocket(own.port).pause();
  socket.write(GET);
  await until(() => own.unsent.bytes > 0);
  // Just more often than the timeout, so that there is always some progress.
  const drips = setInterval(() => socket.read(64), 500);
  await until(() => own.exceeded.length > 0, { seconds: 15 });
  clearInterval(drips);
  await until(() => own.unsent.bytes === 0);
  expect(own.exceeded).toEqual(['server-send-timeout']);
});

test('B26 the connection of a slow HTTP/1.0 client is reset: a close would look like the end of the body', async () => {
  // Whether a client that does not read learns of the reset depends on its system.
  const reset = vi.spyOn(Socket.prototype, 'resetAndDestroy');
  const own = await start(() => ({ status: 200, headers: [], body: new EndlessBody([]) }), { serverSendTimeout: 1 });
  openSocket(own.port).pause().write('GET / HTTP/1.0\r\n\r\n');
  await until(() => own.exceeded.length > 0);
  expect(reset).toHaveBeenCalledOnce();
  reset.mockRestore();
});

test('B26 unsent bytes are counted until the clients disconnect', async () => {
  const own = await start(() => ({ status: 200, headers: [], body: LONG }));
  const sockets: Socket[] = [];
  for (let count = 1; count <= 3; count += 1) {
    const socket = openSocket(own.port).pause();
    socket.write(GET);
    sockets.push(socket);
    await until(() => own.unsent.bytes > count * 20_000_000);
  }
  for (const socket of sockets) socket.destroy();
  await until(() => own.unsent.bytes === 0);
});

test('B26 the unsent bytes of a queued response are counted, but its send timeout does not run', async () => {
  const own = await start(() => ({ status: 200, headers: [], body: LONG }), {
    serverSendTimeout: 1,
    serverMaxConnectionRequests: 4,
  });
  const socket = openSocket(own.port);
  let size = 0;
  socket.on('data', (chunk: Buffer) => (size += chunk.length));
  socket.write(GET.repeat(2));
  await until(() => size > 2 * LONG.length);
  await until(() => own.unsent.bytes === 0);
  expect(own.exceeded).toEqual([]);
});

test('B26 the send timeout does not run while the database computes', async () => {
  const body = new PieceBody([Buffer.alloc(10_000_000, 'x')]);
  const own = await start(() => ({ status: 200, headers: [], body }), { serverSendTimeout: 1 });
  const socket = openSocket(own.port).resume();
  socket.write(GET);
  await until(() => body.sink !== undefined && own.unsent.bytes === 0);
  await setTimeout(2500);
  body.sink?.take(Buffer.from('late'));
  body.sink?.end();
  socket.end();
  await once(socket, 'close');
  expect([own.exceeded, body.cancelled]).toEqual([[], 0]);
});

test.each([
  ['in chunks', undefined],
  ['of known length', 100],
])('B27 bytes already written are sent before a response %s is cut off', async (_, byteLength) => {
  const body = new PieceBody([Buffer.from('first'), Buffer.from('second')], byteLength);
  const resume = body.resume.bind(body);
  body.resume = (): void => {
    resume();
    // In the same turn of the event loop, so nothing has been sent yet.
    body.sink?.fail();
  };
  const own = await start(() => ({ status: 200, headers: [['X-Mark', 'm']], body }));
  const text = await sendRaw(own.port, GET);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Mark: m\r\n[^]*first[^]*second/u);
  expect([text.endsWith('0\r\n\r\n'), body.cancelled, own.crashes]).toEqual([false, 0, []]);
});

test('B27 a body that fails before its first piece is answered with its error', async () => {
  const body = new PieceBody([]);
  const own = await start(() => ({ status: 200, headers: [], body }));
  const answer = sendRaw(own.port, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await until(() => body.sink !== undefined);
  body.failure = { kind: 'connectionLost', details: 'gone' };
  body.sink?.fail();
  expect(await answer).toMatch(/^HTTP\/1\.1 503 [^]*\{"kind":"connectionLost","details":"gone"\}$/u);
});

test('B27 a body that fails while its response is queued is answered with its error', async () => {
  const first = new PieceBody([Buffer.from('one')]);
  const second = new PieceBody([Buffer.from('two')]);
  const bodies = [first, second];
  const own = await start(() => ({ status: 200, headers: [], body: bodies.shift() }), {
    serverMaxConnectionRequests: 4,
  });
  const answer = sendRaw(own.port, GET, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await until(() => bodies.length === 0 && first.sink !== undefined);
  second.failure = { kind: 'connectionLost', details: 'gone' };
  first.sink?.end();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*one\r\n0\r\n\r\nHTTP\/1\.1 503 [^]*"connectionLost"/u);
  expect([second.sink, second.cancelled]).toEqual([undefined, 1]);
});

test('B27 an exception while a body is sent ends only its response and its stream', async () => {
  const bodies: PieceBody[] = [];
  const own = await start(() => {
    const body = new PieceBody([Buffer.from('x')]);
    bodies.push(body);
    // Node.js throws when it writes the head: a response with a Trailer header must be chunked.
    return { status: 200, headers: [['Trailer', 'X-Sum']], body };
  });
  const text = await sendRaw(own.port, 'GET / HTTP/1.0\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 503 /u);
  expect([bodies.map(({ cancelled }) => cancelled), own.crashes.length]).toEqual([[1], 1]);
});
