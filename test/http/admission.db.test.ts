// Which requests are rejected under load, and that admitted ones are answered in time.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Admission, findExceededLimit } from '../../src/http/limits/admission.ts';
import type { HttpLimits } from '../../src/http/limits/limits.ts';
import { useHarbor } from '../support/harbor.ts';
import { LIMITS } from '../support/handler-server.ts';
import { post, startLocalServer } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { openSocket } from '../support/raw-client.ts';

const harbor = await useHarbor();
const server = await use(startLocalServer(harbor, { 'db-pool': 2, 'server-max-requests': 3, 'log-level': 'info' }));

const WAIT = 'server-max-wait';
const NUMBER = 'server-max-requests';

test.each<readonly [string, number, number | undefined, number, Partial<HttpLimits>, string | undefined]>([
  ['no requests', 0, undefined, 0, {}, undefined],
  ['few requests, however slow', 99, 60_000, 0, {}, undefined],
  ['more requests of unknown speed', 999, 99, 0, {}, undefined],
  ['more requests, answered at 200/s', 190, 1000, 200, {}, undefined],
  ['more than are answered in time', 250, 1000, 200, {}, WAIT],
  ['none answered for a while', 100, 2000, 0, {}, WAIT],
  ['the same with a longer limit', 250, 1000, 200, { serverMaxWait: 2 }, undefined],
  ['the same without a limit', 900, 60_000, 0, { serverMaxWait: 0 }, undefined],
  ['many requests that are answered immediately', 999, 1000, 20_000, {}, undefined],
  ['as many as allowed', 1000, 1000, 20_000, {}, NUMBER],
  ['as many as allowed, without a queue', 1000, undefined, 0, {}, NUMBER],
  ['a small pool', 49, 10_000, 10, { dbPool: 1 }, undefined],
  ['a small pool with too many requests', 50, 10_000, 10, { dbPool: 1 }, WAIT],
  ['a large pool', 999, 10_000, 10, { dbPool: 100 }, undefined],
])('%s', (_, inFlight, queuedForMs, completed, limits, expected) => {
  expect(findExceededLimit({ inFlight, queuedForMs, completed }, { ...LIMITS, ...limits })).toBe(expected);
});

/** Work that ends on demand, with a clock that stands still. */
function createWork(): {
  readonly admission: Admission;
  readonly gauges: { permitWaiters: number };
  readonly clock: { now: number };
  readonly start: (count: number) => void;
  readonly end: (count: number) => Promise<void>;
} {
  const clock = { now: 0 };
  const gauges = { permitWaiters: 0 };
  const admission = new Admission({
    limits: { config: LIMITS },
    countPermitWaiters: () => gauges.permitWaiters,
    clock: () => clock.now,
  });
  const ends: (() => void)[] = [];
  return {
    admission,
    gauges,
    clock,
    start(count) {
      for (let index = 0; index < count; index += 1)
        void admission.run(() => new Promise<void>((resolve) => void ends.push(resolve)));
    },
    async end(count) {
      for (const end of ends.splice(0, count)) end();
      await setTimeout(0);
    },
  };
}

test('a queue that shrinks too slowly accepts no more requests until it is shorter', async () => {
  const { admission, clock, start, end } = createWork();
  start(300);
  expect(admission.check()).toBeUndefined();
  clock.now = 500;
  expect(admission.check()).toBe(WAIT);
  await end(100);
  // 200 are left at 200/s.
  expect(admission.check()).toBeUndefined();
  start(50);
  expect(admission.check()).toBe(WAIT);
});

test('requests answered immediately say nothing about the queue', async () => {
  const { admission, clock, start } = createWork();
  start(150);
  clock.now = 1000;
  for (let count = 0; count < 1000; count += 1) await admission.run(() => Promise.resolve());
  expect(admission.check()).toBe(WAIT);
});

test('the current speed counts, not that of an hour ago', async () => {
  const { admission, clock, start, end } = createWork();
  start(11);
  for (let tick = 1; tick <= 100; tick += 1) {
    clock.now += 100;
    start(10);
    await end(10);
  }
  start(140);
  expect(admission.check()).toBe(WAIT);
  for (let tick = 1; tick <= 50; tick += 1) {
    clock.now += 100;
    start(20);
    await end(20);
  }
  // 151 at 200/s.
  expect(admission.check()).toBeUndefined();
});

test('requests that wait for a stream permit do not count as queued for connections', () => {
  const { admission, gauges, clock, start } = createWork();
  start(300);
  gauges.permitWaiters = 295;
  expect(admission.check()).toBeUndefined();
  clock.now = 5000;
  expect(admission.check()).toBeUndefined();
  // The queue starts when they have their permits, and its speed is known only after a while.
  gauges.permitWaiters = 0;
  expect(admission.check()).toBeUndefined();
  clock.now = 5500;
  expect(admission.check()).toBe(WAIT);
});

test('requests that wait for their clients do not count as queued for connections', () => {
  const { admission, clock, start } = createWork();
  start(1000);
  expect(admission.check()).toBe(NUMBER);
  for (let index = 0; index < 995; index += 1) admission.beginClientWait();
  expect(admission.check()).toBeUndefined();
  clock.now = 5000;
  expect(admission.check()).toBeUndefined();
  for (let index = 0; index < 300; index += 1) admission.endClientWait();
  clock.now = 5500;
  expect(admission.check()).toBe(WAIT);
});

