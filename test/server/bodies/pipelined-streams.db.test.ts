// Streamed responses to pipelined requests: each arrives complete and in order, on the server itself and behind
// `node:http`.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { startMountedService } from '../../support/mounted-service.ts';
import { until } from '../../support/until.ts';
import { listen } from '../../support/listen.ts';
import { use } from '../../support/use.ts';
import { openSocket } from '../../support/raw-client.ts';

const harbor = await useHarbor();
const ROWS = 3000;
/** Requests per connection. */
const PAIR = 2;
const BRACE = 0x7d;
/** The pool has fewer connections than there are requests, and beside a load, some wait long for one. */
const PAIRS = 8;
const LONGEST_WAIT_SECONDS = 150;
const REQUEST = 'GET /lines HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n';

await harbor.sql(`
    create view api.lines as select n as id, repeat('y', 990) as filler from generate_series(1, ${ROWS}) n;
    create view api.endless as select a, b, repeat('y', 990) as filler
      from generate_series(1, 30000) a, generate_series(1, 30000) b;
    grant select on api.lines, api.endless to ${harbor.anon}`);

async function startOwn(): Promise<number> {
  const options = { 'server-max-connection-requests': 4, 'db-pool-acquisition-timeout': LONGEST_WAIT_SECONDS };
  return (await use(startLocalServer(harbor, options))).port;
}

async function startMounted(): Promise<number> {
  const service = await use(startMountedService(harbor, { dbPoolAcquisitionTimeout: LONGEST_WAIT_SECONDS }));
  return listen(await use(createServer(service.createNodeHandler())));
}

const END = '\r\n0\r\n\r\n';

/** @returns the lines and ends of responses received once all have arrived, or if no data arrives for too long */
async function readPair(port: number): Promise<readonly [lines: number, ends: number]> {
  const socket = openSocket(port);
  let [lines, answers] = [0, 0];
  // The end of a response may be split between two chunks.
  let tail = Buffer.alloc(0);
  socket.setTimeout(LONGEST_WAIT_SECONDS * 1000, () => socket.destroy());
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === BRACE) lines += 1;
    const seen = Buffer.concat([tail, chunk]);
    for (let at = seen.indexOf(END); at >= 0; at = seen.indexOf(END, at + 1)) answers += 1;
    tail = seen.subarray(1 - END.length);
    if (lines === PAIR * ROWS && answers === PAIR) socket.destroy();
  });
  socket.write(REQUEST.repeat(PAIR));
  await once(socket, 'close');
  return [lines, answers];
}

test.each([
  ['the server itself', startOwn],
  ['a handler behind node:http', startMounted],
])('B26 two pipelined responses both arrive complete: %s', async (_, start) => {
  const port = await start();
  const counts = await Promise.all(Array.from({ length: PAIRS }, () => readPair(port)));
  expect(counts).toEqual(Array.from({ length: PAIRS }, () => [PAIR * ROWS, PAIR]));
});

test('B26 a client that leaves frees the connections of all its pipelined requests', async () => {
  const port = await startMounted();
  const socket = openSocket(port).pause();
  socket.write(REQUEST.replace('lines', 'endless').repeat(PAIR));
  await until(async () => (await countActive()) === PAIR);
  socket.destroy();
  await until(async () => (await countActive()) === 0);
});

async function countActive(): Promise<unknown> {
  const rows = await harbor.query(
    `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and state = 'active'`,
  );
  return rows[0]?.[0];
}
