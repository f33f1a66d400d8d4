// Requests that wait for a session, in the order in which they came. One leaves with a session, with an error, when it
// has waited too long, or when its client has gone.
import { fail, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { type CancelSignal, REQUEST_CANCELLED } from './cancel.ts';

type Turn<T> = Result<T, ApiError>;
type Settle<T> = (turn: Turn<T>) => void;

export interface WaitQueueOptions {
  /** Milliseconds. */
  readonly acquisitionTimeoutMs: number;
  onTimeout(): void;
  /** Somebody has left without a session. */
  onLeave(): void;
}

export class WaitQueue<T> {
  readonly #limits: WaitQueueOptions;
  readonly #waiting: Set<Settle<T>> = new Set();

  constructor(limits: WaitQueueOptions) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Errors: `poolTimeout`, `REQUEST_CANCELLED`, and what `settleNext` gives. */
  join(signal: CancelSignal | undefined): Promise<Turn<T>> {
    return new Promise((resolve) => {
      const leave = (error: ApiError): void => {
        settle(fail(error));
        this.#limits.onLeave();
      };
      const withdraw = (): void => leave(REQUEST_CANCELLED);
      const timer = setTimeout(() => {
        this.#limits.onTimeout();
        leave({ kind: 'poolTimeout' });
      }, this.#limits.acquisitionTimeoutMs);
      const settle: Settle<T> = (turn) => {
        this.#waiting.delete(settle);
        clearTimeout(timer);
        signal?.removeEventListener('abort', withdraw);
        resolve(turn);
      };
      signal?.addEventListener('abort', withdraw);
      this.#waiting.add(settle);
    });
  }

  /** @returns whether anybody was waiting */
  settleNext(turn: Turn<T>): boolean {
    for (const settle of this.#waiting) {
      settle(turn);
      return true;
    }
    return false;
  }
}
