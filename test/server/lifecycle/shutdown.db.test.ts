// Shutdown: requests in flight finish, idle connections close, and no new connections are accepted.
import { once } from 'node:events';
import { Agent, get, request } from 'node:http';
import { type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WORKERS } from '../../support/workers.ts';
import { useHarbor } from '../../support/harbor.ts';
import { findFreePort } from '../../support/server-process.ts';
import { post, startLocalServer } from '../../support/local-server.ts';
import { type Spawned, spawnServer } from '../../support/spawned-server.ts';
import { until } from '../../support/until.ts';
import { openSocket } from '../../support/raw-client.ts';

const LARGE = 20_000_000;
/** Seconds that no test waits for. */
const ENDLESS = 3600;

const harbor = await useHarbor();

await harbor.sql(`
    grant insert on api.ledger to ${harbor.anon};
    create function api.large() returns text language sql stable as $$ select repeat('x', ${LARGE - 2}) $$`);

test('O214 requests in flight finish and announce the close; new connections are refused', async () => {
  const ownSessions = `select 1 from pg_stat_activity where usename = '${harbor.login}'`;
  const server = await startLocalServer(harbor);
  const { port } = server;
  const hold = await harbor.hold();
  const waiting = server.get('/rpc/wait', post({}));
  await hold.waiting(1);
  const stopped = server.stop();
  await until(async () => (await outcomeOf(server.get('/berth'))).includes('ECONNREFUSED'));
  await hold.release();
  const { status, headers } = await waiting;
  expect([status, headers.connection]).toEqual([200, 'close']);
  await stopped;
  expect(port).toBeGreaterThan(0);
  // A session that was sent Terminate ends in its own time.
  await until(async () => (await harbor.query(ownSessions)).length === 0);
});

function outcomeOf(answer: Promise<{ readonly status: number }>): Promise<string> {
  return answer.then(({ status }) => String(status), String);
}

test('O213 O214 a client that connected just before the shutdown is answered', async () => {
  const server = await startLocalServer(harbor);
  const early = openSocket(server.port);
  await once(early, 'connect');
  await setTimeout(50);
  const stopped = server.stop();
  await setTimeout(20);
  early.write('GET /berth?select=id&id=eq.1 HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await text(early)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*\[\{"id":1\}\]$/u);
  await stopped;
});

test('O214 a request received on an idle connection is answered', async () => {
  const server = await startLocalServer(harbor);
  const request = 'GET /berth?select=id&id=eq.1 HTTP/1.1\r\nHost: x\r\n\r\n';
  const kept = openSocket(server.port);
  let received = '';
  kept.on('data', (chunk: Buffer) => (received += chunk.toString()));
  kept.write(request);
  await until(() => received.endsWith('[{"id":1}]'));
  // The request is in the socket buffer of the server, unread, when the shutdown begins.
  kept.write(request);
  const stopped = server.stop();
  await once(kept, 'close');
  const answers = received.split(/(?=HTTP\/1\.1 )/u);
  expect(answers).toHaveLength(2);
  expect(answers[1]).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\[\{"id":1\}\]$/u);
  await stopped;
});

test('O214 connections in the accept queue at the start of the shutdown are answered', async () => {
  const server = await startLocalServer(harbor);
  const answers = Array.from({ length: 50 }, () => {
    const client = openSocket(server.port);
    client.write('GET /berth?select=id&id=eq.1 HTTP/1.1\r\nHost: x\r\n\r\n');
    return text(client);
  });
  // The kernel has established the connections, and the server has accepted none.
  await new Promise((resolve) => process.nextTick(resolve));
  const stopped = server.stop();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
  await stopped;
});

test('O214 idle and silent connections do not hold up the shutdown', async () => {
  const server = await startLocalServer(harbor, { 'server-shutdown-grace': ENDLESS });
  const agent = new Agent({ keepAlive: true });
  const [response] = (await once(get({ host: '127.0.0.1', port: server.port, path: '/berth', agent }), 'response')) as [
    NodeJS.ReadableStream,
  ];
  response.resume();
  await once(response, 'end');
  const silent = openSocket(server.port);
  await once(silent, 'connect');
  await server.stop();
  agent.destroy();
});

test.each([
  ['request', 'GET /berth HTTP/1.1\r\nHost: x\r\n'],
  ['body', 'POST /ledger HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n{"id":'],
])('a %s that is only half sent delays the shutdown briefly, not for good', async (_, bytes) => {
  const server = await startLocalServer(harbor, { 'server-shutdown-grace': ENDLESS });
  const half = openSocket(server.port);
  half.write(bytes);
  await setTimeout(50);
  await server.stop();
  expect(server.count(/^Requests cut off at shutdown: 1\. /u)).toBe(1);
});

test('a half-sent body that continues in time is read and answered', async () => {
  const server = await startLocalServer(harbor);
  const slow = openSocket(server.port);
  slow.write('POST /ledger HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n');
  await setTimeout(50);
  const stopped = server.stop();
  for (const byte of '{"id": 7}') {
    await setTimeout(150);
    slow.write(byte);
  }
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 201 Created\r\n[^]*\r\nConnection: close\r\n/u);
  await stopped;
  expect(server.count(/^Requests cut off/u)).toBe(0);
});

