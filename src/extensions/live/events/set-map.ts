// A map from a key to a set of values, without empty sets.

export class SetMap<K, V> {
  readonly #sets: Map<K, Set<V>> = new Map();

  get(key: K): ReadonlySet<V> | undefined {
    return this.#sets.get(key);
  }

  has(key: K): boolean {
    return this.#sets.has(key);
  }

  keys(): Iterable<K> {
    return this.#sets.keys();
  }

  /** Returns all sets. */
  values(): Iterable<ReadonlySet<V>> {
    return this.#sets.values();
  }

  get isEmpty(): boolean {
    return this.#sets.size === 0;
  }

  add(key: K, value: V): void {
    const set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, new Set([value]));
    else set.add(value);
  }

  delete(key: K, value: V): void {
    const set = this.#sets.get(key);
    if (set?.delete(value) === true && set.size === 0) this.#sets.delete(key);
  }

  clear(): void {
    this.#sets.clear();
  }
}
