// Adds up the counts of the processes that serve requests. Counters, histograms and gauges are all added, because each
// process has its own share of the pool and its own requests.
import { compareCodePoints } from '../util/code-points.ts';
import type { Tallied } from './http-metrics.ts';
import { addMetrics, keepCounted } from './metrics.ts';
import type { CountedError } from './recent-errors.ts';
import { type RequestCounts, type Series, SLOWEST_MS } from './request-metrics.ts';
import type { RuntimeStatistics } from './runtime-metrics.ts';
import type { ServiceCounters } from './service-metrics.ts';

/** The counts of one process, as plain data that can be sent to another process. */
export interface ServingCounts extends Pick<ServiceCounters, 'pool' | 'jwtCache' | 'extensions'> {
  readonly metrics: RequestCounts;
  readonly refusals: Tallied;
  /** Undefined if not requested. */
  readonly runtime: RuntimeStatistics | undefined;
}

export const NO_COUNTS: ServingCounts = {
  pool: { open: 0, available: 0, waiting: 0, max: 0, timeouts: 0 },
  jwtCache: { requests: 0, hits: 0, evictions: 0 },
  extensions: [],
  metrics: { inFlight: 0, series: [], errors: { list: [] } },
  refusals: { entries: [] },
  runtime: undefined,
};

export function addCounts(a: ServingCounts, b: ServingCounts): ServingCounts {
  return {
    pool: addNumbers(a.pool, b.pool),
    jwtCache: addNumbers(a.jwtCache, b.jwtCache),
    extensions: addMetrics(a.extensions, b.extensions),
    metrics: {
      inFlight: a.metrics.inFlight + b.metrics.inFlight,
      series: addSeries(a.metrics.series, b.metrics.series),
      errors: { list: addErrors(a.metrics.errors.list, b.metrics.errors.list) },
    },
    refusals: { entries: addEntries(a.refusals.entries, b.refusals.entries) },
    runtime: addRuntime(a.runtime, b.runtime),
  };
}

/** Keeps the counters of a process that has ended, so that sums never decrease, and drops its gauges. */
export function keepCounters({ pool, metrics, extensions, ...counts }: ServingCounts): ServingCounts {
  return {
    ...counts,
    pool: { ...NO_COUNTS.pool, timeouts: pool.timeouts },
    extensions: keepCounted(extensions),
    metrics: { ...metrics, inFlight: 0 },
    runtime: counts.runtime && { ...counts.runtime, maxLiveBytes: 0, maxMemoryBytes: 0 },
  };
}

/** @param milliseconds by which the reader's monotonic clock is ahead of the clock of the counting process */
export function shiftTimes(counts: ServingCounts, milliseconds: number): ServingCounts {
  const { series, errors, inFlight } = counts.metrics;
  const shift = <T extends { readonly at: number }>(each: T): T => ({ ...each, at: each.at + milliseconds });
  return {
    ...counts,
    metrics: {
      inFlight,
      series: series.map(({ slowest, ...each }) => Object.assign(each, { slowest: shift(slowest) })),
      errors: { list: errors.list.map((each) => shift(each)) },
    },
  };
}

function addNumbers<T extends Readonly<Record<keyof T, number>>>(a: T, b: T): T {
  const sums: Record<string, number> = { ...a };
  for (const [name, value] of Object.entries<number>(b)) sums[name] = (sums[name] ?? 0) + value;
  return { ...a, ...sums };
}

/** The elapsed time is that of the older process. */
function addRuntime(a: RuntimeStatistics | undefined, b: RuntimeStatistics | undefined): RuntimeStatistics | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { ...addNumbers(a, b), elapsedTime: Math.max(a.elapsedTime, b.elapsedTime) };
}

type Entry = Tallied['entries'][number];

function addEntries(a: readonly Entry[], b: readonly Entry[]): readonly Entry[] {
  const sums = new Map(a);
  for (const [name, count] of b) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].sort(([first], [second]) => compareCodePoints(first, second));
}

type Counted = RequestCounts['series'];

function addSeries(a: Counted, b: Counted): Counted {
  const sums = new Map(a.map((series) => [keyOf(series), series]));
  for (const series of b) {
    const other = sums.get(keyOf(series));
    sums.set(keyOf(series), other === undefined ? series : addOne(other, series));
  }
  return [...sums.values()].sort(
    (one, two) => compareCodePoints(one.route, two.route) || compareCodePoints(one.method, two.method),
  );
}

function keyOf({ route, method }: Readonly<Series>): string {
  return `${method} ${route}`;
}

function addOne(a: Readonly<Series>, b: Readonly<Series>): Series {
  const statuses = new Map(a.statuses);
  for (const [status, count] of b.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return {
    route: a.route,
    method: a.method,
    statuses,
    buckets: a.buckets.map((count, index) => count + (b.buckets[index] ?? 0)),
    seconds: a.seconds + b.seconds,
    slowest: chooseSlowest(a.slowest, b.slowest),
  };
}

/** Returns what a single process would have kept: the slower one, or the later one if they are far apart. */
function chooseSlowest(a: Series['slowest'], b: Series['slowest']): Series['slowest'] {
  const [earlier, later] = a.at <= b.at ? [a, b] : [b, a];
  if (earlier.milliseconds < 0) return later;
  const isEarlierKept = later.at - earlier.at <= SLOWEST_MS && earlier.milliseconds >= later.milliseconds;
  return isEarlierKept ? earlier : later;
}

function addErrors(a: readonly CountedError[], b: readonly CountedError[]): readonly CountedError[] {
  const sums = new Map(a.map((error) => [error.code, error]));
  for (const error of b) {
    const other = sums.get(error.code);
    const last = other === undefined || other.at <= error.at ? error : other;
    sums.set(error.code, { ...last, count: error.count + (other?.count ?? 0) });
  }
  return [...sums.values()].sort((one, two) => two.at - one.at);
}
