// Manages the sessions of a pool: opens one if none is idle, hands them out in the order of the requests, and closes
// those that are idle too long, too old, flushed or broken (`operating.md` §6.1, §6.4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { REQUEST_CANCELLED } from '../connect/cancel.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { IdleSessions, type PooledSession } from './idle-sessions.ts';
import { ConnectThrottle } from './connect-throttle.ts';
import { query } from '../session/query.ts';
import type { Session } from '../session/session.ts';
import { type Settle, WaitQueue } from '../session/wait-queue.ts';

export interface SupplyOptions {
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
  readonly maxIdleTimeMs: number;
  readonly maxLifetimeMs: number;
  /** Whether backends that have answered a large response keep their memory. */
  readonly keepsHeap?: boolean;
  /** Pause after the database rejects a connection while others are open. */
  readonly connectPauseMs?: number;
  connect(): Promise<Result<Session, ApiError>>;
  /** Called if the database accepts fewer connections than `maxConnections`; see `ConnectThrottle`. */
  onShortage?(error: ApiError): void;
  /** `undefined` if nobody observes events. */
  readonly onEvent: ((event: PoolEvent) => void) | undefined;
}

/** Counts of a server's sessions and of the requests that wait for one. */
export interface SupplyStatistics {
  readonly open: number;
  /** Idle sessions. */
  readonly available: number;
  readonly waiting: number;
  readonly max: number;
  /** Since startup. */
  readonly timeouts: number;
}

const CONNECT_PAUSE_MS = 1000;

