// `npm run bench -- roles`: the cost of few, many or thousands of roles that send the same requests, like tenants with a
// role each: plans are made per role. Several builds alternate, so that all see the same load of the machine.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { CASES, CLIENT_HEADERS, renderRequests } from './bench-case.ts';
import { startBenchDatabase, type BenchDatabase } from './servers/bench-database.ts';
import { startBenchServer } from './servers/bench-server.ts';
import { readFamilyTime, readProcessTime, startMeter, totalTime } from './servers/cpu-time.ts';
import { median, renderTable } from './report.ts';
import { LoadGenerator, type LoadOrder } from './load/run-load.ts';
import { signToken } from '../../tools/token/issue-token.ts';

const USAGE = `npm run bench -- roles [options]
  --roles N     number of roles; repeatable (default 2, 50, 5000)
  --rounds N    measurements of each contender; the median counts (default 3)
  --seconds N   length of each measurement (default 4)
  --warm-up N   seconds before each measurement, in which connections prepare for the roles (default 8)
  --main FILE   entry point of a built server; repeatable (default dist/cli/main.js)
`;

const { values } = parseArgs({
  options: {
    roles: { type: 'string', multiple: true, default: ['2', '50', '5000'] },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '8' },
    main: { type: 'string', multiple: true, default: ['dist/cli/main.js'] },
    help: { type: 'boolean', default: false },
  },
});

const SECRET = 'a-secret-of-at-least-thirty-two-bytes';
const SHAPES = CASES.filter(({ name }) => ['row by key', 'page with count', 'embeds'].includes(name));
const CONNECTIONS = 16;
/** Few database connections, so that each soon has every statement prepared. */
const POOL = '4';
const COLUMNS = ['roles, server', 'req/s', 'p99 ms', 'server µs', 'database µs', 'server MB', 'backend MB'];

interface Sample {
  readonly rate: number;
  /** In milliseconds. */
  readonly p99: number;
  /** Microseconds of CPU time per request. */
  readonly serverTime: number;
  readonly databaseTime: number;
  /** Bytes of unshared memory; the mean of the backends. */
  readonly serverMemory: number;
  readonly backendMemory: number;
}

if (values.help) process.stdout.write(USAGE);
else await run();

async function run(): Promise<void> {
  const database = await startBenchDatabase();
  const load = new LoadGenerator();
  try {
    const counts = values.roles.map(Number);
    await database.run(renderRoles(Math.max(...counts)));
    const samples = new Map<string, Sample[]>();
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const count of counts) {
        for (const main of values.main) {
          const name = `${count}, ${main}`;
          samples.set(name, [...(samples.get(name) ?? []), await measure(database, load, { count, main })]);
        }
      }
    }
    process.stdout.write(renderTable([COLUMNS, ...[...samples].map(([name, taken]) => renderRow(name, taken))]));
  } finally {
    load.stop();
    await database.stop();
  }
}

function renderRoles(count: number): string {
  return `
    CREATE ROLE tenants;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO tenants;
    DO $$ BEGIN
      FOR number IN 1..${count} LOOP EXECUTE format('CREATE ROLE tenant_%s IN ROLE tenants', number); END LOOP;
    END $$;`;
}

interface Contender {
  /** Number of roles. */
  readonly count: number;
  readonly main: string;
}

async function measure(database: BenchDatabase, load: LoadGenerator, { count, main }: Contender): Promise<Sample> {
  const server = await startBenchServer(database.uri, {
    main: path.resolve(main),
    environment: { SVC_DB_POOL: POOL, SVC_JWT_SECRET: SECRET, SVC_JWT_CACHE_MAX_ENTRIES: '20000' },
  });
  try {
    const order = { port: server.port, connections: CONNECTIONS, requests: requestsOf(count), status: 200 };
    await runLoad(load, { ...order, milliseconds: Number(values['warm-up']) * 1000 });
    const readServer = startMeter(() => readProcessTime(server.pid));
    const readDatabase = startMeter(() => readFamilyTime(database.pid));
    const { rate, p99, requests } = await runLoad(load, { ...order, milliseconds: Number(values.seconds) * 1000 });
    const serverTime = totalTime(readServer(requests)) ?? NaN;
    const databaseTime = totalTime(readDatabase(requests)) ?? NaN;
    const backends = (await listBackends(database.uri)).map(readOwnMemory);
    const backendMemory = backends.reduce((sum, each) => sum + each, 0) / backends.length;
    return { rate, p99, serverTime, databaseTime, serverMemory: readOwnMemory(server.pid), backendMemory };
  } finally {
    await server.stop();
  }
}

async function runLoad(
  load: LoadGenerator,
  order: LoadOrder,
): Promise<{ readonly rate: number; readonly p99: number; readonly requests: number }> {
  const { count, milliseconds, p99 } = await load.run(order);
  return { rate: (count * 1000) / milliseconds, p99, requests: count };
}

/** Every role sends every request, in an order without locality, like unrelated clients. */
function requestsOf(count: number): readonly string[] {
  const each = Array.from({ length: count }, (_, index) => {
    const role = `tenant_${index + 1}`;
    return SHAPES.map((bench) => {
      const headers = { ...CLIENT_HEADERS, Authorization: `Bearer ${signToken({ role }, SECRET)}` };
      const requests = renderRequests({ ...bench, headers });
      return {
        order: (index * 7919 + bench.name.length * 104_729) % 65_537,
        text: requests[index % requests.length] ?? '',
      };
    });
  });
  return each
    .flat()
    .toSorted((a, b) => a.order - b.order)
    .map(({ text }) => text);
}

/** Returns the process ids of the server's backends. */
function listBackends(uri: string): Promise<readonly number[]> {
  const text = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  return withConnection(uri, async (client) => (await client.query<{ pid: number }>(text)).rows.map(({ pid }) => pid));
}

function readOwnMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+) kB/u.exec(status)?.[1]) * 1024;
}

function renderRow(name: string, samples: readonly Sample[]): readonly string[] {
  const cell = (digits: number, read: (sample: Sample) => number): string => median(samples.map(read)).toFixed(digits);
  return [
    name,
    cell(0, ({ rate }) => rate),
    cell(2, ({ p99 }) => p99),
    cell(0, ({ serverTime }) => serverTime),
    cell(0, ({ databaseTime }) => databaseTime),
    cell(1, ({ serverMemory }) => serverMemory / 1e6),
    cell(1, ({ backendMemory }) => backendMemory / 1e6),
  ];
}
