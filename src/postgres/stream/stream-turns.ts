// Limits how many connections of a pool may stream bodies to or from clients. A slow client holds a connection as long
// as it likes, so half of the connections are reserved for other requests. A pool of one connection has no permits.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { CancelSignal } from '../connect/cancel.ts';
import { WaitQueue } from '../session/wait-queue.ts';
import { BodyMemory } from './body-memory.ts';

export interface StreamTurnsOptions {
  /** Size of the pool. */
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
}

export interface TurnStatistics {
  readonly total: number;
  readonly free: number;
  /** Requests that wait for a permit before they request a connection. */
  readonly waiting: number;
  /** Since startup. */
  readonly timeouts: number;
}

/** Fraction of the connections. */
const SHARE = 1 / 2;

export class StreamTurns {
  readonly memory: BodyMemory = new BodyMemory();
  readonly #waiters: WaitQueue<void>;
  readonly #total: number;
  #free: number;
  #timeoutCount = 0;

  constructor({ maxConnections, acquisitionTimeoutMs }: StreamTurnsOptions) {
    this.#total = Math.floor(maxConnections * SHARE);
    this.#free = this.#total;
    this.#waiters = new WaitQueue({
      acquisitionTimeoutMs,
      onTimeout: () => (this.#timeoutCount += 1),
      onLeave: () => undefined,
    });
  }

  get statistics(): TurnStatistics {
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

  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  giveBack(): void {
    if (!this.#waiters.settleNext(ok(undefined))) this.#free += 1;
  }
}

/** The permit of one piece of work. The pool releases it together with the session (`pool.ts`). */
export class StreamTurn {
  readonly #turns: StreamTurns;
  #isHeld = false;

  constructor(turns: StreamTurns) {
    this.#turns = turns;
  }

  get memory(): BodyMemory {
    return this.#turns.memory;
  }

  /**
   * Waits for a permit; does not wait if the pool is too small to have any. Errors: `poolTimeout`, `REQUEST_CANCELLED`.
   */
  async enter(signal: CancelSignal | undefined): Promise<Result<void, ApiError>> {
    if (this.tryEnter() || this.#turns.statistics.total === 0) return ok(undefined);
    const turn = await this.#turns.wait(signal);
    this.#isHeld = turn.ok;
    return turn;
  }

  /** @returns whether the work holds a permit now */
  tryEnter(): boolean {
    this.#isHeld ||= this.#turns.tryTake();
    return this.#isHeld;
  }

  leave(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#turns.giveBack();
  }
}
