// `npm run bench -- streams`: large response bodies for fast clients, a slow client, and many slow clients. Measures the
// memory of the server and the database, and the latency of other requests. Compares with psql.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startBenchDatabase, ROLE, type BenchDatabase } from './servers/bench-database.ts';
import { startBenchServer } from './servers/bench-server.ts';
import { readLargestChild, readOwnMemory, watchMemory } from './servers/memory-watch.ts';
import { startPacedLoad } from './load/paced-load.ts';
import { renderTable } from './report.ts';
import { BASE_TABLE, renderRelation, STREAM_CASES, type StreamCase } from './stream-cases.ts';
import type { PeerReport } from './load/stream-peer.ts';

const USAGE = `npm run bench -- streams [options]
  --megabytes N   size of the body for a fast client (default 1000)
  --slow N        size of the body for a slow client (default 60), which limits its duration
  --rate N        megabytes per second that a slow client reads (default 5)
  --of KIND       kind of relation: table (default), or view, whose rows are materialized for arrays and CSV
  --case TEXT     only the cases whose name contains the text; repeatable
  --main FILE     entry point of the built server (default dist/cli/main.js)
Cases: ${STREAM_CASES.map(({ name }) => name).join(', ')}
`;

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1000' },
    slow: { type: 'string', default: '60' },
    rate: { type: 'string', default: '5' },
    of: { type: 'string', default: 'table' },
    case: { type: 'string', multiple: true, default: [''] },
    main: { type: 'string', default: 'dist/cli/main.js' },
    help: { type: 'boolean', default: false },
  },
});

const MB = 1_000_000;
const PEER = fileURLToPath(new URL('load/stream-peer.js', import.meta.url));
/** Number of slow clients at once; the pool is large enough for all of them and for others. */
const CROWD = 10;
const POOL = '24';
const COLUMNS = [
  'case, peers',
  'MB each',
  'first byte ms',
  'MB/s',
  'psql MB/s',
  'server MB beyond idle',
  'backend MB',
  'row by key p99 ms',
  'beside psql',
  'without',
];

interface Peers {
  readonly name: string;
  readonly count: number;
  readonly megabytes: number;
  /** Bytes per second; 0 means unlimited. */
  readonly rate: number;
}

const kind = values.of === 'view' ? 'view' : 'table';
const rate = Number(values.rate) * MB;
const PEERS: readonly Peers[] = [
  { name: 'fast', count: 1, megabytes: Number(values.megabytes), rate: 0 },
  { name: 'slow', count: 1, megabytes: Number(values.slow), rate },
  { name: `${CROWD} slow`, count: CROWD, megabytes: Number(values.slow), rate },
];

if (values.help) process.stdout.write(USAGE);
else await run();

async function run(): Promise<void> {
  const database = await startBenchDatabase();
  try {
    await database.run(BASE_TABLE);
    const cases = STREAM_CASES.filter(({ name }) => values.case.some((text) => name.includes(text)));
    const rows: (readonly string[])[] = [];
    for (const each of cases) for (const peers of PEERS) rows.push(await measure(database, each, peers));
    process.stdout.write(renderTable([COLUMNS, ...rows]));
  } finally {
    await database.stop();
  }
}

async function measure(database: BenchDatabase, each: StreamCase, peers: Peers): Promise<readonly string[]> {
  const relation = `bench_${each.bytesPerRow}_${peers.count}`;
  const rows = (peers.megabytes * MB) / each.bytesPerRow;
  for (const text of renderRelation(kind, relation, rows)) await database.run(text);
  await database.run(`GRANT SELECT ON bench_rows, ${relation} TO ${ROLE}`);
  const server = await startBenchServer(database.uri, {
    main: path.resolve(values.main),
    environment: { SVC_DB_POOL: POOL, SVC_SERVER_SEND_TIMEOUT: '60' },
  });
  try {
    const others = ['/bench_rows?select=id,code&id=eq.17', '/bench_rows?select=id,code&id=eq.4711'];
    const alone = startPacedLoad(server.port, others);
    await delay(3000);
    const without = await alone.stop();
    const idle = readOwnMemory(server.pid);
    const memory = watchMemory(() => readOwnMemory(server.pid));
    const backend = watchMemory(() => readLargestChild(database.pid));
    const words = [server.port, `/${relation}`, each.accept, peers.count, peers.rate].map(String);
    const start = await preparePeers(words);
    const meanwhile = startPacedLoad(server.port, others);
    await delay(1000);
    const reports = await start();
    const withStreams = await meanwhile.stop();
    if (reports.some(({ isWhole }) => !isWhole))
      throw new Error(`${each.name}, ${peers.name}: a response was incomplete`);
    const bytes = reports.reduce((sum, report) => sum + report.bytes, 0);
    const longest = Math.max(...reports.map(({ end }) => end));
    const [mostMemory, mostOfBackend] = [memory.stop() - idle, backend.stop()];
    const besidePsql = startPacedLoad(server.port, others);
    const psqlSpeed = peers.rate === 0 ? await measurePsql(database.uri, each.renderCopy(relation), bytes) : '';
    const withPsql = await besidePsql.stop();
    return [
      `${each.name}, ${peers.name}`,
      (bytes / reports.length / MB).toFixed(0),
      Math.max(...reports.map(({ firstByte }) => firstByte)).toFixed(0),
      (bytes / MB / (longest / 1000)).toFixed(0),
      psqlSpeed,
      (mostMemory / MB).toFixed(0),
      (mostOfBackend / MB).toFixed(0),
      withStreams.p99.toFixed(1),
      psqlSpeed === '' ? '' : withPsql.p99.toFixed(1),
      without.p99.toFixed(1),
    ];
  } finally {
    await server.stop();
    await database.run(`DROP ${kind} ${relation}`);
  }
}

/** @returns a function that starts the clients, once their process is ready */
async function preparePeers(words: readonly string[]): Promise<() => Promise<readonly PeerReport[]>> {
  const child = fork(PEER, words);
  await once(child, 'message');
  return async () => {
    child.send('begin');
    const [reports] = (await once(child, 'message')) as [readonly PeerReport[]];
    return reports;
  };
}

/** Measures psql for the same number of bytes. */
async function measurePsql(uri: string, copy: string, bytes: number): Promise<string> {
  const start = performance.now();
  const child = spawn('psql', ['--no-psqlrc', '--quiet', uri, '--command', copy], { stdio: 'ignore' });
  const status = await once(child, 'exit').catch(() => undefined);
  if (status?.[0] !== 0) return 'no psql';
  return (bytes / MB / ((performance.now() - start) / 1000)).toFixed(0);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
