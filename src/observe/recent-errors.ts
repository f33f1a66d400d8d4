// Errors as they are answered → how often each code came up, and the last request that got it, without any of its values.
// A code that has not come up for longest makes room for another.

/** The last request that got it. */
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

interface Entry {
  count: number;
  last: Occurrence;
}

const MAX_CODES = 50;
/** Functions can raise errors with codes of their own. */
const MAX_CODE_LENGTH = 40;

export class RecentErrors {
  readonly #byCode: Map<string, Entry> = new Map();

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

  /** The latest first. */
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
