// Computes rates from two consecutive statuses of the same server. The charts show the latest samples.
import type { RequestStatus, StatusDocument } from '../../../src/contract/status-document.ts';

export interface TimedStatus {
  readonly status: StatusDocument;
  /** Time in milliseconds. */
  readonly readAt: number;
}

export interface Sample {
  readonly requestsPerSecond: number;
  /** Responses with status 500 or higher. */
  readonly failuresPerSecond: number;
  /** Milliseconds; undefined without responses in the interval. */
  readonly median: number | undefined;
  readonly p95: number | undefined;
  readonly inUse: number;
  readonly waiting: number;
}

/** Five minutes, at one sample every two seconds. */
const MAX_SAMPLES = 150;

export function appendSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples.slice(1 - MAX_SAMPLES), sample];
}

/** @returns undefined if the server was restarted in between */
export function takeSample(before: TimedStatus, after: TimedStatus): Sample | undefined {
  const [old, now] = [before.status.requests, after.status.requests];
  if (now.answered < old.answered) return undefined;
  const seconds = Math.max(0.001, (after.readAt - before.readAt) / 1000);
  const counts = now.latency.counts.map((count, index) => count - (old.latency.counts[index] ?? 0));
  return {
    requestsPerSecond: (now.answered - old.answered) / seconds,
    failuresPerSecond: (countFailures(now) - countFailures(old)) / seconds,
    median: findQuantile(counts, now.latency.bounds, 0.5),
    p95: findQuantile(counts, now.latency.bounds, 0.95),
    inUse: after.status.pool.inUse,
    waiting: after.status.pool.waiting,
  };
}

function countFailures({ statuses }: RequestStatus): number {
  return statuses.filter(({ status }) => status >= 500).reduce((sum, { count }) => sum + count, 0);
}

/**
 * @param counts number of values per bucket; the last bucket has no upper bound
 * @param bounds upper bounds of the buckets, in seconds
 * @returns milliseconds, interpolated linearly within a bucket
 */
export function findQuantile(counts: readonly number[], bounds: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = total * share;
  let seen = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && seen + count >= wanted) {
      const low = bounds[index - 1] ?? 0;
      const high = bounds[index] ?? low;
      return (low + ((wanted - seen) / count) * (high - low)) * 1000;
    }
    seen += count;
  }
  return undefined;
}
