// Requests that wait for a resource, in order of arrival. A request leaves the queue with the resource, with an error,
// after the timeout, or when its client disconnects. Waits on behalf of several requests have no timeout.
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { REQUEST_CANCELLED } from '../connect/cancel.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';

/** Called once, with the resource or the reason why there is none. */
export type Settle<T> = (result: Result<T, ApiError>) => void;

export interface WaitQueueOptions {
  readonly acquisitionTimeoutMs: number;
  onTimeout(): void;
  /** A request left the queue without the resource. */
  onLeave(): void;
}

export class WaitQueue<T> {
  readonly #options: WaitQueueOptions;
  readonly #waiting: Set<Settle<T>> = new Set();

  constructor(options: WaitQueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Errors: `poolTimeout`, `REQUEST_CANCELLED`, and those passed to `settleNext`. */
  join(signal: CancelSignal | undefined, done: Settle<T>): void {
    const leave = (error: ApiError): void => {
      settle(fail(error));
      this.#options.onLeave();
    };
    const cancel = (): void => leave(REQUEST_CANCELLED);
    const timer = setTimeout(() => {
      this.#options.onTimeout();
      leave({ kind: 'poolTimeout' });
    }, this.#options.acquisitionTimeoutMs);
    const settle: Settle<T> = (result) => {
      this.#waiting.delete(settle);
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      done(result);
    };
    signal?.addEventListener('abort', cancel);
    this.#waiting.add(settle);
  }

  /** Waits without a timeout. Errors: those passed to `settleNext`. */
  joinWithoutTimeout(done: Settle<T>): void {
    const settle: Settle<T> = (result) => {
      this.#waiting.delete(settle);
      done(result);
    };
    this.#waiting.add(settle);
  }

  /** @returns whether a request was waiting */
  settleNext(result: Result<T, ApiError>): boolean {
    for (const settle of this.#waiting) {
      settle(result);
      return true;
    }
    return false;
  }
}
