// The connection pool. Provides a session, and a stream permit if needed, to one piece of work and takes both back when the
// work is over (`operating.md` §6, `beyond.md` §1.9).
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { ScriptGuard } from '../../sql/script-guard.ts';
import { FallbackStatements } from '../execute/fallback-statements.ts';
import { type Borrower, Lease, type PoolState } from '../execute/lease.ts';
import { type ScriptObserver, ScriptRequest } from '../execute/script-request.ts';
import { OWN_TRANSACTION, type TransactionBounds } from '../execute/transaction-bounds.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { Session } from '../session/session.ts';
import { StreamPermits } from '../stream/stream-permits.ts';
import type { PooledSession } from './idle-sessions.ts';
import { SessionSupply, type SupplyOptions, type SupplyStatistics } from './session-supply.ts';

export interface PoolOptions extends SupplyOptions {
  readonly guard?: ScriptGuard | undefined;
}

export interface PoolStatistics extends SupplyStatistics {
  /** Number of the waiting requests that wait for a stream permit, before they request a connection. */
  readonly waitingForPermit: number;
}

/** Runs the scripts of requests: a pool, or a component in front of one. */
export type ScriptRunner = Pick<Pool, 'runScript' | 'statistics'>;

export class Pool implements PoolState {
  readonly guard: ScriptGuard | undefined;
  readonly fallbacks: FallbackStatements = new FallbackStatements();
  readonly bounds: TransactionBounds = OWN_TRANSACTION;
  readonly permits: StreamPermits;
  readonly supply: SessionSupply;

  constructor(options: PoolOptions) {
    this.guard = options.guard;
    this.supply = new SessionSupply(options);
    this.permits = new StreamPermits(options);
  }

  get statistics(): PoolStatistics {
    const { statistics } = this.supply;
    const { waiting, timeouts } = this.permits.statistics;
    return {
      ...statistics,
      waiting: statistics.waiting + waiting,
      waitingForPermit: waiting,
      timeouts: statistics.timeouts + timeouts,
    };
  }

  /** Resources left for streamed responses; memory in bytes. */
  get streaming(): { readonly freePermits: number; readonly freeMemory: number } {
    return { freePermits: this.permits.statistics.free, freeMemory: this.permits.memory.free };
  }

  /** Same as in the statistics; read for every request. */
  get available(): number {
    return this.supply.available;
  }

  /** Same as in the statistics; read for every request. */
  get waitingForPermit(): number {
    return this.permits.waiting;
  }

  /** See `SessionSupply.renew`. */
  renew(): Promise<void> {
    this.guard?.clear();
    return this.supply.renew();
  }

  flush(): void {
    this.supply.flush();
  }

  close(): Promise<void> {
    return this.supply.close();
  }

  /**
   * Resolves when the transaction is over, or earlier with a response whose body is still arriving; the client may still
   * be reading when the session is given back. Errors: see `ScriptRequest`.
   *
   * @param signal aborts when the client disconnects
   */
  runScript(script: TransactionScript, signal?: CancelSignal, observer?: ScriptObserver): Promise<ScriptReply> {
    return new Promise((resolve, reject) => {
      this.provide(new ScriptRequest({ script, signal, observer, resolve, reject }));
    });
  }

  /** Provides a session for one piece of work, which must have ended when its promise settles. */
  use<T>(
    work: (session: Session) => Promise<Result<T, ApiError>>,
    signal?: CancelSignal,
  ): Promise<Result<T, ApiError>> {
    return new Promise((resolve, reject) => {
      const run = async (lease: Lease): Promise<void> => {
        let isSuccess = false;
        try {
          const result = await work(lease.session);
          isSuccess = result.ok;
          resolve(result);
        } catch (error) {
          lease.session.taint();
          reject(error);
        } finally {
          lease.release(isSuccess);
        }
      };
      const refuse = (error: ApiError): void => resolve(fail(error));
      this.provide({ client: signal, needsPermit: false, take: (lease) => void run(lease), refuse, fail: reject });
    });
  }

  /** The only place that hands out sessions and permits. */
  provide(borrower: Borrower): void {
    if (!borrower.needsPermit || this.permits.areNone) return this.#provideSession(borrower, false);
    if (this.permits.tryAcquire()) return this.#provideSession(borrower, true);
    this.permits.wait(borrower.client === 'several' ? undefined : borrower.client, (permit) => {
      if (permit.ok) this.#provideSession(borrower, true);
      else borrower.refuse(permit.error);
    });
  }

  #provideSession(borrower: Borrower, hasPermit: boolean): void {
    const pooled = this.supply.takeIdle();
    if (pooled !== undefined) return this.#start(borrower, pooled, hasPermit);
    this.supply.wait(borrower.client, (acquired) => {
      if (acquired.ok) return this.#start(borrower, acquired.value, hasPermit);
      if (hasPermit) this.permits.release();
      borrower.refuse(acquired.error);
    });
  }

  #start(borrower: Borrower, pooled: PooledSession, hasPermit: boolean): void {
    this.supply.noteUse(pooled);
    const lease = new PoolLease(pooled, this, hasPermit);
    try {
      borrower.take(lease);
    } catch (error) {
      pooled.session.taint();
      lease.release(false);
      borrower.fail(error);
    }
  }
}

class PoolLease extends Lease {
  readonly #pooled: PooledSession;
  readonly #supply: SessionSupply;
  #isOver = false;

  constructor(pooled: PooledSession, pool: Pool, hasPermit: boolean) {
    super(pooled.session, pool, hasPermit);
    this.#pooled = pooled;
    this.#supply = pool.supply;
  }

  flushPool(): void {
    this.#supply.flush();
  }

  protected giveBack(isSuccess: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#supply.release(this.#pooled, isSuccess ? 'session success' : 'session failure');
  }
}
