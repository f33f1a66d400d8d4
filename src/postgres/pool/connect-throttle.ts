// Throttles new connections if a pool has some but the database rejects more: one attempt, a pause, another attempt,
// until one succeeds. Otherwise every request would make another attempt.
import type { ApiError } from '../../errors/api-error.ts';

export interface ConnectThrottleOptions {
  readonly pauseMs: number;
  /** Called once until an attempt succeeds, and at most once a minute. */
  onShortage(error: ApiError): void;
  onResume(): void;
}

/** At the limit, attempts succeed now and then as connections come and go; not every failure in between is reported. */
const MIN_REPORT_INTERVAL_MS = 60_000;

export class ConnectThrottle {
  readonly #options: ConnectThrottleOptions;
  #isThrottled = false;
  #reportedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConnectThrottleOptions) {
    this.#options = options;
  }

  /** Maximum number of concurrent attempts. */
  get limit(): number {
    if (!this.#isThrottled) return Infinity;
    return this.#timer === undefined ? 1 : 0;
  }

  noticeFailure(error: ApiError): void {
    if (!this.#isThrottled) this.#report(error);
    this.#isThrottled = true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#options.onResume();
    }, this.#options.pauseMs).unref();
  }

  reset(): void {
    this.#isThrottled = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #report(error: ApiError): void {
    const now = performance.now();
    if (now - this.#reportedAt < MIN_REPORT_INTERVAL_MS) return;
    this.#reportedAt = now;
    this.#options.onShortage(error);
  }
}