export class SessionSupply {
  readonly #options: SupplyOptions;
  readonly #idle: IdleSessions;
  readonly #waiters: WaitQueue<PooledSession>;
  readonly #throttle: ConnectThrottle;
  /** Failed attempts to connect, kept until the outcome of the other attempts is known. */
  #openingFailures: ApiError[] = [];
  readonly #closing: Set<Promise<void>> = new Set();
  /** Number of open sessions, idle or in use. */
  #openCount = 0;
  #openingCount = 0;
  #timeoutCount = 0;
  #connectionCount = 0;
  /** Incremented by every flush; sessions of earlier generations serve no further request. */
  #generation = 0;
  #closed: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: SupplyOptions) {
    this.#options = options;
    this.#idle = new IdleSessions(options, (pooled, reason) => this.#terminate(pooled, reason));
    this.#waiters = new WaitQueue({
      acquisitionTimeoutMs: options.acquisitionTimeoutMs,
      onTimeout: () => this.#countTimeout(),
      onLeave: () => this.#checkDrained(),
    });
    this.#throttle = new ConnectThrottle({
      pauseMs: options.connectPauseMs ?? CONNECT_PAUSE_MS,
      onShortage: (error) => options.onShortage?.(error),
      onResume: () => this.#openMissing(),
    });
  }

  get statistics(): SupplyStatistics {
    return {
      open: this.#openCount,
      available: this.available,
      waiting: this.#waiters.length,
      max: this.#options.maxConnections,
      timeouts: this.#timeoutCount,
    };
  }

  /** Number of idle sessions. */
  get available(): number {
    return this.#idle.count;
  }

  /** Returns undefined if no session is idle; then `wait` for one. */
  takeIdle(): PooledSession | undefined {
    this.#options.onEvent?.({ kind: 'acquiring' });
    return this.#idle.take();
  }

  noteUse({ connection }: PooledSession): void {
    this.#options.onEvent?.({ kind: 'acquired' });
    this.#options.onEvent?.({ kind: 'used', connection });
  }

  /**
   * Waits for a session. Errors: `poolTimeout`, `REQUEST_CANCELLED`, and `cannotConnect` if no connection is open and
   * none can be opened.
   *
   * @param client aborts when the client disconnects; `several`: each of several clients has its own timeout
   */
  wait(client: CancelSignal | 'several' | undefined, done: Settle<PooledSession>): void {
    if (this.#closed !== undefined)
      return done(fail({ kind: 'connectionLost', details: 'the connection pool is closed' }));
    if (client === 'several') this.#waiters.joinWithoutTimeout(done);
    else if (client?.aborted === true) return done(fail(REQUEST_CANCELLED));
    else this.#waiters.join(client, done);
    this.#openMissing();
  }

  release(pooled: PooledSession, reason: AvailableReason): void {
    const { session } = pooled;
    // A lost session has already been removed.
    if (session.loss !== undefined) return;
    if (!session.isUsable || this.#isStale(pooled)) return this.#terminate(pooled, 'release');
    if (this.#idle.isTooOld(pooled)) return this.#terminate(pooled, 'max lifetime');
    if (session.hasBroughtMuch && !session.isHeapKept && this.#options.keepsHeap === true) {
      // Lets the backend keep its memory from one statement to the next (`docs/decisions/heap.md`). Runs after the
      // responses that were requested before. A failure costs nothing but the memory kept.
      session.isHeapKept = true;
      void query(session, KEEP_HEAP);
    }
    this.#offer(pooled, reason);
  }

  /**
   * Opens, one after the other, the sessions that replace the current ones at the next flush, so that requests need not
   * wait for them. Closes idle sessions to make space if the pool is full.
   */
  async renew(): Promise<void> {
    const generation = this.#generation + 1;
    // One of the open sessions is in use by the caller, which is about to flush.
    for (let missing = this.#openCount - 1; missing > 0; missing -= 1) {
      const isLate = this.#closed !== undefined || this.#generation === generation;
      if (isLate || !this.#makeRoom()) return;
      if (!(await this.#open(generation, () => undefined))) return;
    }
  }

  /** Closes idle connections now, and those in use when their request ends (`operating.md` §6.4). */
  flush(): void {
    this.#generation += 1;
    for (const pooled of this.#idle.takeAll()) {
      if (this.#isStale(pooled)) this.#terminate(pooled, 'release');
      else this.#idle.put(pooled);
    }
    this.#options.onEvent?.({ kind: 'flushed' });
  }

  /** Takes no further requests, serves the waiting ones, and resolves when every connection is closed. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new Promise((resolve) => (this.#onDrained = resolve));
      for (const pooled of this.#idle.takeAll()) this.#terminate(pooled, 'release');
      this.#checkDrained();
    }
    return this.#closed;
  }

  #countTimeout(): void {
    this.#timeoutCount += 1;
    this.#options.onEvent?.({ kind: 'timedOut' });
  }

  #openMissing(): void {
    for (;;) {
      // Do not repeat failed attempts before the outcome of the others is known.
      const tried = this.#openingCount + this.#openingFailures.length;
      const isEnough = tried >= this.#waiters.length || this.#openCount + tried >= this.#options.maxConnections;
      if (isEnough || (this.#openCount > 0 && tried >= this.#throttle.limit)) return;
      void this.#open(this.#generation, (error) => this.#openingFailures.push(error));
    }
  }

  /** @returns whether a session was opened */
  async #open(generation: number, onFailure: (error: ApiError) => void): Promise<boolean> {
    this.#openingCount += 1;
    this.#connectionCount += 1;
    const connection = this.#connectionCount;
    this.#options.onEvent?.({ kind: 'connecting', connection });
    const connected = await this.#options.connect();
    this.#openingCount -= 1;
    if (!connected.ok || connected.value.loss !== undefined) {
      const error: ApiError = connected.ok ? { kind: 'cannotConnect', details: connected.value.loss } : connected.error;
      this.#options.onEvent?.({ kind: 'terminated', connection, reason: 'init failure' });
      onFailure(error);
      this.#settleFailures();
      this.#openMissing();
      this.#checkDrained();
      return false;
    }
    this.#openCount += 1;
    // A success alongside a failure means that the limit is reached, not that it has been lifted.
    if (this.#openingFailures.length === 0) this.#throttle.reset();
    this.#settleFailures();
    const now = performance.now();
    const pooled = { session: connected.value, connection, generation, openedAt: now, idleSince: now };
    pooled.session.onLoss = () => this.#lose(pooled);
    this.#offer(pooled, 'connection establishment');
    return true;
  }

  /** Waiting requests keep waiting if an open session will become free; otherwise they get the error. */
  #settleFailures(): void {
    const [first] = this.#openingFailures;
    if (first === undefined || (this.#openCount === 0 && this.#openingCount > 0)) return;
    const failures = this.#openingFailures;
    this.#openingFailures = [];
    if (this.#openCount > 0) this.#throttle.noticeFailure(first);
    else for (const error of failures) this.#waiters.settleNext(fail(error));
  }

  #makeRoom(): boolean {
    if (this.#openCount + this.#openingCount < this.#options.maxConnections) return true;
    const stale = this.#idle.takeOfGeneration(this.#generation);
    if (stale !== undefined) this.#terminate(stale, 'release');
    return stale !== undefined;
  }

  #isStale(pooled: PooledSession): boolean {
    return pooled.generation < this.#generation;
  }

  #offer(pooled: PooledSession, reason: AvailableReason): void {
    const isWaitedFor = this.#waiters.length > 0;
    const isUnwanted = this.#closed !== undefined || this.#isStale(pooled);
    if (!isWaitedFor && isUnwanted) return this.#terminate(pooled, 'release');
    this.#options.onEvent?.({ kind: 'available', connection: pooled.connection, reason });
    if (isWaitedFor) this.#waiters.settleNext(ok(pooled));
    else this.#idle.put(pooled);
  }

  #lose(pooled: PooledSession): void {
    this.#idle.remove(pooled);
    this.#writeOff(pooled, 'network error');
  }

  #terminate(pooled: PooledSession, reason: TerminationReason): void {
    const closed = pooled.session.close();
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
    this.#writeOff(pooled, reason);
  }

  #writeOff(pooled: PooledSession, reason: TerminationReason): void {
    this.#openCount -= 1;
    this.#options.onEvent?.({ kind: 'terminated', connection: pooled.connection, reason });
    this.#openMissing();
    this.#checkDrained();
  }

  #checkDrained(): void {
    const onDrained = this.#onDrained;
    if (onDrained === undefined || this.#openCount + this.#openingCount + this.#waiters.length > 0) return;
    void Promise.all(this.#closing).then(() => onDrained());
  }
}

/**
 * glibc returns memory above 128 kB to the system after each statement, until a larger piece has been freed once: then
 * it keeps up to twice the size of that piece. Other C libraries do not, so there the piece is not made.
 */
const KEEP_HEAP = `SELECT pg_catalog.octet_length(pg_catalog.repeat(pg_catalog.repeat('x', 4096),
  (SELECT 2048 WHERE pg_catalog.version() ~ 'linux-gnu')))`;

/** Events of the pool, for the diagnostic log lines of `operating.md` §10.5. */
export type PoolEvent =
  /** A connection is requested, or provided. */
  | { readonly kind: 'acquiring' }
  | { readonly kind: 'acquired' }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'flushed' }
  | { readonly kind: 'connecting'; readonly connection: number }
  | { readonly kind: 'available'; readonly connection: number; readonly reason: AvailableReason }
  | { readonly kind: 'used'; readonly connection: number }
  | { readonly kind: 'terminated'; readonly connection: number; readonly reason: TerminationReason };

/** Wording of the diagnostic log lines. */
type AvailableReason = 'connection establishment' | 'session success' | 'session failure';

type TerminationReason = 'max lifetime' | 'max idletime' | 'release' | 'network error' | 'init failure';
