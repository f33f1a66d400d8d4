// Fits the growth of each figure over the second half of a soak by linear regression, and finds figures that grow too
// fast.
import type { Sample } from './take-sample.ts';

type Figure = 'resident' | 'heap' | 'sessionMemory' | 'handles' | 'p99';

/** Allowed growth per hour, above that of filling caches, sessions replaced by reloads, and a busy machine. */
const LIMITS: Readonly<Record<Figure, { readonly unit: string; readonly limit: number }>> = {
  resident: { unit: 'MB/h', limit: 90 },
  heap: { unit: 'MB/h', limit: 20 },
  sessionMemory: { unit: 'MB/h', limit: 30 },
  handles: { unit: '/h', limit: 12 },
  p99: { unit: 'ms/h', limit: 60 },
};

export interface Slope {
  readonly figure: Figure;
  readonly unit: string;
  /** Growth per hour. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly uncertainty: number;
  readonly limit: number;
  /** True if the growth is significant. */
  readonly isTooSteep: boolean;
}

export function findSlopes(samples: readonly Sample[]): readonly Slope[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  return (Object.keys(LIMITS) as Figure[]).map((figure) => {
    const points = half.flatMap((sample) => {
      const value = sample[figure];
      return value === undefined ? [] : [[sample.time / 60, value] as const];
    });
    const { slope, uncertainty } = fitLine(points);
    const { unit, limit } = LIMITS[figure];
    return { figure, unit, slope, uncertainty, limit, isTooSteep: slope - 2 * uncertainty > limit };
  });
}

/** Fits a line by least squares. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): {
  readonly slope: number;
  readonly uncertainty: number;
} {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, uncertainty: Math.sqrt(rest / (points.length - 2) / spread) };
}
