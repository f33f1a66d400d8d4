// Lends sessions to requests: opened when one is needed and none is idle, given in the order they were asked for,
// closed when idle too long, too old, flushed or broken (`operations.md` §6.1, §6.4).
import { fail, ok, type Result } from '../contract/result.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { ApiError } from '../errors/api-error.ts';
import { type CancelSignal, REQUEST_CANCELLED } from './cancel.ts';
import { IdleSessions, type PooledSession } from './idle-sessions.ts';
import type { AvailableReason, PoolEvent, TerminationReason } from './pool-event.ts';
import { ConnectThrottle } from './connect-throttle.ts';
import { runScript, type ScriptReply } from './run-script.ts';
import type { Session } from './session.ts';
import { WaitQueue } from './wait-queue.ts';

export interface PoolOptions {
  readonly maxConnections: number;
  /** Milliseconds. */
  readonly acquisitionTimeoutMs: number;
  readonly maxIdleTimeMs: number;
  readonly maxLifetimeMs: number;
  /** Milliseconds in which no further connection is asked for after the database has refused one beside others. */
  readonly connectPauseMs?: number;
  connect(): Promise<Result<Session, ApiError>>;
  /** Called when it turns out that the database has room for fewer connections; see `ConnectThrottle`. */
  onShortage?(error: ApiError): void;
  /** `undefined` where nobody observes. */
  readonly onEvent: ((event: PoolEvent) => void) | undefined;
}

export interface PoolStatistics {
  /** Open minus in use. */
  readonly available: number;
  readonly waiting: number;
  readonly max: number;
  /** Since the start. */
  readonly timeouts: number;
}

const CONNECT_PAUSE_MS = 1000;

export class Pool {
  readonly #options: PoolOptions;
  readonly #idle: IdleSessions;
  readonly #waiters: WaitQueue<PooledSession>;
  readonly #throttle: ConnectThrottle;
  /** Of attempts to open, while it is not known whether others succeed. */
  #openingFailures: ApiError[] = [];
  readonly #closing: Set<Promise<void>> = new Set();
  /** Open ones, idle or in use. */
  #openCount = 0;
  #openingCount = 0;
  #timeoutCount = 0;
  #connectionCount = 0;
  /** Rises with every flush; a session of a former one serves no second request. */
  #generation = 0;
  #closed: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#idle = new IdleSessions(options, (pooled, reason) => this.#terminate(pooled, reason));
    this.#waiters = new WaitQueue({
      acquisitionTimeoutMs: options.acquisitionTimeoutMs,
      onTimeout: () => this.#countTimeout(),
      onLeave: () => this.#checkDrained(),
    });
    this.#throttle = new ConnectThrottle({
      rest: options.connectPauseMs ?? CONNECT_PAUSE_MS,
      onShortage: (error) => options.onShortage?.(error),
      onRested: () => this.#openMissing(),
    });
  }

  get statistics(): PoolStatistics {
    return {
      available: this.#idle.count,
      waiting: this.#waiters.length,
      max: this.#options.maxConnections,
      timeouts: this.#timeoutCount,
    };
  }

  /**
   * Errors: those of `runScript`, `poolTimeout`, and `cannotConnect` where no connection is open and none can be opened.
   *
   * @param signal of a client that does not wait for the answer any more
   */
  runScript(script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
    return this.use((session) => runScript(session, script, signal), signal);
  }

  /** Lends a session for one piece of work, after which nothing of it may be under way. */
  async use<T>(
    work: (session: Session) => Promise<Result<T, ApiError>>,
    signal?: CancelSignal,
  ): Promise<Result<T, ApiError>> {
    this.#options.onEvent?.({ kind: 'acquiring' });
    const idle = this.#idle.take();
    const acquired = idle === undefined ? await this.#wait(signal) : ok(idle);
    if (!acquired.ok) return acquired;
    const pooled = acquired.value;
    this.#options.onEvent?.({ kind: 'acquired' });
    this.#options.onEvent?.({ kind: 'used', connection: pooled.connection });
    let reason: AvailableReason = 'session failure';
    try {
      const result = await work(pooled.session);
      if (result.ok) reason = 'session success';
      return result;
    } catch (error) {
      pooled.session.taint();
      throw error;
    } finally {
      this.#release(pooled, reason);
    }
  }

  /**
   * Opens, one after another, what takes the place of the sessions of now when they are flushed, so that requests need
   * not wait for it. Where there is no room beside them, idle ones make it.
   */
  async renew(): Promise<void> {
    const generation = this.#generation + 1;
    // Of the open ones, one serves whoever is about to flush.
    for (let missing = this.#openCount - 1; missing > 0; missing -= 1) {
      const isLate = this.#closed !== undefined || this.#generation === generation;
      if (isLate || !this.#makeRoom()) return;
      if (!(await this.#open(generation, () => undefined))) return;
    }
  }

  /** Closes idle connections at once, those in use when their request ends (`operations.md` §6.4). */
  flush(): void {
    this.#generation += 1;
    for (const pooled of this.#idle.takeAll()) {
      if (this.#isStale(pooled)) this.#terminate(pooled, 'release');
      else this.#idle.put(pooled);
    }
    this.#options.onEvent?.({ kind: 'flushed' });
  }

  /** Takes no further requests, serves those that came before, and resolves when every connection is closed. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new Promise((resolve) => (this.#onDrained = resolve));
      for (const pooled of this.#idle.takeAll()) this.#terminate(pooled, 'release');
      this.#checkDrained();
    }
    return this.#closed;
  }

  #wait(signal: CancelSignal | undefined): Promise<Result<PooledSession, ApiError>> {
    if (this.#closed !== undefined) {
      return Promise.resolve(fail({ kind: 'connectionLost', details: 'the connection pool is closed' }));
    }
    if (signal?.aborted === true) return Promise.resolve(fail(REQUEST_CANCELLED));
    const turn = this.#waiters.join(signal);
    this.#openMissing();
    return turn;
  }

  #countTimeout(): void {
    this.#timeoutCount += 1;
    this.#options.onEvent?.({ kind: 'timedOut' });
  }

  #openMissing(): void {
    for (;;) {
      // What has failed is not tried again before it is known what becomes of the others.
      const tried = this.#openingCount + this.#openingFailures.length;
      const isEnough = tried >= this.#waiters.length || this.#openCount + tried >= this.#options.maxConnections;
      if (isEnough || (this.#openCount > 0 && tried >= this.#throttle.limit)) return;
      void this.#open(this.#generation, (error) => this.#openingFailures.push(error));
    }
  }

  /** @returns whether there is a new session */
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
    // Beside a failure, this one shows how many there is room for.
    if (this.#openingFailures.length === 0) this.#throttle.release();
    this.#settleFailures();
    const now = performance.now();
    const pooled = { session: connected.value, connection, generation, openedAt: now, idleSince: now };
    pooled.session.onLoss = () => this.#lose(pooled);
    this.#offer(pooled, 'connection establishment');
    return true;
  }

  /** Who waits goes on waiting where a session is open that will be free, and has the error where there is none. */
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

  #release(pooled: PooledSession, reason: AvailableReason): void {
    const { session } = pooled;
    // A lost one was written off when it was lost.
    if (session.loss !== undefined) return;
    if (!session.isUsable || this.#isStale(pooled)) this.#terminate(pooled, 'release');
    else if (this.#idle.isTooOld(pooled)) this.#terminate(pooled, 'max lifetime');
    else this.#offer(pooled, reason);
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
