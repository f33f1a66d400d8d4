// Several reads on one session: sent in one write, each with its own Sync, and answered in order. Tells of each answer,
// and of the reads that wait for too long behind another one.
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { SLOW_MS, STUCK_MS } from './batch-rules.ts';
import type { PendingRead } from './pending-read.ts';
import { type ScriptReply, stopRun } from './run-script.ts';
import { ScriptRun } from './script-run.ts';
import type { Session } from './session.ts';

export interface BatchObserver {
  /** @param milliseconds that the session took for it alone */
  onAnswer(read: PendingRead, reply: ScriptReply, milliseconds: number): void;
  onStuck(reads: readonly PendingRead[]): void;
}

export class ReadBatch {
  readonly #session: Session;
  readonly #observer: BatchObserver;
  /** In the order in which they are answered, but for those that had to be prepared again. */
  readonly #unanswered: Set<PendingRead>;
  #progressAt: number = performance.now();
  #cancelling: Promise<void> | undefined;
  #onEnd: () => void = () => undefined;
  readonly #ended: Promise<void> = new Promise((resolve) => (this.#onEnd = resolve));
  #timer: NodeJS.Timeout | undefined;

  constructor(session: Session, reads: readonly PendingRead[], observer: BatchObserver) {
    this.#session = session;
    this.#observer = observer;
    this.#unanswered = new Set(reads);
  }

  /** Resolves when everything is answered and the session may be used for others. */
  async run(): Promise<Result<void, ApiError>> {
    const reads = [...this.#unanswered];
    if (reads.length > 1) this.#watch(STUCK_MS);
    this.#session.sendTogether(() => {
      for (const read of reads) {
        read.askedCount += 1;
        new ScriptRun(this.#session, read.script, (reply) => this.#take(read, reply)).start();
      }
    });
    await this.#ended;
    await this.#cancelling;
    return ok(undefined);
  }

  /** Whether the script that runs has been running for long. */
  isSlow(now: number): boolean {
    return now - this.#progressAt > SLOW_MS;
  }

  /** To be called when the client of a read has left: cancels what runs if nobody waits for anything any more. */
  noticeLeave(): void {
    if (this.#cancelling !== undefined || this.#unanswered.size === 0) return;
    for (const read of this.#unanswered) if (read.isWanted) return;
    this.#cancelling = stopRun(this.#session, this.#ended);
  }

  #take(read: PendingRead, reply: ScriptReply): void {
    const now = performance.now();
    const milliseconds = now - this.#progressAt;
    this.#progressAt = now;
    this.#unanswered.delete(read);
    read.askedCount -= 1;
    this.#observer.onAnswer(read, reply, milliseconds);
    if (this.#unanswered.size === 0) {
      clearTimeout(this.#timer);
      this.#onEnd();
    } else if (read.hasLeft) this.noticeLeave();
  }

  #watch(delay: number): void {
    // What has arrived meanwhile is read before the next turn ends.
    this.#timer = setTimeout(() => setImmediate(() => this.#lookBehind()), delay);
  }

  #lookBehind(): void {
    if (this.#unanswered.size < 2) return;
    const missing = STUCK_MS - (performance.now() - this.#progressAt);
    if (missing > 0) return this.#watch(missing);
    const [, ...behind] = this.#unanswered;
    const waiting = behind.filter((read) => read.isWanted && !read.isRepeated);
    for (const read of waiting) read.isRepeated = true;
    if (waiting.length > 0) this.#observer.onStuck(waiting);
    this.#watch(STUCK_MS);
  }
}
