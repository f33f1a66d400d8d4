// Renders the state of replicas as metrics, one series per server (`docs/replicas.md`).
import { escapeQuoted } from './escape-text.ts';
import type { Metric, Sample } from './metrics.ts';

export interface ReplicaCounters {
  /** Reads that ran on the primary although a replica was allowed to run them. */
  readonly primaryReads: number;
  readonly replicas: readonly ReplicaFacts[];
}

interface ReplicaFacts {
  readonly name: string;
  readonly isServing: boolean;
  /** Seconds; undefined while unknown. */
  readonly lag: number | undefined;
  readonly reads: number;
  readonly pool: {
    readonly available: number;
    readonly waiting: number;
    readonly max: number;
    readonly timeouts: number;
  };
}

/** Adds the counters of two processes. A replica serves only if both processes use it. */
export function addReplicaCounters(
  a: ReplicaCounters | undefined,
  b: ReplicaCounters | undefined,
): ReplicaCounters | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sums = new Map(a.replicas.map((facts) => [facts.name, facts]));
  for (const facts of b.replicas) {
    const other = sums.get(facts.name);
    sums.set(facts.name, other === undefined ? facts : addFacts(other, facts));
  }
  return { primaryReads: a.primaryReads + b.primaryReads, replicas: [...sums.values()] };
}

function addFacts(a: ReplicaFacts, b: ReplicaFacts): ReplicaFacts {
  const lags = [a.lag, b.lag].filter((lag) => lag !== undefined);
  return {
    name: a.name,
    isServing: a.isServing && b.isServing,
    lag: lags.length === 0 ? undefined : Math.max(...lags),
    reads: a.reads + b.reads,
    pool: {
      available: a.pool.available + b.pool.available,
      waiting: a.pool.waiting + b.pool.waiting,
      max: a.pool.max + b.pool.max,
      timeouts: a.pool.timeouts + b.pool.timeouts,
    },
  };
}

/** Keeps the counters of a process that has ended, without the state of its replicas. */
export function keepReplicaCounters({ primaryReads, replicas }: ReplicaCounters): ReplicaCounters {
  const kept = replicas.map(({ name, reads, pool: { timeouts } }) => ({
    name,
    isServing: true,
    lag: undefined,
    reads,
    pool: { available: 0, waiting: 0, max: 0, timeouts },
  }));
  return { primaryReads, replicas: kept };
}

type Read = (replica: ReplicaFacts) => number | undefined;

export function describeReplicaMetrics(prefix: string, { primaryReads, replicas }: ReplicaCounters): readonly Metric[] {
  const describe = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    name: prefix + name,
    type: name.endsWith('_total') ? 'counter' : 'gauge',
    help,
    samples,
  });
  const each = (name: string, help: string, read: Read): Metric =>
    describe(name, help, sample(replicas, 'replica', read));
  const reads = [{ label: 'target="primary"', value: primaryReads }, ...sample(replicas, 'target', (r) => r.reads)];
  return [
    describe(
      'db_reads_total',
      'The total number of reads that replicas were allowed to run, by the server that ran them',
      reads,
    ),
    each('db_replica_serving', 'Whether the replica gets reads', (r) => Number(r.isServing)),
    each('db_replica_lag_seconds', 'How far the replica is behind the primary', (r) => r.lag),
    each(
      'db_replica_pool_timeouts_total',
      "The total number of connection timeouts of the replica's pool",
      (r) => r.pool.timeouts,
    ),
    each('db_replica_pool_available', "Available connections in the replica's pool", (r) => r.pool.available),
    each(
      'db_replica_pool_waiting',
      "Requests waiting to acquire a connection of the replica's pool",
      (r) => r.pool.waiting,
    ),
    each('db_replica_pool_max', "Max connections of the replica's pool", (r) => r.pool.max),
  ];
}

function sample(replicas: readonly ReplicaFacts[], label: string, read: Read): readonly Sample[] {
  return replicas.flatMap((replica) => {
    const value = read(replica);
    return value === undefined || !Number.isFinite(value)
      ? []
      : [{ label: `${label}="${escapeQuoted(replica.name)}"`, value }];
  });
}
