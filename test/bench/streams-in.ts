// Uploads of rows from clients of different speed: the cost for the server and the backends, and the latency of other
// requests. Compares with `psql` and COPY into the same table.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readFamilyTime, readProcessTime, startMeter, totalTime } from './servers/cpu-time.ts';
import { type BenchDatabase, startBenchDatabase } from './servers/bench-database.ts';
import { startBenchServer } from './servers/bench-server.ts';
import { startPacedLoad } from './load/paced-load.ts';
import { renderTable } from './report.ts';

const USAGE = `npm run bench -- streams-in [options]
  --megabytes N   size of the body of a fast client (default 1024)
  --seconds N     seconds for which slow clients send (default 20)
`;

const TABLE = `
  CREATE TABLE stream_in (id bigint, code text, label text, amount numeric(12, 2), at timestamptz, note text);
  GRANT INSERT ON stream_in TO PUBLIC;`;

const PSQL = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'psql'))
  .find((file) => existsSync(file));

const MEGABYTE = 1_000_000;
/** Number of rows in the block that is sent repeatedly. */
const BLOCK_ROWS = 400;
/** Bytes per second. */
const SLOW = 1_000_000;
/** Uploads may occupy half of the connections. */
const POOL = '24';

interface Format {
  readonly name: string;
  readonly type: string;
  readonly begin: string;
  readonly row: (id: number) => string;
}

const NOTE = 'a sentence of some length, as one finds them in notes, with a comma';
const FORMATS: readonly Format[] = [
  {
    name: 'NDJSON',
    type: 'application/x-ndjson',
    begin: '',
    row: (id) =>
      `${JSON.stringify({ id, code: `C-${id}`, label: `say "${id}"`, amount: id / 100, at: '2026-01-02T03:04:05Z', note: NOTE })}\n`,
  },
  {
    name: 'CSV',
    type: 'text/csv',
    begin: 'id,code,label,amount,at,note\n',
    row: (id) => `${id},C-${id},"say ""${id}""",${id / 100},2026-01-02T03:04:05Z,"${NOTE}"\n`,
  },
];

/** Writes blocks of rows until `bytes` are sent. @param pace bytes per second */
async function feed(target: Writable, format: Format, { bytes, pace }: { bytes: number; pace: number }): Promise<void> {
  const block = Buffer.from(Array.from({ length: BLOCK_ROWS }, (_, index) => format.row(index)).join(''));
  const start = performance.now();
  target.write(format.begin);
  for (let sent = 0; sent < bytes; sent += block.length) {
    if (!target.write(block)) await once(target, 'drain');
    const ahead = (sent / pace) * 1000 - (performance.now() - start);
    if (ahead > 1) await sleep(ahead);
  }
  target.end();
}

