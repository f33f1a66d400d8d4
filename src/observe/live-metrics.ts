// Renders the counts of event streams as metrics. They appear with the first stream.
import type { Metric } from './metrics.ts';

export interface LiveCounters {
  /** Open streams of channels and of rows. */
  readonly channelStreams: number;
  readonly rowStreams: number;
  readonly groups: number;
  /** What live responses hold. */
  readonly bytes: number;
  readonly reads: number;
  readonly resets: number;
  /** Seconds for which the oldest change has waited until the database shows it. */
  readonly lag: number;
}

export function addLiveCounters(a: LiveCounters | undefined, b: LiveCounters | undefined): LiveCounters | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    channelStreams: a.channelStreams + b.channelStreams,
    rowStreams: a.rowStreams + b.rowStreams,
    groups: a.groups + b.groups,
    bytes: a.bytes + b.bytes,
    reads: a.reads + b.reads,
    resets: a.resets + b.resets,
    lag: Math.max(a.lag, b.lag),
  };
}

/** Keeps the counters of a process that has ended, without its streams. */
export function keepLiveCounters({ reads, resets }: LiveCounters): LiveCounters {
  return { channelStreams: 0, rowStreams: 0, groups: 0, bytes: 0, reads, resets, lag: 0 };
}

type DescribeValue = (name: string, help: string, value: number) => Metric;

export function describeLiveMetrics(prefix: string, counters: LiveCounters): readonly Metric[] {
  const { channelStreams, rowStreams, groups, bytes, reads, resets, lag } = counters;
  const gauge = describeValue('gauge', prefix);
  const counter = describeValue('counter', prefix);
  return [
    gauge('event_streams', 'Open event streams of channels', channelStreams),
    gauge('live_streams', 'Open live responses', rowStreams),
    gauge('live_groups', 'Groups of live responses that share reads', groups),
    gauge('live_bytes', 'Bytes that live responses hold, as live-max-bytes counts them', bytes),
    counter('live_reads_total', 'The total number of reads for live responses', reads),
    counter('live_resets_total', 'The total number of live responses that began again', resets),
    gauge('live_lag_seconds', 'How long the oldest change has waited for its transaction to be visible', lag),
  ];
}

function describeValue(type: 'gauge' | 'counter', prefix: string): DescribeValue {
  return (name, help, value) => ({
    type,
    name: prefix + name,
    help,
    samples: [{ value }],
  });
}
