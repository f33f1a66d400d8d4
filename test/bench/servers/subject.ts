// What is measured side by side: servers under load, and pgbench. A subject takes a case and gives a sample.
import { setTimeout } from 'node:timers/promises';
import { type BenchCase, renderRequest, renderRequests } from '../bench-case.ts';
import type { BenchDatabase } from './bench-database.ts';
import type { BenchServer } from './bench-server.ts';
import { type CpuTime, readFamilyTime, readProcessTime, startMeter } from './cpu-time.ts';
import { type PgbenchScript, runPgbench } from './pgbench.ts';
import type { Load } from '../load/run-load.ts';

export interface Sample {
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds; undefined where nobody took the time of each. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  /** Per request; undefined where the system does not tell, and where there is no server. */
  readonly serverTime: CpuTime | undefined;
  readonly databaseTime: CpuTime | undefined;
}

export interface Amount {
  readonly connections: number;
  readonly seconds: number;
}

export interface Subject {
  readonly name: string;
  readonly takes: (bench: BenchCase) => boolean;
  readonly run: (bench: BenchCase, amount: Amount) => Promise<Sample>;
}

export interface ServerSurroundings {
  readonly database: BenchDatabase;
  readonly load: Load;
  /** That of cases with a slow request, which knows the times of the others. */
  readonly ownLoad: Load;
}

/** @param targetOf what the server calls that which the case asks for; undefined where it has no such thing */
export function createServerSubject(
  name: string,
  server: BenchServer,
  { database, load, ownLoad }: ServerSurroundings,
  targetOf: (bench: BenchCase) => string | undefined = ({ target }) => target,
): Subject {
  const run = async (bench: BenchCase, { connections, seconds }: Amount): Promise<Sample> => {
    if (bench.preparation !== undefined) await database.run(bench.preparation);
    const readServer = startMeter(() => readProcessTime(server.pid));
    const readDatabase = startMeter(() => readFamilyTime(database.pid));
    const { count, milliseconds, p50, p99 } = await (bench.slowTarget === undefined ? load : ownLoad).run({
      port: server.port,
      connections,
      requests: renderRequests(bench, targetOf(bench)),
      slowRequest: bench.slowTarget === undefined ? undefined : renderRequest(bench, bench.slowTarget),
      status: bench.status,
      milliseconds: seconds * 1000,
    });
    const rate = (count * 1000) / milliseconds;
    return { rate, p50, p99, serverTime: readServer(count), databaseTime: readDatabase(count) };
  };
  return { name, takes: (bench) => targetOf(bench) !== undefined, run };
}

/** Sessions that are just ending belong to nobody for a moment. */
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
    return { rate, p50: undefined, p99: undefined, serverTime: undefined, databaseTime: readDatabase(count) };
  };
  return { name: 'pgbench', takes: (bench) => scripts.has(bench), run };
}
