// A bounded map that evicts the entries not used recently and costs about as much as a plain map.

export interface RecentLimits<V> {
  /** Number of entries kept as long as `size` allows; the map holds at most twice as many. */
  readonly entries: number;
  /** Total size to keep, in the unit of `sizeOf`; the map holds at most twice this plus one entry. */
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

  /** Call it again when a value has grown. */
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
