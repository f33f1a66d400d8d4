// Sends several reads on one session at once, each with its own Sync. Reports each reply, and the reads that
// are stuck behind a slow one.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { BatchTimes } from './batch-rules.ts';
import type { PendingRead } from './pending-read.ts';
import { Stopper } from '../execute/stop-run.ts';
import { TransactionRun } from '../execute/transaction-run.ts';
import type { Lease } from '../execute/lease.ts';
import type { ScriptReply } from '../session/script-reply.ts';

export interface BatchObserver {
  readonly times: BatchTimes;
  /** Estimated round trip to the database in milliseconds. */
  readonly roundTripMs: number;
  onAnswer(read: PendingRead, answer: Answer): void;
  onStuck(reads: readonly PendingRead[]): void;
}

export interface Duration {
  /** Time since the previous reply, or since the send. */
  readonly milliseconds: number;
  readonly isFirst: boolean;
}

export interface Answer extends Duration {
  readonly reply: ScriptReply;
  /** Whether other reads were sent with it. */
  readonly isShared: boolean;
}

export class ReadBatch {
  readonly #lease: Lease;
  readonly #observer: BatchObserver;
  /** In the order of their replies, except for reads repeated because a statement was outdated. */
  readonly #unanswered: Set<PendingRead>;
  readonly #size: number;
  #onEnd: () => void = () => undefined;
  readonly #ended: Promise<void> = new Promise((resolve) => (this.#onEnd = resolve));
  /** Time of the latest reply, or of the send. */
  #progressAt: number = performance.now();
  readonly #stopper: Stopper;
  /** Scripts whose transactions are not over; a reply may start before that. */
  #openCount: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(lease: Lease, reads: readonly PendingRead[], observer: BatchObserver) {
    this.#lease = lease;
    this.#stopper = new Stopper(lease.session, this.#ended);
    this.#observer = observer;
    this.#unanswered = new Set(reads);
    this.#size = reads.length;
    this.#openCount = reads.length;
  }

  /** Resolves when all replies are complete and the session may be reused. */
  async run(): Promise<Result<void, ApiError>> {
    if (this.#size > 1) this.#watch(this.#observer.times.stuck);
    this.#lease.session.sendTogether(() => {
      for (const read of this.#unanswered) this.#start(read);
    });
    await this.#ended;
    // A cancel request in flight could hit the next script on this connection.
    await this.#stopper.settled;
    return ok(undefined);
  }

  /** Milliseconds that the current script has been running. */
  runningMs(now: number): number {
    const isFirst = this.#unanswered.size === this.#size;
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
    for (const read of this.#unanswered) {
      if (read.isAwaited) return;
      hasLeft ||= read.hasLeft;
    }
    if (hasLeft) this.#stopper.stop();
  }

  #start(read: PendingRead): void {
    read.sentCount += 1;
    const take = (reply: ScriptReply): void => this.#take(read, reply);
    const onOver = (reply: ScriptReply): void => {
      take(reply);
      this.#close();
    };
    try {
      new TransactionRun(this.#lease, read.script, {
        onAnswer: take,
        onOver,
        stop: () => this.#stopper.stop(),
      }).start();
    } catch (error) {
      // A defect in one script, which has not been sent, must not affect the others.
      this.#remove(read);
      this.#close();
      read.settleBy(() => Promise.reject(error));
    }
  }

  /** Only the first reply counts: a response that started before the end of its transaction reports its own end. */
  #take(read: PendingRead, reply: ScriptReply): void {
    if (!this.#unanswered.has(read)) return;
    const now = performance.now();
    const milliseconds = now - this.#progressAt;
    const isFirst = this.#unanswered.size === this.#size;
    this.#progressAt = now;
    this.#remove(read);
    this.#observer.onAnswer(read, { reply, milliseconds, isFirst, isShared: this.#size > 1 });
    this.noticeLeave();
  }

  #remove(read: PendingRead): void {
    read.sentCount -= 1;
    this.#unanswered.delete(read);
    if (this.#unanswered.size === 0) clearTimeout(this.#timer);
  }

  #close(): void {
    this.#openCount -= 1;
    if (this.#openCount === 0) this.#onEnd();
  }

  #watch(delay: number): void {
    // Answers that have already arrived are read before the end of the turn.
    this.#timer = setTimeout(() => setImmediate(() => this.#checkHeadOfLine()), delay);
  }

  #checkHeadOfLine(): void {
    if (this.#unanswered.size < 2) return;
    const missing = this.#observer.times.stuck - this.runningMs(performance.now());
    if (missing > 0) return this.#watch(missing);
    const [, ...behind] = this.#unanswered;
    const stuck = behind.filter((read) => read.mayHedge);
    if (stuck.length > 0) this.#observer.onStuck(stuck);
    this.#watch(this.#observer.times.stuck);
  }
}
