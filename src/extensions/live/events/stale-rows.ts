// Collects the rows that a group of streams must read again.

export type Work =
  | { readonly kind: 'all'; /** Whether the read must be planned again first. */ readonly mustPlan: boolean }
  | { readonly kind: 'keys'; readonly keys: readonly string[] };

/** Number of keys from which on reading all rows is cheaper. */
const MAX_KEYS = 1000;

export class StaleRows {
  #isAll = false;
  #mustPlan = false;
  #keys: Set<string> = new Set();

  get isEmpty(): boolean {
    return !this.#isAll && this.#keys.size === 0;
  }

  has(key: string): boolean {
    return this.#isAll || this.#keys.has(key);
  }

  /** The keys of the rows that must be read again; none if all rows must be. */
  get keys(): Iterable<string> {
    return this.#keys;
  }

  /**
   * @param rows number of rows of the result
   * @returns whether the keys count: otherwise, all rows must be read
   */
  addKeys(keys: readonly string[], rows: number): boolean {
    if (this.#isAll) return false;
    for (const key of keys) this.#keys.add(key);
    if (this.#keys.size > Math.max(Math.min(rows, MAX_KEYS), FEW_KEYS)) this.addAll();
    return !this.#isAll;
  }

  addAll(mustPlan = false): void {
    this.#isAll = true;
    this.#mustPlan ||= mustPlan;
    this.#keys = new Set();
  }

  take(): Work {
    const work: Work = this.#isAll
      ? { kind: 'all', mustPlan: this.#mustPlan }
      : { kind: 'keys', keys: [...this.#keys] };
    this.#isAll = false;
    this.#mustPlan = false;
    this.#keys = new Set();
    return work;
  }
}

/** Up to this number of keys, a read by key is always cheaper than a read of all rows. */
const FEW_KEYS = 16;
