// Two statuses of the same server, one after the other → what happened between them. The last samples make the charts.
import type { RequestStatus, StatusDocument } from '../../../src/contract/status-document.ts';

export interface TimedStatus {
  readonly status: StatusDocument;
  /** Milliseconds. */
  readonly readAt: number;
}

export interface Sample {
  readonly requestsPerSecond: number;
  /** Answers with a status of 500 and more. */
  readonly failuresPerSecond: number;
  /** Milliseconds; undefined where nothing was answered. */
  readonly median: number | undefined;
  readonly p95: number | undefined;
  readonly inUse: number;
  readonly waiting: number;
}

/** Of five minutes at one every two seconds. */
const MAX_SAMPLES = 150;

export function appendSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples.slice(1 - MAX_SAMPLES), sample];
}

/** @returns undefined where the server has started again in between */
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
 * @param counts by the bound that they are not beyond; the last one is of those beyond all
 * @param bounds seconds
 * @returns milliseconds, as if the values between two bounds were spread evenly
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
