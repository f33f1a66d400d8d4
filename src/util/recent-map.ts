// A bounded map that evicts entries not used recently, at about the cost of a plain map.

export interface RecentLimits<V> {
  /** Kept at least, unless they are too large; there are never more than twice as many. */
  readonly entries: number;
  /** Of all entries together, in the unit of `sizeOf`; at most twice as much is kept, and one entry more. */
  readonly size: number;
  readonly sizeOf: (value: V) => number;
}

export class RecentMap<K, V> {
  readonly #limits: RecentLimits<V>;
  #recent: Map<K, V> = new Map();
  #recentSize = 0;
  #former: Map<K, V> = new Map();

  constructor(limits: RecentLimits<V>) {
    this.#limits = limits;
  }

  get(key: K): V | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const former = this.#former.get(key);
    if (former !== undefined) this.set(key, former);
    return former;
  }

  /** To be called again when a value has grown. */
  set(key: K, value: V): void {
    const { entries, size, sizeOf } = this.#limits;
    if (this.#recent.size >= entries || this.#recentSize >= size) {
      this.#former = this.#recent;
      this.#recent = new Map();
      this.#recentSize = 0;
    }
    this.#recent.set(key, value);
    this.#recentSize += sizeOf(value);
  }
}
