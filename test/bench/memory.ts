// `npm run bench -- memory`: resident memory of the built server when idle, after the row by key and at its peak, and the
// time until it is ready. Compares with other builds, which take turns.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BenchCase, CASES, renderRequest, renderRequests } from './bench-case.ts';
import { LoadGenerator } from './load/run-load.ts';
import { sendAtLeast } from './load/send-at-least.ts';
import { median, renderTable } from './report.ts';
import { type BenchDatabase, startBenchDatabase } from './servers/bench-database.ts';
import { type BenchServer, readVariables, startBenchServer } from './servers/bench-server.ts';

const USAGE = `npm run bench -- memory [options]
  --starts N      processes of each build; the medians count (default 3)
  --seconds N     length of each case but the row by key (default 2)
  --base FOLDER   a built checkout to compare with; repeatable
  --set NAME=VALUE
                  an environment variable of all servers; repeatable
`;

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    base: { type: 'string', multiple: true, default: [] },
    set: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});

const COLUMNS = ['build', 'ready s', 'idle MB', 'after row by key MB', 'peak MB'];
const CONNECTIONS = 16;
const IDLE_MS = 1000;
/** As many as the benchmark sends before it measures, within a minute. */
const ROWS_BY_KEY = { count: 20_000, milliseconds: 60_000 };

interface Memory {
  readonly ready: number;
  readonly idle: number;
  readonly busy: number;
  readonly peak: number;
}

async function measureStart(folder: string, database: BenchDatabase, load: LoadGenerator): Promise<Memory> {
  const start = performance.now();
  const server = await startBenchServer(database.uri, {
    main: path.resolve(folder, 'dist/cli/main.js'),
    environment: readVariables(values.set),
  });
  try {
    const ready = (performance.now() - start) / 1000;
    await setTimeout(IDLE_MS);
    const idle = readMegabytes(server, 'VmRSS');
    const [first, ...others] = CASES;
    if (first !== undefined) await send(first, ROWS_BY_KEY);
    const busy = readMegabytes(server, 'VmRSS');
    for (const bench of others) await send(bench, { count: Infinity, milliseconds: Number(values.seconds) * 1000 });
    return { ready, idle, busy, peak: readMegabytes(server, 'VmHWM') };
  } finally {
    await server.stop();
  }

  function send(bench: BenchCase, minimum: typeof ROWS_BY_KEY): Promise<void> {
    const slowRequest = bench.slowTarget === undefined ? undefined : renderRequest(bench, bench.slowTarget);
    const order = { port: server.port, connections: CONNECTIONS, requests: renderRequests(bench), slowRequest };
    return sendAtLeast(load, { ...order, status: bench.status }, minimum);
  }
}

/** https://www.kernel.org/doc/html/latest/filesystems/proc.html, table 1-2 */
function readMegabytes({ pid }: BenchServer, field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'mu').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1.024e-3;
}

async function measureBuilds(database: BenchDatabase, load: LoadGenerator): Promise<string> {
  const builds = ['.', ...values.base].map((folder) => ({ folder, starts: new Array<Memory>() }));
  for (let start = 0; start < Number(values.starts); start += 1)
    for (const { folder, starts } of builds) starts.push(await measureStart(folder, database, load));
  const rows = builds.map(({ folder, starts }) => {
    const middle = (read: (memory: Memory) => number, digits: number): string =>
      median(starts.map(read)).toFixed(digits);
    return [
      folder,
      middle(({ ready }) => ready, 2),
      middle(({ idle }) => idle, 1),
      middle(({ busy }) => busy, 1),
      middle(({ peak }) => peak, 1),
    ];
  });
  return renderTable([COLUMNS, ...rows]);
}

async function run(): Promise<string> {
  const database = await startBenchDatabase();
  const load = new LoadGenerator();
  try {
    return await measureBuilds(database, load);
  } finally {
    load.stop();
    await database.stop();
  }
}

process.stdout.write(values.help ? USAGE : await run());
