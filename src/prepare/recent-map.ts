// A map that forgets what has not been asked for in a while: bounded, at the price of a plain map.

export class RecentMap<K, V> {
  readonly #capacity: number;
  #recent: Map<K, V> = new Map();
  #former: Map<K, V> = new Map();

  /** @param capacity how many entries are kept at least; there are never more than twice as many */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const former = this.#former.get(key);
    if (former !== undefined) this.set(key, former);
    return former;
  }

  set(key: K, value: V): void {
    if (this.#recent.size >= this.#capacity) {
      this.#former = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
