// Errors as they are answered → how often each code came up, and the last request that got it, without any of its values.
// A code that has not come up for longest makes room for another.

export interface CountedError {
  readonly code: string;
  readonly count: number;
  readonly status: number;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  readonly method: string;
  readonly route: string;
}

const MAX_CODES = 50;
/** Functions can raise errors with codes of their own. */
const MAX_CODE_LENGTH = 40;

export class RecentErrors {
  /** The latest last. */
  readonly #byCode: Map<string, CountedError> = new Map();

  record(error: Omit<CountedError, 'count'>): void {
    const code = error.code.slice(0, MAX_CODE_LENGTH);
    const count = (this.#byCode.get(code)?.count ?? 0) + 1;
    this.#byCode.delete(code);
    this.#byCode.set(code, { ...error, code, count });
    if (this.#byCode.size <= MAX_CODES) return;
    for (const oldest of this.#byCode.keys()) {
      this.#byCode.delete(oldest);
      return;
    }
  }

  /** The latest first. */
  get list(): readonly CountedError[] {
    return [...this.#byCode.values()].reverse();
  }
}