test('one request above the limit gets 503 before its token is checked', async () => {
  const naps = [1, 2, 3].map(() => server.get('/rpc/nap', post({ seconds: 1 })));
  const running = `select 1 from pg_stat_activity where state = 'active' and query ~ 'nap' and usename = '${harbor.login}'`;
  await until(async () => (await harbor.query(running)).length === 2);
  await until(async () => (await server.metric('db_pool_waiting')) === 1);
  const { status, headers, text } = await server.get('/berth', { headers: { Authorization: 'Bearer a.b' } });
  expect([status, headers['retry-after'], headers['proxy-status'], headers['connection']]).toEqual([
    503,
    '1',
    'rowhouse; error=SVC005',
    'close',
  ]);
  expect(JSON.parse(text)).toEqual({
    code: 'SVC005',
    details: 'The server handles up to 3 requests at a time',
    hint: 'Try again later. The operator sets this limit with server-max-requests',
    message: 'The server is overloaded',
  });
  const loads = server.count(/^Schema cache loaded in /u);
  expect((await Promise.all(naps)).map((nap) => nap.status)).toEqual([200, 200, 200]);
  expect((await server.get('/berth?select=id&id=eq.1')).text).toBe('[{"id":1}]');
  expect((await server.admin('/metrics')).text).toContain('svc_http_refused_total{reason="server-max-requests"} 1.0\n');
  expect(server.out.filter((line) => line.includes('"GET /berth HTTP/1.1" 503 '))).toHaveLength(1);
  // A rejected request says nothing about the database.
  expect(server.count(/^Schema cache loaded in /u)).toBe(loads);
});

test('requests whose bodies end when the limit is reached get 503, although it was not reached when they began', async () => {
  const hold = await harbor.hold();
  const head = 'POST /rpc/wait HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n';
  const sockets = Array.from({ length: 5 }, () => openSocket(server.port));
  const answers = sockets.map(() => '');
  for (const [index, socket] of sockets.entries()) {
    socket.on('data', (chunk: Buffer) => (answers[index] += chunk.toString()));
    await once(socket, 'connect');
    socket.write(`${head}{`);
  }
  // Heads are checked in the order in which they arrive.
  expect((await server.get('/berth?limit=0')).status).toBe(200);
  for (const socket of sockets) socket.write('}');
  await until(() => answers.filter((answer) => answer.startsWith('HTTP/1.1 503 ')).length === 2, {
    seconds: 10,
    why: () => answers.join(),
  });
  await hold.release();
  await until(() => answers.filter((answer) => answer.startsWith('HTTP/1.1 200 ')).length === 3);
  expect(answers.filter((answer) => /error=SVC005\r\n/u.test(answer))).toHaveLength(2);
});

/** Sends requests at a steady rate over open connections, regardless of their responses. */
class OpenLoad {
  readonly latencies: Map<number, number[]> = new Map();
  readonly #idle: Socket[] = [];
  readonly #request: string;
  #busyCount = 0;

  constructor(port: number, path: string, connections: number) {
    this.#request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    for (let index = 0; index < connections; index += 1) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('connect', () => this.#idle.push(socket));
    }
  }

  get idleCount(): number {
    return this.#idle.length;
  }

  async run(rate: number, seconds: number): Promise<void> {
    const begin = performance.now();
    for (let sent = 0; sent < rate * seconds; await setTimeout(5))
      for (; sent < (rate * (performance.now() - begin)) / 1000; sent += 1) this.#send();
    await until(() => this.#busyCount === 0, { seconds: 20 });
    for (const socket of this.#idle) socket.destroy();
  }

  #send(): void {
    const socket = this.#idle.pop();
    // A machine that was busy has more requests to send than connections for them.
    if (socket === undefined) return;
    const begin = performance.now();
    this.#busyCount += 1;
    socket.write(this.#request);
    socket.once('data', (chunk: Buffer) => {
      const status = Number(chunk.toString('latin1', 9, 12));
      this.latencies.set(status, [...(this.latencies.get(status) ?? []), performance.now() - begin]);
      this.#busyCount -= 1;
      this.#idle.push(socket);
    });
  }
}

// The long form of test/hostile/overload.db.test.ts measures how long admitted requests wait; this machine may be busy.
test('at five times the sustainable load, admitted requests are answered and the others rejected', async () => {
  const slow = await startLocalServer(harbor, { 'db-pool': 5, 'log-level': 'crit' });
  // 25 a second, which even a busy machine can serve.
  const load = new OpenLoad(slow.port, '/rpc/nap_reading?seconds=0.2', 300);
  await until(() => load.idleCount === 300);
  await load.run(125, 4);
  const accepted = load.latencies.get(200) ?? [];
  const refused = load.latencies.get(503) ?? [];
  expect(new Set(load.latencies.keys())).toEqual(new Set([200, 503]));
  expect(accepted.length).toBeGreaterThan(50);
  expect(refused.length).toBeGreaterThan(100);
  await slow.stop();
});
