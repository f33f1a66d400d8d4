// Builds the `/status` document.
import type { SchemaCacheSummary } from '../catalog/summary.ts';
import type {
  ListenerStatus,
  RequestStatus,
  ShownOption,
  SlowShape,
  StatusDocument,
} from '../contract/status-document.ts';
import type { Tallied } from './http-metrics.ts';
import { BOUNDS, type RequestCounts, type Series, SLOWEST_MS } from './request-metrics.ts';
import type { ServiceCounters } from './service-metrics.ts';

export interface StatusFacts extends Pick<
  StatusDocument,
  'product' | 'dialect' | 'versions' | 'isLive' | 'problems' | 'workers'
> {
  readonly uptimeMs: number;
  /** The same moment on two clocks, in milliseconds: since 1970, and monotonic. */
  readonly now: { readonly epoch: number; readonly monotonic: number };
  readonly counters: ServiceCounters;
  readonly metrics: RequestCounts;
  readonly refusals: Tallied;
  /** Summary of the schema cache; undefined before the first successful load. */
  readonly summary: SchemaCacheSummary | undefined;
  /** Milliseconds since 1970. */
  readonly loadedAt: number | undefined;
  readonly listener: ListenerStatus;
  readonly configuration: readonly ShownOption[];
}

const MAX_SLOWEST = 15;

export function buildStatus(facts: StatusFacts): StatusDocument {
  const { product, dialect, versions, isLive, problems, counters, metrics, listener, configuration } = facts;
  const { open, available, max, waiting, timeouts } = counters.pool;
  return {
    product: { name: product.name, version: product.version },
    dialect,
    versions,
    uptimeSeconds: Math.floor(facts.uptimeMs / 1000),
    isLive,
    isReady: isLive && problems.length === 0,
    problems,
    pool: { max, open, inUse: open - available, waiting, timeouts },
    workers: facts.workers,
    requests: sumRequests(metrics),
    refusals: facts.refusals.entries.map(([limit, count]) => ({ limit, count })),
    slowest: listSlowest(facts),
    errors: facts.metrics.errors.list.map((error) => ({ ...error, at: renderMoment(error.at, facts.now) })),
    schemaCache: {
      loads: counters.cacheLoads,
      loadedAt: facts.loadedAt === undefined ? undefined : renderTime(facts.loadedAt),
      querySeconds: counters.cacheQueryTime,
      relations: facts.summary?.relations ?? 0,
      relationships: facts.summary?.relationships ?? 0,
      functions: facts.summary?.routines ?? 0,
    },
    listener,
    tokenCache: counters.jwtCache,
    configuration,
  };
}

/** Counts completed requests. */
export function countAnswered({ series }: RequestCounts): number {
  return sum(series, ({ buckets }) => buckets.reduce((total, count) => total + count, 0));
}

function sumRequests({ series, inFlight }: RequestCounts): RequestStatus {
  const statuses = new Map<number, number>();
  for (const each of series)
    for (const [status, count] of each.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  const counts = Array.from({ length: BOUNDS.length + 1 }, (_, index) =>
    sum(series, (each) => each.buckets[index] ?? 0),
  );
  return {
    inFlight,
    answered: counts.reduce((total, count) => total + count, 0),
    statuses: [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => ({ status, count })),
    latency: { bounds: BOUNDS, counts, seconds: sum(series, (each) => each.seconds) },
  };
}

function listSlowest({ metrics, now }: StatusFacts): readonly SlowShape[] {
  return metrics.series
    .filter(({ slowest }) => slowest.milliseconds >= 0 && now.monotonic - slowest.at <= SLOWEST_MS)
    .sort((a, b) => b.slowest.milliseconds - a.slowest.milliseconds)
    .slice(0, MAX_SLOWEST)
    .map(({ method, route, slowest, buckets, seconds }) => {
      const requests = buckets.reduce((total, count) => total + count, 0);
      return {
        shape: `${method} ${route}${slowest.queryNames === '' ? '' : `?${slowest.queryNames}`}`,
        milliseconds: round(slowest.milliseconds),
        at: renderMoment(slowest.at, now),
        requests,
        meanMilliseconds: round((seconds * 1000) / requests),
      };
    });
}

function sum(series: RequestCounts['series'], valueOf: (series: Readonly<Series>) => number): number {
  return series.reduce((total, each) => total + valueOf(each), 0);
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

/** @param at milliseconds of the monotonic clock */
function renderMoment(at: number, { epoch, monotonic }: StatusFacts['now']): string {
  return renderTime(epoch - (monotonic - at));
}

function renderTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
