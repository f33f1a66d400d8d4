// A growable list of integers that takes four bytes each, for millions of offsets.

export class NumberList {
  #items: Int32Array;
  #length = 0;

  constructor(capacity = 1024) {
    this.#items = new Int32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Returns 0 beyond the end. */
  at(index: number): number {
    return index < this.#length ? (this.#items[index] ?? 0) : 0;
  }

  set(index: number, value: number): void {
    this.#items[index] = value;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#length] = value;
    this.#length += 1;
  }
}
