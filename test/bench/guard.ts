// Finds the cases that have become slower than the base.
import { totalTime } from './servers/cpu-time.ts';
import type { Measurement } from './measure.ts';
import { median } from './report.ts';
import type { Sample } from './servers/subject.ts';

/** A case must be slower by this much, because the same build differs from itself by a few per cent. */
const TOLERANCE = 1.05;

type Cost = (sample: Sample) => number | undefined;

// CPU time depends less on other load than requests per second.
const COSTS: readonly (readonly [string, Cost])[] = [
  ['the server', ({ serverTime }) => totalTime(serverTime)],
  ['the database', ({ databaseTime }) => totalTime(databaseTime)],
];

/** Returns a line for each cost of which every process needs more than every process of the base, by more than the tolerance. */
export function findSlower(measurements: readonly Measurement[]): readonly string[] {
  return measurements.flatMap(({ bench, connections, samples }) =>
    COSTS.flatMap(([name, cost]) => {
      const own = costsByProcess(samples.get('this') ?? [], cost);
      const base = costsByProcess(samples.get('base') ?? [], cost);
      const least = Math.min(...own) / Math.max(...base);
      if (own.length === 0 || base.length === 0 || least <= TOLERANCE) return [];
      const place = `${bench.name}, ${connections} connections`;
      return `${place}: ${name} takes at least ${least.toFixed(2)} times the CPU time of the base`;
    }),
  );
}

/** The median of each process. */
function costsByProcess(samples: readonly Sample[], cost: Cost): readonly number[] {
  const processes = [...new Set(samples.map(({ process }) => process))];
  return processes.flatMap((process) => {
    const costs = samples.flatMap((sample) => (sample.process === process ? (cost(sample) ?? []) : []));
    return costs.length === 0 ? [] : median(costs);
  });
}
