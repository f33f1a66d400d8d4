// Renders runtime statistics as metrics, with the names of `operating.md` §9.3.
import type { Metric } from './metrics.ts';

export interface RuntimeStatistics {
  readonly collections: number;
  readonly majorCollections: number;
  /** Estimated; never decreases. */
  readonly allocatedBytes: number;
  readonly maxLiveBytes: number;
  readonly maxMemoryBytes: number;
  /** Seconds of CPU time, outside and inside collections. */
  readonly mutatorTime: number;
  readonly collectionTime: number;
  /** Seconds since the start. */
  readonly elapsedTime: number;
}

export function describeRuntimeMetrics(statistics: RuntimeStatistics): readonly Metric[] {
  const s = statistics;
  const counter = (name: string, help: string, value: number): Metric => ({
    ...gauge(name, help, value),
    type: 'counter',
  });
  const gauge = (name: string, help: string, value: number): Metric => ({
    name: `rt_${name}`,
    type: 'gauge',
    help,
    samples: [{ value }],
  });
  return [
    counter('gcs_total', 'Total number of GCs', s.collections),
    counter('major_gcs_total', 'Total number of major GCs', s.majorCollections),
    counter('allocated_bytes_total', 'Total bytes allocated', s.allocatedBytes),
    gauge('max_live_bytes', 'Maximum live data', s.maxLiveBytes),
    gauge('max_mem_in_use_bytes', 'Maximum memory in use', s.maxMemoryBytes),
    counter('mutator_cpu_seconds_total', 'Total CPU time outside GC', s.mutatorTime),
    counter('gc_cpu_seconds_total', 'Total CPU time of GC', s.collectionTime),
    counter('elapsed_seconds_total', 'Total elapsed time', s.elapsedTime),
  ];
}
