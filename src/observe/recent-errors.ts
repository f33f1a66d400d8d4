// Counts errors by code and records the last request with each, without its values. When full, the code that has not
// occurred for the longest time is dropped.

/** The last request that failed with the code. */
interface Occurrence {
  readonly status: number;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  readonly method: string;
  readonly route: string;
}

export interface CountedError extends Occurrence {
  readonly code: string;
  readonly count: number;
}

const MAX_CODES = 50;
/** Limited because functions can raise errors with arbitrary codes. */
const MAX_CODE_LENGTH = 40;

export class RecentErrors {
  readonly #byCode: Map<string, { count: number; last: Occurrence }> = new Map();

  record(code: string, last: Occurrence): void {
    const kept = code.slice(0, MAX_CODE_LENGTH);
    const entry = this.#byCode.get(kept);
    if (entry !== undefined) {
      entry.count += 1;
      entry.last = last;
      return;
    }
    const oldest = this.#byCode.size < MAX_CODES ? undefined : this.list.at(-1);
    if (oldest !== undefined) this.#byCode.delete(oldest.code);
    this.#byCode.set(kept, { count: 1, last });
  }

  /** Sorted by time, latest first. */
  get list(): readonly CountedError[] {
    const listed = [...this.#byCode].map(
      ([
        code,
        {
          count,
          last: { status, at, method, route },
        },
      ]) => ({
        code,
        count,
        status,
        at,
        method,
        route,
      }),
    );
    return listed.sort((a, b) => b.at - a.at);
  }
}
