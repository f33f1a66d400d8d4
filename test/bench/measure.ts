// Cases × rounds → samples: the server and pgbench take turns within each round, so that both see the same weather.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { renderRequests, type BenchCase } from './bench-case.ts';
import { startBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { startBenchServer, type BenchServer } from './bench-server.ts';
import { captureScript, loadContext } from './capture-script.ts';
import { readFamilyTime, readProcessTime } from './cpu-time.ts';
import { findPgbench, runPgbench, writePgbenchScript, type PgbenchScript } from './pgbench.ts';
import { LoadGenerator } from './run-load.ts';

export interface MeasureOptions {
  readonly cases: readonly BenchCase[];
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  readonly profileFolder: string | undefined;
}

/** One measurement of the server, and one of pgbench where there is one. */
export interface Sample {
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU per request; undefined where the system does not tell. */
  readonly serverTime: number | undefined;
  readonly databaseTime: number | undefined;
  readonly pgbench: { readonly rate: number; readonly databaseTime: number | undefined } | undefined;
}

export interface Measured {
  readonly source: BenchDatabase['source'];
  readonly samples: ReadonlyMap<BenchCase, readonly Sample[]>;
}

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
/** Milliseconds. */
const CLOSE_WAIT_MS = 200;
/** No key of any case. */
const SAMPLE_KEY = 987_654_321;

interface Testbed {
  readonly database: BenchDatabase;
  readonly server: BenchServer;
  readonly load: LoadGenerator;
  readonly pgbench: string | undefined;
  readonly scripts: ReadonlyMap<BenchCase, PgbenchScript>;
}

export async function measure(options: MeasureOptions): Promise<Measured> {
  const database = await startBenchDatabase();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-bench-'));
  try {
    const scripts = await writeScripts(options.cases, database, folder);
    const server = await startBenchServer(database.uri, { profileFolder: options.profileFolder });
    const load = new LoadGenerator();
    try {
      const samples = await runRounds(options, { database, server, load, pgbench: findPgbench(), scripts });
      return { source: database.source, samples };
    } finally {
      load.stop();
      await server.stop();
    }
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeScripts(
  cases: readonly BenchCase[],
  database: BenchDatabase,
  folder: string,
): Promise<ReadonlyMap<BenchCase, PgbenchScript>> {
  const context = await loadContext(database.uri);
  const scripts = new Map<BenchCase, PgbenchScript>();
  for (const bench of cases) {
    const script = await captureScript(bench, SAMPLE_KEY, context);
    const file = path.join(folder, `${scripts.size}.sql`);
    scripts.set(bench, writePgbenchScript(file, script, { sample: SAMPLE_KEY, max: bench.keys }));
  }
  return scripts;
}

async function runRounds({ cases, rounds, seconds }: MeasureOptions, testbed: Testbed): Promise<Measured['samples']> {
  const samples = new Map<BenchCase, Sample[]>();
  for (const bench of cases) await measureServer(bench, WARM_UP_SECONDS, testbed);
  for (let round = 0; round < rounds; round += 1) {
    for (const bench of cases) {
      const server = await measureServer(bench, seconds, testbed);
      const pgbench = await measurePgbench(bench, seconds, testbed);
      samples.set(bench, [...(samples.get(bench) ?? []), { ...server, pgbench }]);
    }
  }
  return samples;
}

async function measureServer(
  bench: BenchCase,
  seconds: number,
  { database, server, load }: Testbed,
): Promise<Omit<Sample, 'pgbench'>> {
  if (bench.preparation !== undefined) await database.run(bench.preparation);
  const readServer = startMeter(() => readProcessTime(server.pid));
  const readDatabase = startMeter(() => readFamilyTime(database.pid));
  const { count, milliseconds, p50, p99 } = await load.run({
    port: server.port,
    connections: CONNECTIONS,
    requests: renderRequests(bench),
    status: bench.status,
    milliseconds: seconds * 1000,
  });
  const rate = (count * 1000) / milliseconds;
  return { rate, p50, p99, serverTime: readServer(count), databaseTime: readDatabase(count) };
}

async function measurePgbench(bench: BenchCase, seconds: number, testbed: Testbed): Promise<Sample['pgbench']> {
  const { database, pgbench: program, scripts } = testbed;
  const script = scripts.get(bench);
  if (program === undefined || script === undefined) return undefined;
  if (bench.preparation !== undefined) await database.run(bench.preparation);
  const readDatabase = startMeter(() => readFamilyTime(database.pid));
  const { rate, count } = await runPgbench({
    program,
    databaseUri: database.uri,
    script,
    clients: CONNECTIONS,
    seconds,
  });
  // Sessions that are just ending belong to nobody for a moment.
  await setTimeout(CLOSE_WAIT_MS);
  return { rate, databaseTime: readDatabase(count) };
}

/** @returns what one of `count` pieces of work took since */
function startMeter(read: () => number | undefined): (count: number) => number | undefined {
  const start = read();
  return (count) => {
    const end = read();
    return start === undefined || end === undefined ? undefined : (end - start) / count;
  };
}
