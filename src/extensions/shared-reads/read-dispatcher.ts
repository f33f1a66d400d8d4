// Runs scripts in front of the pool. Collects the reads of one turn of the event loop and sends them together on few
// sessions; other scripts get a dedicated session (`docs/decisions/batches.md`).
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import { fail } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { REQUEST_CANCELLED } from '../../postgres/connect/cancel.ts';
import type { Borrower, Lease } from '../../postgres/execute/lease.ts';
import type { ScriptObserver } from '../../postgres/execute/script-request.ts';
import type { Pool, PoolStatistics } from '../../postgres/pool/pool.ts';
import type { ScriptReply } from '../../postgres/session/script-reply.ts';
import {
  type BatchTimes,
  isBatchFault,
  isLong,
  LONG_MS,
  MAX_READS,
  maySend,
  mayShare,
  READ_MS,
  type InFlight,
  HedgeBudget,
  RoundTrip,
} from './batch-rules.ts';
import { PendingRead } from './pending-read.ts';
import { type Answer, type BatchObserver, type Duration, ReadBatch } from './read-batch.ts';
import { ReadQueue } from './read-queue.ts';
import type { StatementCosts } from './statement-costs.ts';

export interface DispatcherOptions {
  readonly pool: Pool;
  readonly acquisitionTimeoutMs: number;
  /** Costs of known statements; the dispatcher adds to them. */
  readonly costs: StatementCosts;
  readonly times: BatchTimes;
}

export class ReadDispatcher implements BatchObserver, Borrower {
  readonly times: BatchTimes;
  readonly client = 'several';
  readonly needsPermit = false;
  readonly #pool: Pool;
  readonly #queue: ReadQueue;
  readonly #costs: StatementCosts;
  readonly #roundTrip = new RoundTrip();
  readonly #hedges = new HedgeBudget();
  readonly #batches: Set<ReadBatch> = new Set();
  /** Reads that got a dedicated session because no others were waiting. */
  readonly #singles: Set<DedicatedRead> = new Set();
  /** Batches that wait for a session. */
  #acquiringCount = 0;
  #timeoutCount = 0;
  /** Number of reads in the latest batch. */
  #latestSize = 0;
  #isScheduled = false;
  #isWaiting = false;

  constructor({ pool, acquisitionTimeoutMs, costs, times }: DispatcherOptions) {
    this.times = times;
    this.#pool = pool;
    this.#costs = costs;
    this.#queue = new ReadQueue(acquisitionTimeoutMs, () => (this.#timeoutCount += 1));
  }

  /** Statistics of the pool; every read that has not been sent counts as waiting. */
  get statistics(): PoolStatistics {
    const pool = this.#pool.statistics;
    return {
      ...pool,
      waiting: pool.waiting - this.#acquiringCount + this.#queue.waitingCount,
      timeouts: pool.timeouts + this.#timeoutCount,
    };
  }