test.each(['close', 'keep-alive'])(
  'O214 a slow reader receives all of a large response (Connection: %s)',
  async (connection) => {
    const server = await startLocalServer(harbor);
    const reader = openSocket(server.port);
    reader.write(`GET /rpc/large HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`);
    // The response is complete, and most of it waits for the client.
    await once(reader, 'readable');
    const stopped = server.stop();
    await setTimeout(700);
    const bytes = await readSlowly(reader);
    expect(bytes.subarray(0, 15).toString()).toBe('HTTP/1.1 200 OK');
    expect(bytes.byteLength - bytes.indexOf('\r\n\r\n') - 4).toBe(LARGE);
    await stopped;
    expect(server.count(/^Requests cut off/u)).toBe(0);
  },
);

async function readSlowly(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (chunks.length % 100 === 0) await setTimeout(10);
  }
  return Buffer.concat(chunks);
}

test('requests that outlast server-shutdown-grace are cut off, their statements are cancelled, and the log says so', async () => {
  const server = await startLocalServer(harbor, { 'server-shutdown-grace': 1 });
  const cut = expect(server.get('/rpc/nap_reading?seconds=60')).rejects.toThrow('socket hang up');
  const napping = `select 1 from pg_stat_activity where usename = '${harbor.login}' and query ~ 'nap' and state = 'active'`;
  await until(async () => (await harbor.query(napping)).length === 1);
  const unread = openSocket(server.port);
  unread.write('GET /rpc/large HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(unread, 'readable');
  await server.stop();
  await cut;
  expect(server.count(/^Requests cut off at shutdown: 2\. .*server-shutdown-grace \(1 seconds\)$/u)).toBe(1);
  await until(async () => (await harbor.query(napping)).length === 0);
});

test('O214 each of several pipelined requests is either answered or not run', async () => {
  const server = await startLocalServer(harbor);
  const writing = (id: number): string =>
    `POST /ledger HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"id":${id}}`;
  const client = openSocket(server.port);
  client.write('GET /rpc/nap_reading?seconds=0.3 HTTP/1.1\r\nHost: x\r\n\r\n' + writing(501) + writing(502));
  await setTimeout(100);
  const stopped = server.stop();
  const answers = (await text(client)).split(/(?=HTTP\/1\.1 )/u);
  await stopped;
  // No response follows one that announces the close.
  expect(answers.findIndex((answer) => answer.includes('\r\nConnection: close\r\n'))).toBeOneOf([
    -1,
    answers.length - 1,
  ]);
  const written = await harbor.query('select id from api.ledger where id > 500 and id < 600');
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 201 '))).toHaveLength(written.length);
});

/** Writes rows one after another, on a kept-alive connection if the server keeps it. */
class Writer {
  readonly outcomes: string[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  #isOver = false;

  constructor(port: number) {
    this.#port = port;
  }

  async run(nextId: () => number): Promise<void> {
    while (!this.#isOver) {
      const outcome = await this.#write(nextId());
      this.outcomes.push(outcome);
      if (outcome === 'ECONNREFUSED') break;
    }
    this.#agent.destroy();
  }

  stop(): void {
    this.#isOver = true;
  }

  /** @returns the status or error code */
  #write(id: number): Promise<string> {
    const headers = { 'Content-Type': 'application/json' };
    const place = { host: '127.0.0.1', port: this.#port, path: '/ledger', method: 'POST', headers, agent: this.#agent };
    return new Promise((resolve) => {
      const outgoing = request(place, (incoming) => {
        incoming.resume().on('close', () => resolve(String(incoming.statusCode)));
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      outgoing.end(JSON.stringify({ id }));
    });
  }
}

async function spawnOn(port: number, isShared: boolean, workers = WORKERS): Promise<Spawned> {
  const options = {
    'db-uri': harbor.uri,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-channel-enabled': false,
    'server-workers': workers,
  };
  const place = { 'server-host': '127.0.0.1', 'server-port': port, 'server-reuseport': isShared, 'log-level': 'warn' };
  const spawned = spawnServer([], { options: { ...options, ...place } });
  await spawned.logged(/API server listening/u);
  return spawned;
}

test.each([
  ['with a port of its own', false, WORKERS],
  ['with a shared port', true, WORKERS],
  ['with two workers', false, 2],
])(
  'O214 32 clients that write on kept-alive connections to a server %s lose no response and no row',
  async (_, isShared, workers) => {
    await harbor.sql('truncate api.ledger');
    const port = await findFreePort();
    const other = isShared && process.platform === 'linux' ? await spawnOn(port, true, workers) : undefined;
    const ending = await spawnOn(port, isShared, workers);
    let id = 0;
    const writers = Array.from({ length: 32 }, () => new Writer(port));
    const over = Promise.all(writers.map((writer) => writer.run(() => ++id)));
    await until(() => writers.every(({ outcomes }) => outcomes.length > 1), { seconds: 30 });
    ending.signal('SIGTERM');
    expect(await ending.ended()).toBe(0);
    for (const writer of writers) writer.stop();
    await over;
    other?.signal('SIGTERM');
    await other?.ended();
    const outcomes = writers.flatMap((writer) => writer.outcomes);
    const refused = outcomes.filter((outcome) => outcome === 'ECONNREFUSED').length;
    const written = outcomes.filter((outcome) => outcome === '201').length;
    expect([written + refused, other === undefined || refused === 0]).toEqual([outcomes.length, true]);
    expect(await harbor.query('select count(*)::int from api.ledger')).toEqual([[written]]);
  },
);

test('O182 a stop during the first load ends the load without logging a failure', async () => {
  const server = await startLocalServer(
    harbor,
    { 'internal-schema-cache-query-sleep': ENDLESS * 1000 },
    { isAwaited: false },
  );
  await server.logged(/^Connection Pool initialized/u);
  await setTimeout(100);
  await server.stop();
  expect(server.count(/^Failed/u)).toBe(0);
  expect(server.server.apiAddress).toBeUndefined();
});
