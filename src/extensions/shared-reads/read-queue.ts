// Reads that may share a write and have not been sent, in order of arrival. A read leaves the queue with a batch, after
// the timeout, or when its client disconnects.
import { fail } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { countBatch, MAX_READS } from './batch-rules.ts';
import type { PendingRead } from './pending-read.ts';

export class ReadQueue {
  readonly #timeoutMs: number;
  readonly #onTimeout: () => void;
  #reads: PendingRead[] = [];
  /** Expires the read that has waited longest. */
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, onTimeout: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  get length(): number {
    return this.#reads.length;
  }

  /** Number of reads that have not been sent on any session and whose clients are still waiting. */
  get waitingCount(): number {
    return this.#reads.filter((read) => read.isAwaited && read.sentCount === 0).length;
  }

  add(read: PendingRead): void {
    this.#reads.push(read);
  }

  /** Adds reads to the front of the queue. */
  addFirst(reads: readonly PendingRead[]): void {
    this.#reads.unshift(...reads);
  }

  /** @returns whether the read was in the queue */
  remove(read: PendingRead): boolean {
    const index = this.#reads.indexOf(read);
    if (index >= 0) this.#reads.splice(index, 1);
    return index >= 0;
  }

  /** @param cost expected milliseconds of a read */
  takeBatch(cost: (read: PendingRead) => number): readonly PendingRead[] {
    this.#dropSettled();
    const count = countBatch(this.#reads.slice(0, MAX_READS).map(cost));
    return this.#reads.splice(0, count);
  }

  failAll(error: ApiError): void {
    for (const read of this.#reads.splice(0)) if (read.sentCount === 0) read.settle(fail(error));
  }

  /** Starts the timeout. Call when reads remain in the queue. */
  watch(): void {
    if (this.#timer !== undefined) return;
    const [oldest] = this.#reads;
    if (oldest === undefined) return;
    const delay = oldest.arrivedAt + this.#timeoutMs - performance.now();
    this.#timer = setTimeout(() => this.#sweep(), Math.max(0, delay));
  }

  #sweep(): void {
    this.#timer = undefined;
    const latest = performance.now() - this.#timeoutMs;
    const expired = this.#reads.filter((read) => read.arrivedAt <= latest);
    this.#reads = this.#reads.filter((read) => read.arrivedAt > latest);
    for (const read of expired) {
      if (read.isSettled || read.sentCount > 0) continue;
      this.#onTimeout();
      read.settle(fail({ kind: 'poolTimeout' }));
    }
    this.watch();
  }

  #dropSettled(): void {
    for (const { isSettled } of this.#reads) {
      if (isSettled) {
        this.#reads = this.#reads.filter((read) => !read.isSettled);
        return;
      }
    }
  }
}
