// Overload from one connection and from many, next to a well-behaved client. `npm run test:hostile` sends more, prints
// figures and checks times; other runs send a sample and check only counts.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { measureCapacity, runOpenLoad } from './open-load.ts';
import { type Numbered, OverloadTestbed, POOL, rowByKey, slowEcho } from './overload-testbed.ts';
import type { AnswerTally } from './tally.ts';
import { WireClient } from './wire-client.ts';
import { isLong } from '../support/long-form.ts';
import { use } from '../support/use.ts';

/** In milliseconds, checked in the long form. */
const LONGEST_WAIT = 2000;
/** Megabytes of memory afterwards, and at the peak. */
const [MAX_KEPT, MAX_PEAK] = isLong ? [450, 900] : [350, 500];

const testbed = await use(OverloadTestbed.open());

function report(what: string, text: string): void {
  if (isLong) console.log(`overload  ${what.padEnd(44)} ${text}`);
}

/**
 * Checks that every response is allowed and belongs to its request, and that accepted requests are answered in time.
 */
function expectFair(what: string, tally: AnswerTally): void {
  report(what, tally.describe());
  expect(tally.problems.slice(0, 5)).toEqual([]);
  expect(tally.count(200)).toBeGreaterThan(0);
  if (isLong) expect(tally.quantile(200, 0.99)).toBeLessThan(LONGEST_WAIT);
}

async function expectRecovered(what: string): Promise<void> {
  await testbed.expectWhole();
  await until(async () => (await testbed.memory()).now < MAX_KEPT, { why: () => `less memory after ${what}` });
  const { now, peak } = await testbed.memory();
  report(what, `${Math.round(now)} MB kept, ${Math.round(peak)} MB at the highest so far`);
  expect(peak).toBeLessThan(MAX_PEAK);
}

function questions(count: number): readonly Numbered[] {
  return Array.from({ length: count }, (_, index) => rowByKey(index * 7));
}

test('one connection that pipelines thousands of requests is answered in order and takes at most every other turn', async () => {
  const asked = questions(isLong ? 40_000 : 2000);
  const pipeliner = await WireClient.open(testbed.port);
  const neighbor = await testbed.beside(async () => {
    const replies = await Promise.all(pipeliner.askAll(asked.map(({ target }) => target)));
    const wrong = replies.filter(({ status, body }, index) => status !== 200 || body !== asked[index]?.body);
    expect(wrong.slice(0, 5)).toEqual([]);
  });
  pipeliner.reset();
  expectFair('beside one that sends ahead', neighbor);
  // The two alternate, but the neighbor's round trip is longer than the pipeliner's.
  expect(neighbor.count(200)).toBeGreaterThan(asked.length / 20);
  expect(neighbor.count(503)).toBe(0);
  await expectRecovered('one that sends ahead');
});

test('connections that pipeline thousands of requests and disconnect leave nothing behind', async () => {
  const targets = questions(1400).map(({ target }) => target);
  const rounds = isLong ? 20 : 3;
  const modest = await WireClient.open(testbed.port);
  const neighbor = await testbed.beside(async () => {
    for (let round = 0; round < rounds; round += 1) {
      const pipeliners = await WireClient.openMany(testbed.port, 10);
      const firsts = Promise.all(pipeliners.flatMap((client) => client.askAll(targets).slice(0, 1)));
      const replies = await Promise.all(modest.askAll(targets.slice(0, 10)));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      // If disconnects of the previous round have not been noticed yet, there may be no room for a request.
      for (const { status } of await firsts) expect([200, 0]).toContain(status);
      for (const client of pipeliners) client.reset();
    }
  });
  modest.reset();
  expectFair('beside ten that send ahead and leave', neighbor);
  await expectRecovered('ten that send ahead and leave');
});

test.each([
  ['a slow function', slowEcho, isLong ? 20 : 4],
  ['the row by key', rowByKey, isLong ? 10 : 1],
] as const)('%s at five times the capacity', async (name, question, seconds) => {
  const few = await WireClient.openMany(testbed.port, POOL * 2);
  const capacity = await measureCapacity(few, { question, count: question === slowEcho ? 100 : 2000 });
  const crowd = await WireClient.openMany(testbed.port, isLong ? 1000 : 300);
  const rate = capacity * 5;
  const neighbor = await testbed.beside(async () => {
    const load = { clients: crowd, question, rate, count: Math.round(rate * seconds) };
    const outcome = await runOpenLoad(load);
    report(name, `served ${Math.round(capacity)}/s, asked ${Math.round(outcome.rate)} of ${Math.round(rate)}/s`);
    expectFair(name, outcome.tally);
    // Cheap requests are not refused: the clients are limited by their own connections.
    if (question === slowEcho) expect(outcome.tally.count(503)).toBeGreaterThan(0);
  });
  expectFair(`beside ${name}`, neighbor);
  for (const client of [...few, ...crowd]) client.reset();
  await expectRecovered(name);
});

/**
 * Opens many connections, sends the same bytes on each, and then stays silent. @param isDeaf also stops reading once a
 * response has begun to arrive, so that the load on the server is the buffered response and not the time to compute it
 */
async function occupy(count: number, bytes: string, isDeaf = false): Promise<readonly Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(testbed.port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(bytes);
      if (isDeaf) await once(socket, 'readable');
      else socket.resume();
      return socket;
    }),
  );
}

const POST =
  'POST /rpc/slow_echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n';

test('all at once: idle connections, half-sent heads and bodies, deaf readers, a pipeliner and many clients', async () => {
  const many = isLong ? 1000 : 100;
  const crowd = await WireClient.openMany(testbed.port, many);
  const pipeliner = await WireClient.open(testbed.port);
  const idlers: Socket[] = [];
  const neighbor = await testbed.beside(async () => {
    idlers.push(...(await occupy(many * 2, '')));
    idlers.push(...(await occupy(many, 'GET /numbered HTTP/1.1\r\nHost: x\r\nX-Half: ')));
    idlers.push(...(await occupy(many, POST + '['.repeat(30_000))));
    const large = 'GET /rpc/large?size=5000000 HTTP/1.1\r\nHost: x\r\n\r\n';
    idlers.push(...(await occupy(isLong ? 40 : 10, large, true)));
    const asked = questions(many * 10);
    const pipelined = pipeliner.askAll(asked.map(({ target }) => target));
    const load = { clients: crowd, question: slowEcho, rate: 400, count: many * 8 };
    expectFair('all at once: the crowd', (await runOpenLoad(load)).tally);
    for (const { status } of await Promise.all(pipelined)) expect([200, 503]).toContain(status);
  });
  expectFair('all at once: the neighbor', neighbor);
  for (const socket of idlers) socket.resetAndDestroy();
  for (const client of [...crowd, pipeliner]) client.reset();
  await expectRecovered('all at once');
});
