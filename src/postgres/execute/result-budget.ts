// Counts the bytes of the rows that a script holds until its transaction is over.
import type { ApiError } from '../../errors/api-error.ts';
import type { ResultLimit } from '../../sql/transaction-script.ts';

export class ResultBudget {
  readonly #limit: ResultLimit;
  readonly #onOverflow: (error: ApiError) => void;
  #used = 0;
  #isExceeded = false;

  /** @param onOverflow called once, at the first row beyond the limit */
  constructor(limit: ResultLimit, onOverflow: (error: ApiError) => void) {
    this.#limit = limit;
    this.#onOverflow = onOverflow;
  }

  /**
   * @param size in bytes
   * @param request index of the request in its batch
   */
  admits(size: number, request: number | undefined): boolean {
    if (this.#isExceeded) return false;
    const total = this.#used + size;
    if (total <= this.#limit.bytes && this.#limit.reserve?.(total) !== false) return true;
    this.#isExceeded = true;
    this.#onOverflow(this.#limit.exceededBy(request));
    return false;
  }

  add(size: number): void {
    this.#used += size;
  }
}
