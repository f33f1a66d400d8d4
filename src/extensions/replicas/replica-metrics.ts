// Renders the state of replicas as metrics, one series per server (`docs/replicas.md`).
import { escapeQuoted } from '../../observe/escape-text.ts';
import type { Metric, Sample } from '../../observe/metrics.ts';

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

type Read = (replica: ReplicaFacts) => number | undefined;

/** A replica serves only if all processes use it. */
export function describeReplicaMetrics({ primaryReads, replicas }: ReplicaCounters): readonly Metric[] {
  const describe = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    name,
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
    { ...each('db_replica_serving', 'Whether the replica gets reads', (r) => Number(r.isServing)), across: 'min' },
    {
      ...each('db_replica_lag_seconds', 'How far the replica is behind the primary', (r) => r.lag),
      across: 'max',
    },
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
