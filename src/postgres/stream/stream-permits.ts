// Limits how many connections of a pool may stream bodies to or from clients. A slow client holds a connection as long
// as it likes, so half of the connections are reserved for other requests. A pool of one connection has no permits.
import { ok } from '../../contract/result.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { type Settle, WaitQueue } from '../session/wait-queue.ts';
import { BodyMemory } from './body-memory.ts';

export interface StreamPermitsOptions {
  /** Size of the pool. */
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
}

export interface PermitStatistics {
  readonly free: number;
  /** Requests that wait for a permit before they request a connection. */
  readonly waiting: number;
  /** Since startup. */
  readonly timeouts: number;
}

/** Fraction of the connections. */
const SHARE = 1 / 2;

export class StreamPermits {
  readonly memory: BodyMemory = new BodyMemory();
  readonly #waiters: WaitQueue<void>;
  readonly #total: number;
  #free: number;
  #timeoutCount = 0;

  constructor({ maxConnections, acquisitionTimeoutMs }: StreamPermitsOptions) {
    this.#total = Math.floor(maxConnections * SHARE);
    this.#free = this.#total;
    this.#waiters = new WaitQueue({
      acquisitionTimeoutMs,
      onTimeout: () => (this.#timeoutCount += 1),
      onLeave: () => undefined,
    });
  }

  get statistics(): PermitStatistics {
    return { free: this.#free, waiting: this.waiting, timeouts: this.#timeoutCount };
  }

  /** Whether the pool is too small to have permits: then nobody waits for one. */
  get areNone(): boolean {
    return this.#total === 0;
  }

  /** Same as `statistics.waiting`. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Waits for a permit. Errors: `poolTimeout`, `REQUEST_CANCELLED`. */
  wait(signal: CancelSignal | undefined, done: Settle<void>): void {
    this.#waiters.join(signal, done);
  }

  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  release(): void {
    if (!this.#waiters.settleNext(ok(undefined))) this.#free += 1;
  }
}
