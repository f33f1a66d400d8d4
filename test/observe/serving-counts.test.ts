// Adds up the counts of several processes.
import { expect, test } from 'vitest';
import { renderMetrics } from '../../src/observe/metrics.ts';
import { describeReplicaMetrics } from '../../src/extensions/replicas/replica-metrics.ts';
import { RequestMetrics } from '../../src/observe/request-metrics.ts';
import {
  addCounts,
  keepCounters,
  NO_COUNTS,
  type ServingCounts,
  shiftTimes,
} from '../../src/observe/serving-counts.ts';

const CACHE = { relations: new Map([['api', new Map([['houses', {}]])]]), routines: new Map() } as never;

interface Answered {
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly at: number;
}

function countsOf(answered: readonly Answered[], rest: Partial<ServingCounts> = {}): ServingCounts {
  const metrics = new RequestMetrics();
  for (const { path, status, milliseconds, at } of answered) {
    const request = { method: 'GET', path, rawQuery: '' };
    metrics.record({
      request,
      status,
      milliseconds,
      at,
      code: status === 200 ? undefined : `E${status}`,
      cache: CACHE,
    });
  }
  return { ...NO_COUNTS, metrics, ...rest };
}

const A = countsOf(
  [
    { path: '/houses', status: 200, milliseconds: 3, at: 10 },
    { path: '/gone', status: 404, milliseconds: 1, at: 30 },
  ],
  {
    pool: { open: 2, available: 1, waiting: 0, max: 3, timeouts: 4 },
    jwtCache: { requests: 5, hits: 4, evictions: 0 },
    refusals: { entries: [['server-max-wait', 2]] },
  },
);
const B = countsOf(
  [
    { path: '/houses', status: 200, milliseconds: 300, at: 20 },
    { path: '/houses', status: 500, milliseconds: 2, at: 40 },
    { path: '/gone', status: 404, milliseconds: 1, at: 25 },
  ],
  {
    pool: { open: 1, available: 0, waiting: 7, max: 2, timeouts: 1 },
    jwtCache: { requests: 1, hits: 0, evictions: 1 },
    refusals: {
      entries: [
        ['server-max-requests', 1],
        ['server-max-wait', 1],
      ],
    },
  },
);

test('counters, gauges and histograms are added up, by route, method and status', () => {
  const { pool, jwtCache, metrics, refusals } = addCounts(A, B);
  expect(pool).toEqual({ open: 3, available: 1, waiting: 7, max: 5, timeouts: 5 });
  expect(jwtCache).toEqual({ requests: 6, hits: 4, evictions: 1 });
  expect(refusals.entries).toEqual([
    ['server-max-requests', 1],
    ['server-max-wait', 3],
  ]);
  expect(metrics.series.map(({ route, statuses, seconds }) => [route, [...statuses], seconds])).toEqual([
    [
      '/houses',
      [
        [200, 2],
        [500, 1],
      ],
      0.305,
    ],
    ['other', [[404, 2]], 0.002],
  ]);
  expect(metrics.series[0]?.buckets).toEqual([0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
});

test('the slowest request and the last error are kept', () => {
  for (const sum of [addCounts(A, B), addCounts(B, A)]) {
    expect(sum.metrics.series[0]?.slowest).toMatchObject({ milliseconds: 300, at: 20 });
    expect(sum.metrics.errors.list.map(({ code, count, at }) => [code, count, at])).toEqual([
      ['E500', 1, 40],
      ['E404', 2, 30],
    ]);
  }
});

test('adding nothing changes nothing', () => {
  expect(addCounts(NO_COUNTS, A).metrics.series).toEqual(A.metrics.series);
  expect(addCounts(A, NO_COUNTS).pool).toEqual(A.pool);
});

test('the counters of a process that has ended are kept', () => {
  const kept = keepCounters({ ...A, metrics: { ...A.metrics, inFlight: 3, series: A.metrics.series } });
  expect(kept.pool).toEqual({ open: 0, available: 0, waiting: 0, max: 0, timeouts: 4 });
  expect([kept.metrics.inFlight, kept.jwtCache, kept.metrics.series.length]).toEqual([0, A.jwtCache, 2]);
});

test('times are converted to the clock of the reader', () => {
  const { series, errors } = shiftTimes(A, 1000).metrics;
  expect([series[0]?.slowest.at, errors.list[0]?.at]).toEqual([1010, 1030]);
  expect(A.metrics.series[0]?.slowest.at).toBe(10);
});

test('reads and pools of replicas are added up, the lag is the maximum, and all processes must use the replica', () => {
  const one = replicaMetrics({ isServing: true, lag: 0.5 });
  const other = replicaMetrics({ isServing: false, lag: 2, primaryReads: 6 });
  expect(renderOf(addCounts(one, other))).toEqual([
    'db_reads_total{target="primary"} 7.0',
    'db_reads_total{target="one:5432"} 20.0',
    'db_replica_serving{replica="one:5432"} 0.0',
    'db_replica_lag_seconds{replica="one:5432"} 2.0',
    'db_replica_pool_timeouts_total{replica="one:5432"} 8.0',
    'db_replica_pool_available{replica="one:5432"} 2.0',
    'db_replica_pool_waiting{replica="one:5432"} 4.0',
    'db_replica_pool_max{replica="one:5432"} 6.0',
  ]);
  expect(addCounts(NO_COUNTS, one).extensions).toEqual(one.extensions);
  expect(addCounts(NO_COUNTS, NO_COUNTS).extensions).toEqual([]);
});

test('the reads of a process that has ended are kept, but not its state of the replicas', () => {
  const ended = keepCounters(replicaMetrics({ isServing: false, lag: 9 }));
  expect(renderOf(addCounts(ended, replicaMetrics({ isServing: true, lag: 1, reads: 2 })))).toEqual([
    'db_reads_total{target="primary"} 2.0',
    'db_reads_total{target="one:5432"} 12.0',
    'db_replica_serving{replica="one:5432"} 1.0',
    'db_replica_lag_seconds{replica="one:5432"} 1.0',
    'db_replica_pool_timeouts_total{replica="one:5432"} 8.0',
    'db_replica_pool_available{replica="one:5432"} 1.0',
    'db_replica_pool_waiting{replica="one:5432"} 2.0',
    'db_replica_pool_max{replica="one:5432"} 3.0',
  ]);
});

function replicaMetrics({ primaryReads = 1, reads = 10, ...state }: ReplicaState): ServingCounts {
  const pool = { available: 1, waiting: 2, max: 3, timeouts: 4 };
  const replicas = [{ name: 'one:5432', reads, pool, ...state }];
  return { ...NO_COUNTS, extensions: describeReplicaMetrics({ primaryReads, replicas }) };
}

interface ReplicaState {
  readonly isServing: boolean;
  readonly lag: number;
  readonly reads?: number;
  readonly primaryReads?: number;
}

function renderOf({ extensions }: ServingCounts): readonly string[] {
  return renderMetrics(extensions)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
