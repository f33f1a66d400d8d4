// How many connections of a pool may serve bodies that are sent while they come. A slow client keeps one for as long as it
// reads, so that a part of them is left to all others.
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { CancelSignal } from './cancel.ts';
import { ReadAhead } from './read-ahead.ts';
import { WaitQueue } from './wait-queue.ts';

export interface StreamSlotsOptions {
  /** Of the pool. */
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
}

/** Of the connections. */
const SHARE = 1 / 2;

export class StreamSlots {
  readonly readAhead: ReadAhead = new ReadAhead();
  readonly #waiters: WaitQueue<void>;
  #free: number;
  #timeoutCount = 0;

  constructor({ maxConnections, acquisitionTimeoutMs }: StreamSlotsOptions) {
    this.#free = Math.max(1, Math.floor(maxConnections * SHARE));
    this.#waiters = new WaitQueue({
      acquisitionTimeoutMs,
      onTimeout: () => (this.#timeoutCount += 1),
      onLeave: () => undefined,
    });
  }

  /** Requests that have not come to the pool yet, and those that never did. */
  get statistics(): { readonly waiting: number; readonly timeouts: number } {
    return { waiting: this.#waiters.length, timeouts: this.#timeoutCount };
  }

  /** Errors: `poolTimeout`, `REQUEST_CANCELLED`. */
  enter(signal: CancelSignal | undefined): Promise<Result<void, ApiError>> {
    return this.tryEnter() ? Promise.resolve(ok(undefined)) : this.#waiters.join(signal);
  }

  /** @returns whether there was one at once */
  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  leave(): void {
    if (!this.#waiters.settleNext(ok(undefined))) this.#free += 1;
  }
}
