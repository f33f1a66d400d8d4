// The connection pool. Provides a session, and a stream permit if needed, to one piece of work and takes both back when
// the work has ended (`operating.md` §6, `beyond.md` §1.9).
import type { Result } from '../../contract/result.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { runScript } from '../execute/run-script.ts';
import { FallbackStatements } from '../execute/fallback-statements.ts';
import { KeptEstimates } from '../execute/kept-estimates.ts';
import type { PooledSession } from './idle-sessions.ts';
import type { Lease } from '../execute/lease.ts';
import type { AvailableReason } from './pool-event.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { Session } from '../session/session.ts';
import { SessionSupply, type SupplyOptions } from './session-supply.ts';
import { StreamPermit, StreamPermits } from '../stream/stream-permits.ts';
import type { SupplyStatistics } from './supply-statistics.ts';

export type PoolOptions = SupplyOptions;

export interface PoolStatistics extends SupplyStatistics {
  /** Number of the waiting requests that wait for a stream permit, before they request a connection. */
  readonly waitingForPermit: number;
}

type Work<T> = (lease: Lease) => Promise<Result<T, ApiError>>;

interface Demand {
  /** Aborts when the client disconnects. */
  readonly signal?: CancelSignal | undefined;
  /** Whether to take a stream permit before requesting a session. */
  readonly needsPermit?: boolean;
  /** Waiting for a session then has no timeout. */
  readonly isForBatch?: boolean;
}

export class Pool {
  /** Of statements whose cost does not depend on their values. */
  readonly estimates: KeptEstimates = new KeptEstimates();
  readonly #supply: SessionSupply;
  readonly #permits: StreamPermits;
  readonly #fallbacks = new FallbackStatements();

  constructor(options: PoolOptions) {
    this.#supply = new SessionSupply(options);
    this.#permits = new StreamPermits(options);
  }

  get statistics(): PoolStatistics {
    const { statistics } = this.#supply;
    const { waiting, timeouts } = this.#permits.statistics;
    return {
      ...statistics,
      waiting: statistics.waiting + waiting,
      waitingForPermit: waiting,
      timeouts: statistics.timeouts + timeouts,
    };
  }

  /** Resources left for streamed responses; memory in bytes. */
  get streaming(): { readonly freePermits: number; readonly freeMemory: number } {
    return { freePermits: this.#permits.statistics.free, freeMemory: this.#permits.memory.free };
  }

  /** Same as in the statistics; read for every request. */
  get available(): number {
    return this.#supply.available;
  }

  /** Same as in the statistics; read for every request. */
  get waitingForPermit(): number {
    return this.#permits.waiting;
  }

  /** See `SessionSupply.renew`. */
  renew(): Promise<void> {
    this.estimates.clear();
    return this.#supply.renew();
  }

  flush(): void {
    this.#supply.flush();
  }

  close(): Promise<void> {
    return this.#supply.close();
  }

  /**
   * Resolves when the transaction is over, or earlier with a response whose body is still arriving. The session stays
   * in use until the transaction is over and no cancel request is in flight; the client may still be reading then.
   * Errors: those of `runScript`, `poolTimeout`, and `cannotConnect` if no connection is open and none can be opened.
   *
   * @param signal aborts when the client disconnects
   * @param onStart called when a session is available
   */
  runScript(script: TransactionScript, signal?: CancelSignal, onStart?: () => void): Promise<ScriptReply> {
    return new Promise((resolve, reject) => {
      const work = async (lease: Lease): Promise<ScriptReply> => {
        onStart?.();
        const reply = await runScript(lease, script, { signal, onAnswer: resolve });
        // If the primary has become a standby, its other sessions are read-only too.
        if (isRefusedAsReadOnly(script, reply) && (await lease.session.findMismatch()) !== undefined) this.flush();
        return reply;
      };
      this.#run(work, { signal, needsPermit: needsPermit(script) }).then(resolve, reject);
    });
  }

  /** Provides a session for one piece of work, which must have ended when its promise settles. */
  use<T>(
    work: (session: Session) => Promise<Result<T, ApiError>>,
    signal?: CancelSignal,
  ): Promise<Result<T, ApiError>> {
    return this.#run(({ session }) => work(session), { signal });
  }

  /** Like `use`, on behalf of several requests which have their own timeouts. */
  useForBatch<T>(work: (lease: Lease) => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
    return this.#run(work, { isForBatch: true });
  }

  /** The only place that hands out sessions and permits; takes both back however the work ends. */
  async #run<T>(
    work: Work<T>,
    { signal, needsPermit = false, isForBatch = false }: Demand,
  ): Promise<Result<T, ApiError>> {
    const permit = new StreamPermit(this.#permits);
    let pooled: PooledSession | undefined;
    let reason: AvailableReason = 'session failure';
    try {
      const acquiredPermit = needsPermit ? await permit.acquire(signal) : undefined;
      if (acquiredPermit?.ok === false) return acquiredPermit;
      pooled = this.#supply.takeIdle();
      if (pooled === undefined) {
        const acquired = await this.#supply.wait(isForBatch ? 'batch' : signal);
        if (!acquired.ok) return acquired;
        pooled = acquired.value;
      }
      this.#supply.noteUse(pooled);
      const result = await work({
        session: pooled.session,
        permit,
        fallbacks: this.#fallbacks,
        estimates: this.estimates,
      });
      if (result.ok) reason = 'session success';
      return result;
    } catch (error) {
      pooled?.session.taint();
      throw error;
    } finally {
      permit.release();
      if (pooled !== undefined) this.#supply.release(pooled, reason);
    }
  }
}

/** Whether the script keeps its connection for as long as the client reads or sends rows. */
function needsPermit({ segments: [{ main }], arriving }: TransactionScript): boolean {
  return main.delivery.kind === 'ndjson' || arriving?.batches.isComplete === false;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction. */
function isRefusedAsReadOnly({ access }: TransactionScript, reply: ScriptReply): boolean {
  const error = reply.ok ? undefined : reply.error;
  return access === 'read write' && error?.kind === 'database' && error.report.sqlstate === '25006';
}
