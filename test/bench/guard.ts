// Finds the cases that have become slower than the base.
import { totalTime } from './servers/cpu-time.ts';
import type { Measurement } from './measure.ts';
import type { Sample } from './servers/subject.ts';

/** A case must be slower by this much, because the same build differs from itself by a few per cent. */
const TOLERANCE = 1.05;

type Cost = (sample: Sample) => number | undefined;

// CPU time depends less on other load than requests per second.
const COSTS: readonly (readonly [string, Cost])[] = [
  ['the server', ({ serverTime }) => totalTime(serverTime)],
  ['the database', ({ databaseTime }) => totalTime(databaseTime)],
];

/**
 * Returns a line for each cost that exceeds the costs of both processes of the base in every round, by more than the
 * tolerance and by more than these two, which are the same program, ever differ.
 */
export function findSlower(measurements: readonly Measurement[]): readonly string[] {
  return measurements.flatMap(({ bench, connections, samples }) =>
    COSTS.flatMap(([name, cost]) => {
      const [own = [], one = [], other = []] = ['this', 'base', 'base again'].map((subject) =>
        (samples.get(subject) ?? []).map(cost),
      );
      const noise = compare(one, other).map((ratio) => Math.max(ratio, 1 / ratio));
      const ratios = [...compare(own, one), ...compare(own, other)];
      const least = Math.min(...ratios);
      if (ratios.length === 0 || least <= Math.max(TOLERANCE, ...noise)) return [];
      const place = `${bench.name}, ${connections} connections`;
      return `${place}: ${name} takes at least ${least.toFixed(2)} times the CPU time of the base`;
    }),
  );
}

type Costs = readonly (number | undefined)[];

/** Round by round; rounds in which one of them is unknown are left out. */
function compare(costs: Costs, others: Costs): readonly number[] {
  return costs.flatMap((cost, round) => {
    const other = others[round];
    return cost === undefined || other === undefined || other === 0 || cost === 0 ? [] : cost / other;
  });
}
