// Limits how many connections of a pool may stream bodies to or from clients. A slow client holds a connection as long
// as it likes, so half of the connections are reserved for other requests. A pool of one connection has no permits.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { WaitQueue } from '../session/wait-queue.ts';
import { BodyMemory } from './body-memory.ts';

export interface StreamPermitsOptions {
  /** Size of the pool. */
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
}

export interface PermitStatistics {
  readonly total: number;
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
    return { total: this.#total, free: this.#free, waiting: this.waiting, timeouts: this.#timeoutCount };
  }

  /** Same as `statistics.waiting`. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Waits for a permit. Errors: `poolTimeout`, `REQUEST_CANCELLED`. */
  wait(signal: CancelSignal | undefined): Promise<Result<void, ApiError>> {
    return this.#waiters.join(signal);
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

/** The permit of one piece of work. The pool releases it together with the session (`pool.ts`). */
export class StreamPermit {
  readonly #permits: StreamPermits;
  #isHeld = false;

  constructor(permits: StreamPermits) {
    this.#permits = permits;
  }

  get memory(): BodyMemory {
    return this.#permits.memory;
  }

  /**
   * Waits for a permit; does not wait if the pool is too small to have any. Errors: `poolTimeout`, `REQUEST_CANCELLED`.
   */
  async acquire(signal: CancelSignal | undefined): Promise<Result<void, ApiError>> {
    if (this.tryAcquire() || this.#permits.statistics.total === 0) return ok(undefined);
    const permit = await this.#permits.wait(signal);
    this.#isHeld = permit.ok;
    return permit;
  }

  /** @returns whether the work holds a permit now */
  tryAcquire(): boolean {
    this.#isHeld ||= this.#permits.tryAcquire();
    return this.#isHeld;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#permits.release();
  }
}
