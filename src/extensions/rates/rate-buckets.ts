// Counts the requests of each client against its quota. One number per client is enough: the time at which its quota
// will be whole again. Granting a request moves it by one interval; a request is denied if that would move it further
// ahead than the burst allows (the generic cell rate algorithm).
import { intervalOf, type Quota, type RateGrant } from '../../contract/rate-limit.ts';

export interface RateCounters {
  /** Clients whose quota is not whole. */
  readonly buckets: number;
  /** Clients that were forgotten although their quota was not whole. */
  readonly evictions: number;
}

export interface RateBucketsOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly maxBuckets?: number;
}

const MAX_BUCKETS = 100_000;
/** Whole quotas that each request removes, so that they do not stay until the limit is reached. */
const SWEEP = 2;

export class RateBuckets {
  readonly #now: () => number;
  readonly #maxBuckets: number;
  /** The time at which the quota of each client is whole, in the order of their last requests. */
  readonly #wholeAt: Map<string, number> = new Map();
  #evictions = 0;
  #isUsed = false;

  constructor({ now, maxBuckets = MAX_BUCKETS }: RateBucketsOptions) {
    this.#now = now;
    this.#maxBuckets = maxBuckets;
  }

  /** Undefined before the first request. */
  get counters(): RateCounters | undefined {
    return this.#isUsed ? { buckets: this.#wholeAt.size, evictions: this.#evictions } : undefined;
  }

  readonly take = ({ key, limit }: Quota): RateGrant => {
    const now = this.#now();
    const interval = intervalOf(limit);
    const capacity = limit.burst * interval;
    this.#isUsed = true;
    this.#sweep(now);
    // A limit that was lowered meanwhile counts at once.
    const before = Math.min(Math.max(this.#wholeAt.get(key) ?? now, now), now + capacity);
    // Sums of fractions may exceed the capacity by less than any clock can tell.
    const isGranted = before + interval <= now + capacity + TOLERANCE_MS;
    const wholeAt = isGranted ? before + interval : before;
    this.#keep(key, wholeAt);
    const free = (now + capacity + TOLERANCE_MS - wholeAt) / interval;
    const remaining = Math.max(0, Math.floor(free));
    const wait = (remaining + 1 - free) * interval;
    return { isGranted, remaining, seconds: Math.max(1, Math.ceil(wait / 1000)) };
  };

  #keep(key: string, wholeAt: number): void {
    this.#wholeAt.delete(key);
    this.#wholeAt.set(key, wholeAt);
    if (this.#wholeAt.size <= this.#maxBuckets) return;
    for (const oldest of this.#wholeAt.keys()) {
      this.#wholeAt.delete(oldest);
      this.#evictions += 1;
      return;
    }
  }

  #sweep(now: number): void {
    let left = SWEEP;
    for (const [key, wholeAt] of this.#wholeAt) {
      if (wholeAt > now || left === 0) return;
      this.#wholeAt.delete(key);
      left -= 1;
    }
  }
}

const TOLERANCE_MS = 0.001;
