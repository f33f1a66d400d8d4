// Renders runtime statistics as metrics, with the names of `operating.md` §9.3.
import { counter, gauge, type Metric } from './metrics.ts';

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
  return [
    counter('rt_gcs_total', 'Total number of GCs', s.collections),
    counter('rt_major_gcs_total', 'Total number of major GCs', s.majorCollections),
    counter('rt_allocated_bytes_total', 'Total bytes allocated', s.allocatedBytes),
    gauge('rt_max_live_bytes', 'Maximum live data', s.maxLiveBytes),
    gauge('rt_max_mem_in_use_bytes', 'Maximum memory in use', s.maxMemoryBytes),
    counter('rt_mutator_cpu_seconds_total', 'Total CPU time outside GC', s.mutatorTime),
    counter('rt_gc_cpu_seconds_total', 'Total CPU time of GC', s.collectionTime),
    counter('rt_elapsed_seconds_total', 'Total elapsed time', s.elapsedTime),
  ];
}
