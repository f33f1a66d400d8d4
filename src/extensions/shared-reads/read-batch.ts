// Sends several reads on one session at once, each with its own Sync. Reports each reply, and the reads that
// are stuck behind a slow one.
import type { Lease } from '../../postgres/execute/lease.ts';
import { type RunListener, TransactionRun } from '../../postgres/execute/transaction-run.ts';
import type { ScriptReply } from '../../postgres/session/script-reply.ts';
import type { ChunkEnd } from '../../postgres/session/session.ts';
import type { BatchTimes } from './batch-rules.ts';
import type { PendingRead } from './pending-read.ts';

export interface BatchObserver {
  readonly times: BatchTimes;
  /** Estimated round trip to the database in milliseconds. */
  readonly roundTripMs: number;
  onAnswer(read: PendingRead, answer: Answer): void;
  onStuck(reads: readonly PendingRead[]): void;
  /** Called when the batch has released its lease. */
  onEnd(batch: ReadBatch): void;
}

export interface Duration {
  /** Time since the previous reply, or since the send. */
  readonly milliseconds: number;
  readonly isFirst: boolean;
}

export interface Answer extends Duration {
  readonly reply: ScriptReply;
  /** True if other reads were sent in the same write. */
  readonly isShared: boolean;
}

export class ReadBatch implements RunListener, ChunkEnd {
  readonly #lease: Lease;
  readonly #observer: BatchObserver;
  /** In the order of their replies, except for reads repeated because a statement was outdated. */
  readonly #unanswered: Map<TransactionRun, PendingRead> = new Map();
  readonly #reads: readonly PendingRead[];
  /** Time of the latest reply, or of the send. */
  #progressAt: number = performance.now();
  /** Scripts whose transactions are not over; a reply may start before that. */
  #openCount: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(lease: Lease, reads: readonly PendingRead[], observer: BatchObserver) {
    this.#lease = lease;
    this.#observer = observer;
    this.#reads = reads;
    this.#openCount = reads.length;
  }

  /** Sends the reads. Releases the lease when all replies are complete. */
  start(): void {
    if (this.#reads.length > 1) this.#watch(this.#observer.times.stuck);
    this.#lease.session.sendTogether(() => {
      for (const read of this.#reads) this.#start(read);
    });
  }

  /** Milliseconds that the current script has been running. */
  runningMs(now: number): number {
    const isFirst = this.#unanswered.size === this.#reads.length;
    return now - this.#progressAt - (isFirst ? this.#observer.roundTripMs : 0);
  }

  get unansweredCount(): number {
    return this.#unanswered.size;
  }

  isSlow(now: number): boolean {
    return this.runningMs(now) > this.#observer.times.slow;
  }

  /** Cancels the current script if a client has disconnected and no other client waits for a reply on this session. */
  noticeLeave(): void {
    let hasLeft = false;
    for (const read of this.#unanswered.values()) {
      if (read.isAwaited) return;
      hasLeft ||= read.hasLeft;
    }
    if (hasLeft) this.#lease.stop();
  }

  /** Only the first reply counts: a response that started before the end of its transaction reports its own end. */
  onAnswer(run: TransactionRun, reply: ScriptReply): void {
    const read = this.#unanswered.get(run);
    if (read === undefined) return;
    const now = performance.now();
    const milliseconds = now - this.#progressAt;
    const isFirst = this.#unanswered.size === this.#reads.length;
    this.#progressAt = now;
    read.sentCount -= 1;
    this.#unanswered.delete(run);
    if (this.#unanswered.size === 0) clearTimeout(this.#timer);
    this.#observer.onAnswer(read, { reply, milliseconds, isFirst, isShared: this.#reads.length > 1 });
    this.noticeLeave();
  }

  onOver(run: TransactionRun, reply: ScriptReply): void {
    this.onAnswer(run, reply);
    this.#close();
  }

  afterChunk(): void {
    const stopping = this.#lease.end();
    if (stopping === undefined) this.#end();
    else void stopping.then(() => this.#end());
  }

  #end(): void {
    this.#lease.release(true);
    this.#observer.onEnd(this);
  }

  #start(read: PendingRead): void {
    read.sentCount += 1;
    try {
      const run = new TransactionRun(this.#lease, read.script, this);
      this.#unanswered.set(run, read);
      run.start();
    } catch (error) {
      // A defect in one script, which has not been sent, must not affect the others.
      read.sentCount -= 1;
      for (const [run, other] of this.#unanswered) if (other === read) this.#unanswered.delete(run);
      this.#close();
      read.settleBy(() => Promise.reject(error));
    }
  }

  #close(): void {
    this.#openCount -= 1;
    if (this.#openCount === 0) this.#lease.session.afterChunk(this);
  }

  #watch(delay: number): void {
    // Answers that have already arrived are read before the end of the turn.
    this.#timer = setTimeout(() => setImmediate(() => this.#checkHeadOfLine()), delay);
  }

  #checkHeadOfLine(): void {
    if (this.#unanswered.size < 2) return;
    const missing = this.#observer.times.stuck - this.runningMs(performance.now());
    if (missing > 0) return this.#watch(missing);
    const [, ...behind] = this.#unanswered.values();
    const stuck = behind.filter((read) => read.mayHedge);
    if (stuck.length > 0) this.#observer.onStuck(stuck);
    this.#watch(this.#observer.times.stuck);
  }
}