  /** See `Pool.runScript`. */
  runScript(requested: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
    const script = this.#pool.guard?.admit(requested) ?? requested;
    if (!mayShare(script)) return this.#pool.runScript(script, signal);
    if (signal?.aborted === true) return Promise.resolve(fail(REQUEST_CANCELLED));
    const expected = this.#costs.expected(script.segments[0].main.text);
    if (expected === undefined || expected.typical > READ_MS) return this.#runAlone(script, signal);
    if (this.#canSendNow) {
      // Other reads may arrive before its reply.
      const single = new DedicatedRead(script, this.#noteDedicated);
      this.#singles.add(single);
      return this.#pool.runScript(script, signal, single);
    }
    return new Promise((settle) => {
      this.#queue.add(new PendingRead({ script, signal, settle, onLeave: this.#drop }));
      this.#schedule();
    });
  }

  get roundTripMs(): number {
    return this.#roundTrip.milliseconds;
  }

  onAnswer(read: PendingRead, { reply, milliseconds, isFirst, isShared }: Answer): void {
    this.#hedges.noteAnswer();
    this.#noteReply(read.script, reply, { milliseconds, isFirst });
    const isOfBatch = !reply.ok && isBatchFault(reply.error) && !read.hasLeft;
    // Another copy of a hedged read is still in flight.
    if (isOfBatch && read.sentCount > 0) return;
    if (!isOfBatch || !isShared) return this.#settle(read, reply);
    read.settleBy(() => this.#runAlone(read.script, read.signal));
  }

  onStuck(reads: readonly PendingRead[]): void {
    const hedged = reads.slice(0, this.#hedges.take(reads.length));
    for (const read of hedged) read.isHedged = true;
    this.#queue.addFirst(hedged);
    this.#flush();
  }

  /** A session is available for the reads that wait. */
  take(lease: Lease): void {
    this.#acquiringCount -= 1;
    const reads = this.#queue.takeBatch((read) => this.#costs.expected(read.script.segments[0].main.text)?.mean ?? 0);
    // All clients may have disconnected, or other sessions may have replied.
    if (reads.length === 0) return lease.release(true);
    this.#latestSize = reads.length;
    const batch = new ReadBatch(lease, reads, this);
    this.#batches.add(batch);
    batch.start();
  }

  refuse(error: ApiError): void {
    this.#acquiringCount -= 1;
    this.#queue.failAll(error);
    if (this.#queue.length > 0) this.#schedule();
  }

  /** Cannot happen: a batch contains the defects of its reads. */
  fail(error: unknown): void {
    throw error;
  }

  onEnd(batch: ReadBatch): void {
    this.#batches.delete(batch);
    if (this.#queue.length > 0) this.#schedule();
  }

  /** Withdraws a read that has not been sent. */
  readonly #drop = (read: PendingRead): void => {
    this.#queue.remove(read);
    if (read.sentCount === 0) return read.settle(fail(REQUEST_CANCELLED));
    this.#noticeLeave();
  };

  #settle(read: PendingRead, reply: ScriptReply): void {
    read.settle(reply);
    // Its client may have been the last one waiting behind a read whose client has disconnected.
    if (read.isHedged) this.#noticeLeave();
  }

  #noticeLeave(): void {
    for (const batch of this.#batches) batch.noticeLeave();
  }

  #runAlone(script: TransactionScript, signal: CancelSignal | undefined): Promise<ScriptReply> {
    return this.#pool.runScript(script, signal, new DedicatedRead(script, this.#noteDedicated));
  }

  readonly #noteDedicated = (read: DedicatedRead, reply: ScriptReply | undefined): void => {
    const milliseconds = performance.now() - read.startedAt;
    if (reply !== undefined) this.#noteReply(read.script, reply, { milliseconds, isFirst: true });
    if (this.#singles.delete(read) && this.#queue.length > 0) this.#schedule();
  };

  #noteReply(
    { segments: [{ main }] }: TransactionScript,
    reply: ScriptReply,
    { milliseconds, isFirst }: Duration,
  ): void {
    if (!reply.ok) return;
    if (isFirst) this.#roundTrip.note(milliseconds);
    const own = isFirst ? milliseconds - this.roundTripMs : milliseconds;
    // The time until a long response starts says nothing about how long it occupies the connection.
    this.#costs.note(main.text, isLong(reply.value) ? Math.max(own, LONG_MS) : own);
  }

  /** Reads arrive one at a time and a session is idle, so collecting reads would only delay this one by a turn. */
  get #canSendNow(): boolean {
    const isSingleRead = this.#latestSize === 1 && this.#queue.length === 0 && !this.#isScheduled;
    return isSingleRead && this.#pool.available > 0 && maySend(this.#countInFlight());
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#queue.length > this.#acquiringCount * MAX_READS && maySend(this.#countInFlight())) {
      this.#acquiringCount += 1;
      this.#pool.provide(this);
    }
    if (this.#queue.length > 0) this.#wait();
  }

  /** Waits for a session, or until the current scripts count as slow. */
  #wait(): void {
    this.#queue.watch();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.#schedule();
    }, this.times.slow);
  }

  #countInFlight(): InFlight {
    const now = performance.now();
    let batches = this.#acquiringCount;
    let reads = this.#acquiringCount * MAX_READS;
    for (const batch of this.#batches) {
      if (batch.isSlow(now)) continue;
      batches += 1;
      reads += batch.unansweredCount;
    }
    for (const { requestedAt } of this.#singles) {
      if (now - requestedAt - this.roundTripMs > this.times.slow) continue;
      batches += 1;
      reads += 1;
    }
    return { batches, reads };
  }
}

/** A read that uses a session alone, outside any shared write. */
class DedicatedRead implements ScriptObserver {
  readonly script: TransactionScript;
  /** Milliseconds of the monotonic clock. */
  readonly requestedAt: number = performance.now();
  startedAt = 0;
  readonly #note: (read: DedicatedRead, reply: ScriptReply | undefined) => void;

  constructor(script: TransactionScript, note: (read: DedicatedRead, reply: ScriptReply | undefined) => void) {
    this.script = script;
    this.#note = note;
  }

  onStart(): void {
    this.startedAt = performance.now();
  }

  onReply(reply: ScriptReply | undefined): void {
    this.#note(this, reply);
  }
}
