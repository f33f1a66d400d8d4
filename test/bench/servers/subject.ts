// The subjects of a comparison: servers under load, and pgbench. A subject runs a case and returns a sample.
import { setTimeout } from 'node:timers/promises';
import { type BenchCase, renderRequest, renderRequests } from '../bench-case.ts';
import type { BenchDatabase } from './bench-database.ts';
import type { BenchServer } from './bench-server.ts';
import { type CpuTime, readFamilyTime, readProcessTime, startMeter } from './cpu-time.ts';
import { type PgbenchScript, runPgbench } from './pgbench.ts';
import type { Load, LoadOrder } from '../load/run-load.ts';
import { sendAtLeast } from '../load/send-at-least.ts';

export interface Sample {
  /** Which process of the subject was measured, from 0. */
  readonly process: number;
  /** Requests per second. */
  readonly rate: number;
  /** In milliseconds; undefined if not measured. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  /** CPU time per request; undefined if the system does not report it, or without a server. */
  readonly serverTime: CpuTime | undefined;
  readonly databaseTime: CpuTime | undefined;
}

export interface Amount {
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second; undefined: as many as the subject serves. */
  readonly rate?: number | undefined;
}

export interface Subject {
  /** Several processes of one build have the same name. */
  readonly name: string;
  /** Whether requests can be sent at a given rate. */
  readonly isServer: boolean;
  readonly takes: (bench: BenchCase) => boolean;
  /** Runs the case until the compiler has nothing more to do. */
  readonly warmUp: (bench: BenchCase, connections: number) => Promise<void>;
  readonly run: (bench: BenchCase, amount: Amount) => Promise<Sample>;
}

export interface ServerSurroundings {
  readonly database: BenchDatabase;
  readonly load: Load;
  /** For cases with a slow request, because it can measure the others separately, and for open loops. */
  readonly ownLoad: Load;
}

/** The first 6,000 requests cost a server 240 to 270 compilations, which would count as the CPU time of its requests. */
const WARM_UP = { count: 20_000, milliseconds: 20_000 };

/** @param targetOf returns the subject's target for a case; undefined if it does not support the case */
export function createServerSubject(
  { name, process }: Pick<Sample, 'process'> & Pick<Subject, 'name'>,
  server: BenchServer,
  { database, load, ownLoad }: ServerSurroundings,
  targetOf: (bench: BenchCase) => string | undefined = ({ target }) => target,
): Subject {
  const loadFor = (bench: BenchCase, rate: number | undefined): Load =>
    bench.slowTarget === undefined && rate === undefined ? load : ownLoad;
  const orderOf = (bench: BenchCase, connections: number): Omit<LoadOrder, 'milliseconds'> => ({
    port: server.port,
    connections,
    requests: renderRequests(bench, targetOf(bench)),
    slowRequest: bench.slowTarget === undefined ? undefined : renderRequest(bench, bench.slowTarget),
    status: bench.status,
  });
  const run = async (bench: BenchCase, { connections, seconds, rate: given }: Amount): Promise<Sample> => {
    if (bench.preparation !== undefined) await database.run(bench.preparation);
    const readServer = startMeter(() => readProcessTime(server.pid));
    const readDatabase = startMeter(() => readFamilyTime(database.pid));
    const { count, milliseconds, p50, p99 } = await loadFor(bench, given).run({
      ...orderOf(bench, connections),
      rate: given,
      milliseconds: seconds * 1000,
    });
    const rate = (count * 1000) / milliseconds;
    return { process, rate, p50, p99, serverTime: readServer(count), databaseTime: readDatabase(count) };
  };
  const warmUp = (bench: BenchCase, connections: number): Promise<void> =>
    sendAtLeast(loadFor(bench, undefined), orderOf(bench, connections), WARM_UP);
  return { name, isServer: true, takes: (bench) => targetOf(bench) !== undefined, warmUp, run };
}

const NO_SERVER = { process: 0, p50: undefined, p99: undefined, serverTime: undefined };
/** Sessions that are closing belong to no process for a moment. */
const CLOSE_WAIT_MS = 200;

export function createPgbenchSubject(
  program: string,
  scripts: ReadonlyMap<BenchCase, PgbenchScript>,
  database: BenchDatabase,
): Subject {
  const run = async (bench: BenchCase, { connections: clients, seconds }: Amount): Promise<Sample> => {
    const script = scripts.get(bench);
    if (script === undefined) throw new Error(`pgbench has no script for ${bench.name}`);
    if (bench.preparation !== undefined) await database.run(bench.preparation);
    const readDatabase = startMeter(() => readFamilyTime(database.pid));
    const { rate, count } = await runPgbench({ program, databaseUri: database.uri, script, clients, seconds });
    await setTimeout(CLOSE_WAIT_MS);
    return { ...NO_SERVER, rate, databaseTime: readDatabase(count) };
  };
  // A program in C that is started for each measurement.
  const warmUp = (): Promise<void> => Promise.resolve();
  return { name: 'pgbench', isServer: false, takes: (bench) => scripts.has(bench), warmUp, run };
}
