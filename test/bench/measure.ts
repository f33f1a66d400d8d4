// Measures cases in rounds: the subjects alternate within each round, so that all see the same load of the machine.
import type { BenchCase } from './bench-case.ts';
import type { BenchDatabase } from './servers/bench-database.ts';
import type { Sample, Subject } from './servers/subject.ts';
import { startTestbed } from './servers/testbed.ts';

export interface MeasureOptions {
  readonly cases: readonly BenchCase[];
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Duration of each measurement. */
  readonly seconds: number;
  readonly profileFolder: string | undefined;
  /** A built checkout to compare with. */
  readonly baseFolder: string | undefined;
  /** Processes of each build: what the compiler decides differs from process to process by up to 15 %. */
  readonly processes: number;
  /** Command of another server of the grammar (`server-beside.ts`). */
  readonly besideCommand: string | undefined;
  /** The measured server, not its base, connects to the database over a Unix socket. */
  readonly isOverSocket: boolean;
  /** Path of wrk; undefined if the benchmark sends the requests itself. */
  readonly wrk: string | undefined;
  /** Whether latencies are also measured in an open loop. */
  readonly isOpen: boolean;
  readonly clusterUri: string | undefined;
  /** Rows of the large table; undefined: no such table. */
  readonly largeRows: number | undefined;
  /** Environment variables of the measured server, not of its base. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One case with one number of connections. */
export interface Measurement {
  readonly bench: BenchCase;
  readonly connections: number;
  /** Samples by subject, the measured server first; samples of one round have the same index. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

export interface Measured {
  readonly source: BenchDatabase['source'];
  /** Version of PostgreSQL. */
  readonly databaseVersion: string;
  /** The program that sent the requests. */
  readonly load: 'wrk' | 'own';
  readonly measurements: readonly Measurement[];
  /** In an open loop at 60 % of the lowest rate that any server reached in `measurements`; empty if not measured. */
  readonly openMeasurements: readonly Measurement[];
}

const OPEN_SHARE = 0.6;

export async function measure(options: MeasureOptions): Promise<Measured> {
  const testbed = await startTestbed(options);
  try {
    const load = options.wrk === undefined ? 'own' : 'wrk';
    const { source, version: databaseVersion } = testbed.database;
    const { cases, connections: counts, isOpen } = options;
    const plan = cases.flatMap((bench) => counts.map((connections) => ({ bench, connections })));
    const measurements = await runRounds(options, plan, testbed.subjects);
    const servers = testbed.subjects.filter(({ isServer }) => isServer);
    const openPlan = measurements.map((measured) => ({
      ...measured,
      rate: OPEN_SHARE * lowestRate(measured, servers),
    }));
    const openMeasurements = isOpen ? await runRounds(options, openPlan, servers) : [];
    return { source, databaseVersion, load, measurements, openMeasurements };
  } finally {
    await testbed.stop();
  }
}

interface Load {
  readonly bench: BenchCase;
  readonly connections: number;
  /** Requests per second; undefined: a closed loop. */
  readonly rate?: number;
}

async function runRounds(
  { rounds, seconds }: MeasureOptions,
  loads: readonly Load[],
  subjects: readonly Subject[],
): Promise<readonly Measurement[]> {
  const plan = loads.map((load) => ({ ...load, samples: new Map<string, Sample[]>() }));
  for (const { bench, connections } of plan)
    for (const { warmUp } of subjects.filter(({ takes }) => takes(bench))) await warmUp(bench, connections);
  for (let round = 0; round < rounds; round += 1) {
    for (const { bench, connections, rate, samples } of plan) {
      for (const { name, run } of rotate(subjects, round).filter(({ takes }) => takes(bench))) {
        const sample = await run(bench, { connections, seconds, rate });
        samples.set(name, [...(samples.get(name) ?? []), sample]);
      }
    }
  }
  return plan;
}

function lowestRate({ samples }: Measurement, servers: readonly Subject[]): number {
  const rates = servers.flatMap(({ name }) => samples.get(name)?.map(({ rate }) => rate) ?? []);
  return Math.min(...rates);
}

/**
 * Rotates the subjects and reverses every other round. With rotation alone, each subject would always run after the
 * same one.
 */
function rotate(subjects: readonly Subject[], by: number): readonly Subject[] {
  const start = by % subjects.length;
  const rotated = [...subjects.slice(start), ...subjects.slice(0, start)];
  return by % 2 === 0 ? rotated : rotated.reverse();
}
