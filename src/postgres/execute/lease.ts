// What a piece of work holds from the pool until it is over: a session and, while a client reads or sends rows, a stream
// permit.
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Session } from '../session/session.ts';
import type { BodyMemory } from '../stream/body-memory.ts';
import type { StreamPermits } from '../stream/stream-permits.ts';
import type { ScriptGuard } from '../../sql/script-guard.ts';
import type { FallbackStatements } from './fallback-statements.ts';
import { Stopper } from './stop-run.ts';
import type { TransactionBounds } from './transaction-bounds.ts';

/** What all work on a pool shares. */
export interface PoolState {
  readonly permits: StreamPermits;
  /** Single-row statements that need their general form. */
  readonly fallbacks: FallbackStatements;
  /** Undefined: no statement has a budget. */
  readonly guard: ScriptGuard | undefined;
  /** How the transactions of scripts begin and end. */
  readonly bounds: TransactionBounds;
}

export abstract class Lease {
  readonly session: Session;
  readonly pool: PoolState;
  #hasPermit: boolean;
  #stopper: Stopper | undefined;

  constructor(session: Session, pool: PoolState, hasPermit: boolean) {
    this.session = session;
    this.pool = pool;
    this.#hasPermit = hasPermit;
  }

  /** The memory for bodies that wait for their clients. */
  get memory(): BodyMemory {
    return this.pool.permits.memory;
  }

  /** @returns whether the work holds a stream permit now */
  tryAcquirePermit(): boolean {
    this.#hasPermit ||= this.pool.permits.tryAcquire();
    return this.#hasPermit;
  }

  /** Cancels what runs on the session, because nobody waits for it. */
  stop(): void {
    this.#stopper ??= new Stopper(this.session);
  }

  /**
   * Call when nothing runs any more, before `release`.
   *
   * @returns a promise while a cancel request is in flight, which could hit the next script on the connection
   */
  end(): Promise<void> | undefined {
    return this.#stopper?.end();
  }

  /** Gives the session and the permit back. */
  release(isSuccess: boolean): void {
    if (this.#hasPermit) this.pool.permits.release();
    this.#hasPermit = false;
    this.giveBack(isSuccess);
  }

  /** Call if the server refuses writes: the other sessions of the pool are of no use either. */
  abstract flushPool(): void;

  protected abstract giveBack(isSuccess: boolean): void;
}

/** Work that needs a lease. Exactly one of its methods is called, once, at once or later. */
export interface Borrower {
  /** Aborts when the client disconnects; `several`: the work is for several clients, each with its own timeout. */
  readonly client: CancelSignal | 'several' | undefined;
  /** Whether to take a stream permit before requesting a session. */
  readonly needsPermit: boolean;
  /** Must release the lease, unless it throws. */
  take(lease: Lease): void;
  /** Errors: `poolTimeout`, `REQUEST_CANCELLED`, and `cannotConnect` if no connection is open and none can be opened. */
  refuse(error: ApiError): void;
  /** Called after `take` has thrown an exception. */
  fail(error: unknown): void;
}