async function post(port: number, format: Format, amount: { bytes: number; pace: number }): Promise<void> {
  const outgoing: ClientRequest = request({
    host: '127.0.0.1',
    port,
    path: '/stream_in',
    method: 'POST',
    headers: { 'Content-Type': format.type, 'Transfer-Encoding': 'chunked' },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  await Promise.all([feed(outgoing, format, amount), answered]);
  const [incoming] = await answered;
  incoming.resume();
  if (incoming.statusCode !== 201) throw new Error(`answered ${incoming.statusCode}`);
}

/** Runs `COPY` in psql; the format is CSV. */
async function copy(psql: string, uri: string, format: Format, bytes: number): Promise<void> {
  const child = spawn(psql, [uri, '-qc', '\\copy stream_in from stdin with (format csv, header)'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  await feed(child.stdin, format, { bytes, pace: Infinity });
  const [code] = (await exited) as [number];
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}

interface Costs {
  readonly seconds: number;
  /** CPU time in microseconds. */
  readonly serverTime: number | undefined;
  readonly databaseTime: number | undefined;
  /** Bytes above the idle memory. */
  readonly server: number;
  /** Unshared bytes of the largest backend. */
  readonly backend: number;
  /** In milliseconds. */
  readonly p99: number;
}

interface Stage {
  readonly port: number;
  readonly server: number;
  readonly database: BenchDatabase;
}

async function measureWork({ port, server, database }: Stage, work: () => Promise<unknown>): Promise<Costs> {
  await database.run('TRUNCATE stream_in; CHECKPOINT');
  const idle = readMemory(server, 'VmRSS');
  // Resets the peak to the current size.
  if (existsSync(`/proc/${server}/clear_refs`)) writeFileSync(`/proc/${server}/clear_refs`, '5');
  const meanwhile = new AbortController();
  let backend = 0;
  const others = startPacedLoad(port, ['/track?track_id=eq.17', '/track?track_id=eq.2711']);
  const sampling = (async () => {
    while (!meanwhile.signal.aborted) {
      for (const pid of listChildren(database.pid)) backend = Math.max(backend, readMemory(pid, 'RssAnon'));
      await sleep(100);
    }
  })();
  const serverMeter = startMeter(() => readProcessTime(server));
  const databaseMeter = startMeter(() => readFamilyTime(database.pid));
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const [serverTime, databaseTime] = [serverMeter(1), databaseMeter(1)].map(totalTime);
  meanwhile.abort();
  await sampling;
  const { p99 } = await others.stop();
  return { seconds, serverTime, databaseTime, server: readMemory(server, 'VmHWM') - idle, backend, p99 };
}

function listChildren(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => readStatus(pid).includes(`\nPPid:\t${parent}\n`));
}

function readMemory(pid: number, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`, 'u').exec(readStatus(pid))?.[1] ?? 0) * 1024;
}

/** Returns an empty text for a process that has exited. */
function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

function renderRow(name: string, bytes: number, costs: Costs): readonly string[] {
  const mega = (value: number): string => (value / MEGABYTE).toFixed(1);
  const each = (time = NaN): string => (bytes === 0 ? '' : (time / 1000 / (bytes / MEGABYTE)).toFixed(1));
  const { seconds, serverTime, databaseTime, server, backend, p99 } = costs;
  const speed = (bytes / MEGABYTE / seconds).toFixed(1);
  const times = [each(serverTime), each(databaseTime)];
  return [name, mega(bytes), speed, ...times, mega(server), mega(backend), p99.toFixed(1)];
}

const COLUMNS = [
  'peer',
  'MB',
  'MB/s',
  'server ms/MB',
  'database ms/MB',
  'server MB beyond idle',
  'backend MB',
  'p99 of others ms',
];

async function run(megabytes: number, seconds: number): Promise<string> {
  const database = await startBenchDatabase();
  await database.run(TABLE);
  const server = await startBenchServer(database.uri, { environment: { SVC_DB_POOL: POOL } });
  const stage = { port: server.port, server: server.pid, database };
  const rows: (readonly string[])[] = [COLUMNS];
  const bytes = megabytes * MEGABYTE;
  const slowBytes = seconds * SLOW;
  const add = async (name: string, size: number, work: () => Promise<unknown>): Promise<void> => {
    rows.push(renderRow(name, size, await measureWork(stage, work)));
  };
  try {
    // The first requests compile the code that all others use.
    await measureWork(stage, () =>
      Promise.all(FORMATS.map((format) => post(stage.port, format, { bytes: 20 * MEGABYTE, pace: Infinity }))),
    );
    await add('nobody', 0, () => sleep(5000));
    for (const format of FORMATS) {
      await add(`${format.name}, fast`, bytes, () => post(stage.port, format, { bytes, pace: Infinity }));
      await add(`${format.name}, slow`, slowBytes, () => post(stage.port, format, { bytes: slowBytes, pace: SLOW }));
      const ten = Array.from({ length: 10 });
      await add(`${format.name}, ten slow`, 10 * slowBytes, () =>
        Promise.all(ten.map(() => post(stage.port, format, { bytes: slowBytes, pace: SLOW }))),
      );
    }
    const [, csv] = FORMATS;
    if (csv !== undefined && PSQL !== undefined)
      await add('psql, CSV', bytes, () => copy(PSQL, database.uri, csv, bytes));
  } finally {
    await server.stop();
    await database.stop();
  }
  return renderTable(rows);
}

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
process.stdout.write(values.help ? USAGE : await run(Number(values.megabytes), Number(values.seconds)));
