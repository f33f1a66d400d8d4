// What is known of replicas → metrics, one series for each target of reads (`docs/replicas.md`).
import { escapeQuoted } from './escape-text.ts';
import type { Metric, Sample } from './metrics.ts';

export interface ReplicaCounters {
  /** Reads that the primary ran although a replica might have. */
  readonly primaryReads: number;
  readonly replicas: readonly ReplicaFacts[];
}

interface ReplicaFacts {
  readonly name: string;
  readonly isServing: boolean;
  /** Seconds; undefined while it is not known. */
  readonly lag: number | undefined;
  readonly reads: number;
  readonly pool: {
    readonly available: number;
    readonly waiting: number;
    readonly max: number;
    readonly timeouts: number;
  };
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
    describe('db_reads_total', 'The total number of reads that replicas may run, by the server that ran them', reads),
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
