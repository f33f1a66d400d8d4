// Turns of streams: how many connections of a pool may serve bodies that a client takes, or brings, while they pass. A slow
// client keeps one for as long as it likes, so the other half is left to everybody else. A pool of one has no turns.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { CancelSignal } from '../connect/cancel.ts';
import { WaitQueue } from '../session/wait-queue.ts';
import { BodyMemory } from './body-memory.ts';

export interface StreamTurnsOptions {
  /** Connections of the pool. */
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
}

export interface TurnStatistics {
  readonly total: number;
  readonly free: number;
  /** Requests that wait for a turn before they ask for a connection. */
  readonly waiting: number;
  /** Since the start. */
  readonly timeouts: number;
}

/** Share of the connections. */
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

  /** As in the statistics. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Without turns at all, there is nothing to wait for. Errors: `poolTimeout`, `REQUEST_CANCELLED`. */
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

/** The turn of one piece of work, which its pool gives back together with the session (`pool.ts`). */
export class StreamTurn {
  readonly #turns: StreamTurns;
  #isHeld = false;

  constructor(turns: StreamTurns) {
    this.#turns = turns;
  }

  get memory(): BodyMemory {
    return this.#turns.memory;
  }

  /** Waits for a turn, unless the pool is too small to have any. Errors: `poolTimeout`, `REQUEST_CANCELLED`. */
  async enter(signal: CancelSignal | undefined): Promise<Result<void, ApiError>> {
    if (this.tryEnter() || this.#turns.statistics.total === 0) return ok(undefined);
    const turn = await this.#turns.wait(signal);
    this.#isHeld = turn.ok;
    return turn;
  }

  /** @returns whether the work has a turn now */
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
