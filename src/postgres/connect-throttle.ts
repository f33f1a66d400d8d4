// Keeps a pool that has some connections from asking for more at every request while the database has no room for them:
// one attempt, a rest, one attempt, until one succeeds.
import type { ApiError } from '../errors/api-error.ts';

export interface ConnectThrottleOptions {
  /** Milliseconds. */
  readonly rest: number;
  /** Called once until an attempt succeeds, and not more than once a minute. */
  onShortage(error: ApiError): void;
  onRested(): void;
}

/** Milliseconds: where connections come and go at the limit, now and then an attempt succeeds. */
const QUIET = 60_000;

export class ConnectThrottle {
  readonly #options: ConnectThrottleOptions;
  #isShort = false;
  #toldAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConnectThrottleOptions) {
    this.#options = options;
  }

  /** How many attempts may be under way. */
  get limit(): number {
    if (!this.#isShort) return Infinity;
    return this.#timer === undefined ? 1 : 0;
  }

  noticeFailure(error: ApiError): void {
    if (!this.#isShort) this.#tell(error);
    this.#isShort = true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#options.onRested();
    }, this.#options.rest).unref();
  }

  release(): void {
    this.#isShort = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #tell(error: ApiError): void {
    const now = performance.now();
    if (now - this.#toldAt < QUIET) return;
    this.#toldAt = now;
    this.#options.onShortage(error);
  }
}
