// Renders the server's counters as metrics, with the names of `operating.md` §9.2.
import { counter, gauge, type Metric } from './metrics.ts';

export interface ServiceCounters {
  /** Seconds; 0 before the first successful load. */
  readonly cacheQueryTime: number;
  readonly cacheLoads: { readonly succeeded: number; readonly failed: number };
  readonly pool: {
    readonly open: number;
    readonly available: number;
    readonly waiting: number;
    readonly max: number;
    readonly timeouts: number;
  };
  readonly jwtCache: { readonly requests: number; readonly hits: number; readonly evictions: number };
  /** Of what extensions count. Names lack the prefix. */
  readonly extensions: readonly Metric[];
}

export function describeServiceMetrics(prefix: string, counters: ServiceCounters): readonly Metric[] {
  const { cacheQueryTime, cacheLoads, pool, jwtCache, extensions } = counters;
  // A label value appears only after its first event.
  const samples = [
    { label: 'status="SUCCESS"', value: cacheLoads.succeeded },
    { label: 'status="FAIL"', value: cacheLoads.failed },
  ];
  const metrics: readonly Metric[] = [
    gauge('schema_cache_query_time_seconds', 'The query time in seconds of the last schema cache load', cacheQueryTime),
    {
      type: 'counter',
      name: 'schema_cache_loads_total',
      help: 'The total number of times the schema cache was loaded',
      samples: samples.filter(({ value }) => value > 0),
    },
    counter('db_pool_timeouts_total', 'The total number of pool connection timeouts', pool.timeouts),
    { ...gauge('db_pool_available', 'Available connections in the pool', pool.available), isInteger: true },
    gauge('db_pool_waiting', 'Requests waiting to acquire a pool connection', pool.waiting),
    gauge('db_pool_max', 'Max pool connections', pool.max),
    counter('jwt_cache_requests_total', 'The total number of JWT cache lookups', jwtCache.requests),
    counter('jwt_cache_hits_total', 'The total number of JWT cache hits', jwtCache.hits),
    counter('jwt_cache_evictions_total', 'The total number of JWT cache evictions', jwtCache.evictions),
    ...extensions,
  ];
  return metrics.map(({ name, ...metric }) => Object.assign(metric, { name: prefix + name }));
}
