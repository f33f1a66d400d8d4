// `npm run bench -- live`: clients that watch rooms of a chat while rows are written. Measures the time from a write until
// the clients have it, the memory and CPU of the server, and a row by key beside it. Compares with polling.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type MonitoredServer, startBenchServer } from './servers/bench-server.ts';
import type { BenchCluster } from './servers/bench-cluster.ts';
import { type CpuTime, readFamilyTime, readProcessTime, totalTime } from './servers/cpu-time.ts';
import { readOwnMemory, watchMemory } from './servers/memory-watch.ts';
import { LoadGenerator, type LoadResult } from './load/run-load.ts';
import { Clients } from './live/clients.ts';
import { PUBLICATION, startLiveDatabase } from './live/live-database.ts';
import type { Opened, Written } from './live/orders.ts';
import { type Curve, plotLatencies } from './live/plot.ts';
import { readCounters } from './live/read-counters.ts';
import { renderTable } from './report.ts';

const USAGE = `npm run bench -- live [options]
  --seconds N   length of each measurement (default 20)
  --rate N      commits per second (default 100)
  --case TEXT   only the cases whose name contains the text; repeatable
  --plot FILE   writes a plot of the latencies as SVG
  --profile DIR writes CPU profiles of the server
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '100' },
    case: { type: 'string', multiple: true, default: [''] },
    plot: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

interface Case {
  readonly name: string;
  /** Number of connections. */
  readonly streams: number;
  /** Reads on each connection, as a list. */
  readonly listed?: number;
  readonly rooms: number;
  /** Default: true. */
  readonly isIndexed?: boolean;
  readonly isIdle?: boolean;
  readonly hasPositions?: boolean;
  /** Milliseconds. */
  readonly polling?: number;
  /** Breaks all connections in the middle. */
  readonly hasStorm?: boolean;
}

const CASES: readonly Case[] = [
  { name: 'no clients', streams: 0, rooms: 1000 },
  { name: '1,000 streams, 1,000 groups', streams: 1000, rooms: 1000 },
  { name: '1,000 polling each second', streams: 1000, rooms: 1000, polling: 1000 },
  { name: '1,000 streams, 100 groups', streams: 1000, rooms: 100 },
  { name: '1,000 streams, 100 groups, no equality', streams: 1000, rooms: 100, isIndexed: false },
  { name: '1,000 streams, 1 group', streams: 1000, rooms: 1 },
  { name: '10,000 streams, 1,000 groups', streams: 10_000, rooms: 1000 },
  { name: '10,000 streams, storm', streams: 10_000, rooms: 1000, hasStorm: true },
  { name: '5,000 streams', streams: 5000, rooms: 1000 },
  { name: '5,000 reads, 1,000 lists', streams: 1000, listed: 5, rooms: 1000 },
  { name: '5,000 reads, 1,000 lists, positions', streams: 1000, listed: 5, rooms: 1000, hasPositions: true },
  { name: '10,000 idle streams', streams: 10_000, rooms: 1000, isIdle: true },
  { name: '10,000 idle streams, positions', streams: 10_000, rooms: 1000, isIdle: true, hasPositions: true },
];

const COLUMNS = [
  'case',
  'open p50 ms',
  'p99',
  'longest',
  'refused',
  'p50 ms',
  'p99 ms',
  'longest',
  'missed',
  'events/s',
  'reads',
  'resets',
  'server MB',
  'server %',
  'database %',
  'clients %',
  'row by key p50',
  'p99',
  'without',
  'ratio',
];

const MB = 1_000_000;
const ENVIRONMENT = {
  SVC_LIVE_PUBLICATION: PUBLICATION,
  SVC_LIVE_MAX_STREAMS: '20000',
  SVC_SERVER_MAX_CONNECTIONS: '20000',
  SVC_LOG_LEVEL: 'crit',
};
/** Requests per second for a row by key. */
const KEY_RATE = 200;
const seconds = Number(values.seconds);

if (values.help) process.stdout.write(USAGE);
else await run();

async function run(): Promise<void> {
  const rows: (readonly string[])[] = [COLUMNS];
  const curves: Curve[] = [];
  for (const each of CASES.filter(({ name }) => values.case.some((text) => name.includes(text)))) {
    const { cells, written } = await measureCase(each);
    rows.push(cells);
    if (written.received > 0) curves.push({ name: each.name, histogram: written.histogram });
    process.stdout.write(renderTable([COLUMNS, cells]));
  }
  process.stdout.write(`\n${renderTable(rows)}`);
  if (values.plot !== undefined) writeFileSync(values.plot, plotLatencies(curves));
}

interface Outcome {
  readonly cells: readonly string[];
  readonly written: Written;
}

async function measureCase(each: Case): Promise<Outcome> {
  const database = await startLiveDatabase(each.rooms);
  const server = await startBenchServer(database.uri, {
    profileFolder: values.profile,
    environment: ENVIRONMENT,
  });
  const [clients, load] = [new Clients(), new LoadGenerator()];
  try {
    return await measure(each, { database, server, clients, load });
  } finally {
    clients.stop();
    load.stop();
    await server.stop();
    await database.stop();
  }
}

interface Parts {
  readonly database: BenchCluster;
  readonly server: MonitoredServer;
  readonly clients: Clients;
  readonly load: LoadGenerator;
}

/** The row by key is measured beside the same writes without and with the streams. */
async function measure(each: Case, { database, server, clients, load }: Parts): Promise<Outcome> {
  const { streams, listed, rooms, isIndexed = true, isIdle = false, hasPositions = false, polling } = each;
  const watching = { port: server.port, listed, rooms, isIndexed, isIdle, hasPositions, polling };
  const order = { databaseUri: database.uri, commitsPerSecond: Number(values.rate), seconds };
  const readKeys = (): Promise<LoadResult> =>
    load.run({
      port: server.port,
      connections: 16,
      requests: ['GET /live_row?id=eq.7 HTTP/1.1\r\nHost: bench\r\n\r\n'],
      rate: KEY_RATE,
      status: 200,
      milliseconds: seconds * 1000,
    });
  await clients.open({ ...watching, streams: 0 });
  await readKeys();
  const [without] = await Promise.all([readKeys(), clients.write(order)]);
  const opened = await clients.open({ ...watching, streams });
  const memory = watchMemory(() => readOwnMemory(server.pid));
  const before = await readCounters(server.adminPort);
  const meter = startMeters({ server: server.pid, clients: clients.pid, database: database.pid });
  const [written, keys, storm] = await Promise.all([
    clients.write(order),
    readKeys(),
    each.hasStorm === true ? delay(seconds * 300).then(() => clients.storm()) : undefined,
  ]);
  const use = meter();
  const after = await readCounters(server.adminPort);
  const figures = { opened: storm ?? opened, written, keys, without, use, memory: memory.stop() };
  const counts = [after.reads - before.reads, after.resets - before.resets].map(String);
  return { cells: renderCells(each.name, figures, counts), written };
}

interface Figures {
  readonly opened: Opened;
  readonly written: Written;
  readonly keys: LoadResult;
  readonly without: LoadResult;
  readonly use: Readonly<Record<'server' | 'database' | 'clients', number>>;
  readonly memory: number;
}

function renderCells(name: string, figures: Figures, counts: readonly string[]): readonly string[] {
  const { opened, written, keys, without, use, memory } = figures;
  return [
    name,
    ...[opened.p50, opened.p99, opened.longest].map((time) => time.toFixed(0)),
    String(opened.refused),
    ...[written.p50, written.p99, written.longest].map((time) => time.toFixed(0)),
    String(written.missed),
    (written.received / seconds).toFixed(0),
    ...counts,
    (memory / MB).toFixed(0),
    ...[use.server, use.database, use.clients].map((part) => (part * 100).toFixed(0)),
    ...[keys.p50, keys.p99, without.p99].map((time) => time.toFixed(2)),
    (keys.p99 / without.p99).toFixed(2),
  ];
}

interface Pids {
  readonly server: number;
  readonly database: number;
  readonly clients: number;
}

/** @returns a function that returns the cores that each has used since */
function startMeters(pids: Pids): () => Readonly<Record<keyof Pids, number>> {
  const read = (): Readonly<Record<keyof Pids, CpuTime | undefined>> => ({
    server: readProcessTime(pids.server),
    database: readFamilyTime(pids.database),
    clients: readProcessTime(pids.clients),
  });
  const [begun, first] = [performance.now(), read()];
  return () => {
    const last = read();
    const microseconds = (performance.now() - begun) * 1000;
    const part = (name: keyof Pids): number =>
      ((totalTime(last[name]) ?? NaN) - (totalTime(first[name]) ?? NaN)) / microseconds;
    return { server: part('server'), database: part('database'), clients: part('clients') };
  };
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
