// The process of the clients, which also writes: so one clock measures from the write to the receipt. It receives orders
// and reports their results as messages.
import { Client as Writer } from 'pg';
import { type Client, ListClient, PollingClient, WatchingClient } from './client.ts';
import { ROWS_PER_ROOM } from './live-database.ts';
import type { Opened, OpenOrder, Order, Written, WriteOrder } from './orders.ts';
import { Latencies, RoomLog, RoomReader } from './room-log.ts';

const WRITERS = 4;
/** How long the clients may take to receive the last commits. */
const LAST_MS = 15_000;

let latencies = new Latencies();
let logs: readonly RoomLog[] = [];
let readers: readonly RoomReader[] = [];
let clients: readonly Client[] = [];
let sequence = 0;
let refused = 0;
let readyCount = 0;
let openedAt = 0;
let openings = new Latencies();
let onReady: () => void = () => undefined;

process.on(
  'message',
  (order: Order) => void obey(order).then((report) => process.send?.({ kind: order.kind, report })),
);

async function obey(order: Order): Promise<Opened | Written> {
  if (order.kind === 'open') return open(order);
  return order.kind === 'storm' ? openAll() : write(order);
}

function open(order: OpenOrder): Promise<Opened> {
  const { port, streams, listed = 1, rooms, isIndexed, isIdle, hasPositions, polling } = order;
  logs = Array.from({ length: rooms }, () => new RoomLog());
  const idle = new RoomLog();
  readers = Array.from(
    { length: streams * listed },
    (_, index) => new RoomReader(isIdle ? idle : (logs[index % rooms] ?? idle)),
  );
  clients = Array.from({ length: streams }, (_, stream) => {
    const numbers = Array.from({ length: listed }, (__, index) => stream * listed + index);
    const options = {
      port,
      reads: numbers.map((number) => {
        const room = (number % rooms) + 1;
        const filter = isIndexed ? `room=eq.${room}` : `room=gte.${room}&room=lt.${room + 1}`;
        return `/${isIdle ? 'idle_row' : 'live_row'}?${filter}`;
      }),
      readers: readers.slice(stream * listed, (stream + 1) * listed),
      hasPositions,
      get latencies() {
        return latencies;
      },
      onReady: () => noteReady(),
      onRefused: () => (refused += 1),
    };
    if (order.listed !== undefined) return new ListClient(options);
    return polling === undefined ? new WatchingClient(options) : new PollingClient(options, polling);
  });
  return openAll();
}

function noteReady(): void {
  readyCount += 1;
  openings.add(performance.now() - openedAt);
  if (readyCount === clients.length) onReady();
}

/** Opens all clients at the same moment, again if they are open. */
async function openAll(): Promise<Opened> {
  openedAt = performance.now();
  openings = new Latencies();
  refused = 0;
  readyCount = 0;
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  if (clients.length === 0) onReady();
  for (const client of clients) client.close();
  for (const client of clients) client.open();
  await ready;
  const [p50 = NaN, p99 = NaN, longest = NaN] = openings.quantiles(0.5, 0.99, 1);
  return { p50, p99, longest, refused };
}

async function write({ databaseUri, commitsPerSecond, seconds }: WriteOrder): Promise<Written> {
  const writers = Array.from({ length: WRITERS }, () => new Writer(databaseUri));
  await Promise.all(writers.map((writer) => writer.connect()));
  latencies = new Latencies();
  for (const reader of readers) reader.startOver();
  const commits = await writeAll(writers, commitsPerSecond * seconds, 1000 / commitsPerSecond);
  await allReceived();
  await Promise.all(writers.map((writer) => writer.end()));
  const [p50 = NaN, p99 = NaN, longest = NaN] = latencies.quantiles(0.5, 0.99, 1);
  const missed = readers.reduce((sum, { missing }) => sum + missing, 0);
  return { commits, p50, p99, longest, received: latencies.count, missed, histogram: latencies.histogram };
}

function writeAll(writers: readonly Writer[], count: number, interval: number): Promise<number> {
  const start = performance.now();
  let written = 0;
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      for (; written < count && start + written * interval <= performance.now(); written += 1)
        writeOnce(writers[written % writers.length], start + written * interval).catch(reject);
      if (written < count) return;
      clearInterval(timer);
      resolve(written);
    }, 1);
  });
}

async function writeOnce(writer: Writer | undefined, dueAt: number): Promise<void> {
  const room = Math.floor(Math.random() * logs.length);
  const id = room + logs.length * Math.floor(Math.random() * ROWS_PER_ROOM);
  sequence += 1;
  logs[room]?.commits.push({ sequence, dueAt });
  const values = [sequence, id];
  await writer?.query({ name: 'write', text: 'UPDATE live_row SET seq = $1 WHERE id = $2', values });
}

async function allReceived(): Promise<void> {
  const end = performance.now() + LAST_MS;
  while (performance.now() < end && readers.some(({ missing }) => missing > 0))
    await new Promise((resolve) => setTimeout(resolve, 50));
}
