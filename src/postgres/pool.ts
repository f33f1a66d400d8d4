// The connection pool: opens a session when one is needed and none is idle, assigns sessions in the order of the requests,
// and closes them when idle too long, too old, flushed or broken (`operating.md` §6.1, §6.4).
import { fail, ok, type Result } from '../contract/result.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { ApiError } from '../errors/api-error.ts';
import { type CancelSignal, REQUEST_CANCELLED } from './cancel.ts';
import { IdleSessions, type PooledSession } from './idle-sessions.ts';
import type { AvailableReason, PoolEvent, TerminationReason } from './pool-event.ts';
import { ConnectThrottle } from './connect-throttle.ts';
import { runScript, type ScriptReply } from './run-script.ts';
import type { Session } from './session.ts';
import { StreamSlots } from './stream-slots.ts';
import { WaitQueue } from './wait-queue.ts';

export interface PoolOptions {
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
  readonly maxIdleTimeMs: number;
  readonly maxLifetimeMs: number;
  /** Pause after the database has refused a connection while others are open. */
  readonly connectPauseMs?: number;
  connect(): Promise<Result<Session, ApiError>>;
  /** Called when the database accepts fewer connections than `maxConnections`; see `ConnectThrottle`. */
  onShortage?(error: ApiError): void;
  /** `undefined`: events are not observed. */
  readonly onEvent: ((event: PoolEvent) => void) | undefined;
}

export interface PoolStatistics {
  readonly open: number;
  /** Open minus in use. */
  readonly available: number;
  readonly waiting: number;
  readonly max: number;
  /** Since the start. */
  readonly timeouts: number;
}

const CONNECT_PAUSE_MS = 1000;

export class Pool {
  readonly streamSlots: StreamSlots;
  readonly #options: PoolOptions;
  readonly #idle: IdleSessions;
  readonly #waiters: WaitQueue<PooledSession>;
  readonly #throttle: ConnectThrottle;
  /** Failed attempts to connect, held back until it is known whether others succeed. */
  #openingFailures: ApiError[] = [];
  readonly #closing: Set<Promise<void>> = new Set();
  /** Open sessions, idle or in use. */
  #openCount = 0;
  #openingCount = 0;
  #timeoutCount = 0;
  #connectionCount = 0;
  /** Incremented by every flush; a session of an earlier generation serves no further request. */
  #generation = 0;
  #closed: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.streamSlots = new StreamSlots(options);
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

  get statistics(): PoolStatistics {
    return {
      open: this.#openCount,
      available: this.#idle.count,
      waiting: this.#waiters.length,
      max: this.#options.maxConnections,
      timeouts: this.#timeoutCount,
    };
  }

  /**
   * Errors: those of `runScript`, `poolTimeout`, and `cannotConnect` where no connection is open and none can be opened.
   *
   * @param signal aborts when the client has disconnected
   */
  runScript(script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
    return this.use(async (session) => {
      const reply = await runScript(session, script, signal);
      // Where the primary has become a standby, its other sessions cannot write any more either.
      if (isRefusedAsReadOnly(script, reply) && (await session.findMismatch()) !== undefined) this.flush();
      return reply;
    }, signal);
  }

  /** Provides a session for one piece of work, which must have ended when its promise settles. */
  use<T>(
    work: (session: Session) => Promise<Result<T, ApiError>>,
    signal?: CancelSignal,
  ): Promise<Result<T, ApiError>> {
    return this.#run(work, () => this.#wait((waiters) => waiters.join(signal), signal));
  }

  /** The same for several requests together, each of which has a time limit and a client of its own. */
  useForSeveral<T>(work: (session: Session) => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
    return this.#run(work, () => this.#wait((waiters) => waiters.joinForLong()));
  }

  async #run<T>(
    work: (session: Session) => Promise<Result<T, ApiError>>,
    wait: () => Promise<Result<PooledSession, ApiError>>,
  ): Promise<Result<T, ApiError>> {
    this.#options.onEvent?.({ kind: 'acquiring' });
    const idle = this.#idle.take();
    const acquired = idle === undefined ? await wait() : ok(idle);
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
   * Opens, one after another, the sessions that replace the current ones at the next flush, so that requests need not wait
   * for them. Where the pool is full, idle sessions are closed to make room.
   */
  async renew(): Promise<void> {
    const generation = this.#generation + 1;
    // One of the open sessions is used by the caller that is about to flush.
    for (let missing = this.#openCount - 1; missing > 0; missing -= 1) {
      const isLate = this.#closed !== undefined || this.#generation === generation;
      if (isLate || !this.#makeRoom()) return;
      if (!(await this.#open(generation, () => undefined))) return;
    }
  }

  /** Closes idle connections at once, those in use when their request ends (`operating.md` §6.4). */
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

  #wait(
    join: (waiters: WaitQueue<PooledSession>) => Promise<Result<PooledSession, ApiError>>,
    signal?: CancelSignal,
  ): Promise<Result<PooledSession, ApiError>> {
    if (this.#closed !== undefined) {
      return Promise.resolve(fail({ kind: 'connectionLost', details: 'the connection pool is closed' }));
    }
    if (signal?.aborted === true) return Promise.resolve(fail(REQUEST_CANCELLED));
    const acquired = join(this.#waiters);
    this.#openMissing();
    return acquired;
  }

  #countTimeout(): void {
    this.#timeoutCount += 1;
    this.#options.onEvent?.({ kind: 'timedOut' });
  }

  #openMissing(): void {
    for (;;) {
      // Failed attempts are not repeated before the outcome of the others is known.
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
    // Together with a failure, a success shows the limit instead of its end.
    if (this.#openingFailures.length === 0) this.#throttle.reset();
    this.#settleFailures();
    const now = performance.now();
    const pooled = { session: connected.value, connection, generation, openedAt: now, idleSince: now };
    pooled.session.onLoss = () => this.#lose(pooled);
    pooled.session.streamSlots = this.streamSlots;
    this.#offer(pooled, 'connection establishment');
    return true;
  }

  /** Waiting requests go on waiting if an open session will become free; otherwise they get the error. */
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
    if (session.held !== undefined) return void session.held.then(() => this.#release(pooled, reason));
    // A lost session has been written off already.
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

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction. */
function isRefusedAsReadOnly({ access }: TransactionScript, reply: ScriptReply): boolean {
  const error = reply.ok ? undefined : reply.error;
  return access === 'read write' && error?.kind === 'database' && error.report.sqlstate === '25006';
}
