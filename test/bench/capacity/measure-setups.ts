// Measures servers with one and with two workers under the benchmark load, alternately, and returns the medians of the
// rounds.
import { CASES, renderRequests } from '../bench-case.ts';
import { type BenchDatabase, startBenchDatabase } from '../servers/bench-database.ts';
import { type BenchServer, startBenchServer } from '../servers/bench-server.ts';
import { type CpuTime, readFamilyTime, readProcessTime, startMeter, totalTime } from '../servers/cpu-time.ts';
import { median } from '../report.ts';
import { LoadGenerator } from '../load/run-load.ts';
import type { Times } from './calibrate.ts';
import { readMachineTime } from './machine-time.ts';

export interface MeasuringOptions {
  readonly workers: readonly number[];
  readonly connections: readonly number[];
  readonly pool: number;
  readonly rounds: number;
  /** Duration of each measurement. */
  readonly seconds: number;
}

/** Medians, each computed separately. */
export interface MeasuredSetup {
  readonly workers: number;
  readonly connections: number;
  /** Requests per second. */
  readonly rate: number;
  /** Minimum and maximum of the rounds. */
  readonly range: readonly [number, number];
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly times: Times;
  /** CPU cores used by all other processes. */
  readonly others: number;
}

type Sample = Omit<MeasuredSetup, 'workers' | 'connections' | 'range'>;

interface Setup {
  readonly workers: number;
  readonly connections: number;
  readonly samples: Sample[];
}

interface Stage {
  readonly database: BenchDatabase;
  readonly load: LoadGenerator;
  readonly servers: ReadonlyMap<number, BenchServer>;
}

const WARM_UP_SECONDS = 2;
const [ROW_BY_KEY] = CASES;

export async function measureSetups(options: MeasuringOptions): Promise<readonly MeasuredSetup[]> {
  const database = await startBenchDatabase();
  const load = new LoadGenerator();
  const servers = new Map<number, BenchServer>();
  try {
    for (const workers of options.workers) {
      const environment = { SVC_SERVER_WORKERS: String(workers), SVC_DB_POOL: String(options.pool) };
      servers.set(workers, await startBenchServer(database.uri, { environment }));
    }
    return await runRounds(options, { database, load, servers });
  } finally {
    for (const server of servers.values()) await server.stop();
    load.stop();
    await database.stop();
  }
}

async function runRounds(
  { workers: counts, connections, rounds, seconds }: MeasuringOptions,
  stage: Stage,
): Promise<readonly MeasuredSetup[]> {
  const setups: readonly Setup[] = connections.flatMap((each) =>
    counts.map((workers) => ({ workers, connections: each, samples: [] })),
  );
  for (let round = 0; round <= rounds; round += 1) {
    // Alternate the direction, so that changes in the load of the machine favor no setup.
    for (const setup of round % 2 === 0 ? setups : setups.toReversed()) {
      const isWarmUp = round === 0;
      const sample = await runOne(stage, setup, isWarmUp ? WARM_UP_SECONDS : seconds);
      if (!isWarmUp) setup.samples.push(sample);
    }
  }
  return setups.map(summarize);
}

async function runOne(
  { database, load, servers }: Stage,
  { workers, connections }: Setup,
  seconds: number,
): Promise<Sample> {
  const server = servers.get(workers);
  if (server === undefined || ROW_BY_KEY === undefined) throw new Error('nothing to measure');
  const meters = [
    () => readProcessTime(load.pid),
    () => readFamilyTime(server.pid),
    () => readFamilyTime(database.pid),
    readMachineTime,
  ].map(startMeter);
  const { count, milliseconds, p50, p99 } = await load.run({
    port: server.port,
    connections,
    requests: renderRequests(ROW_BY_KEY),
    status: ROW_BY_KEY.status,
    milliseconds: seconds * 1000,
  });
  const [loadTime, serverTime, databaseTime, all] = meters.map((read) => microseconds(read(count))) as [
    number,
    number,
    number,
    number,
  ];
  const rate = (count * 1000) / milliseconds;
  const others = ((all - loadTime - serverTime - databaseTime) * rate) / 1_000_000;
  return { rate, p50, p99, times: { load: loadTime, server: serverTime, database: databaseTime }, others };
}

function microseconds(time: CpuTime | undefined): number {
  const total = totalTime(time);
  if (total === undefined) throw new Error('this system does not report the CPU time of processes');
  return total;
}

function summarize({ workers, connections, samples }: Setup): MeasuredSetup {
  const of = (read: (sample: Sample) => number): number => median(samples.map(read));
  const rates = samples.map(({ rate }) => rate);
  return {
    workers,
    connections,
    rate: median(rates),
    range: [Math.min(...rates), Math.max(...rates)],
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    times: {
      load: of(({ times }) => times.load),
      server: of(({ times }) => times.server),
      database: of(({ times }) => times.database),
    },
    others: of(({ others }) => others),
  };
}
