// Renders the counts of event streams as metrics. They appear with the first stream.
import { counter, gauge, type Metric } from '../../observe/metrics.ts';

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

export function describeLiveMetrics(counters: LiveCounters): readonly Metric[] {
  const { channelStreams, rowStreams, groups, bytes, reads, resets, lag } = counters;
  const lagHelp = 'How long the oldest change has waited for its transaction to be visible';
  return [
    gauge('event_streams', 'Open event streams of channels', channelStreams),
    gauge('live_streams', 'Open live responses', rowStreams),
    gauge('live_groups', 'Groups of live responses that share reads', groups),
    gauge('live_bytes', 'Bytes that live responses hold, as live-max-bytes counts them', bytes),
    counter('live_reads_total', 'The total number of reads for live responses', reads),
    counter('live_resets_total', 'The total number of live responses that began again', resets),
    { ...gauge('live_lag_seconds', lagHelp, lag), across: 'max' },
  ];
}
