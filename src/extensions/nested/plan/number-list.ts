// A list of unsigned 32-bit integers that takes 4 bytes for each, such as positions in a body.

/** Entries per page; only the first page grows. */
const PAGE = 16_384;
const SHIFT = 14;
const FIRST = 16;

export class NumberList {
  readonly #pages: Uint32Array[] = [new Uint32Array(FIRST)];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const index = this.#length & (PAGE - 1);
    let page = this.#pages[this.#pages.length - 1];
    if (page === undefined || this.#length === this.#pages.length << SHIFT) {
      page = new Uint32Array(PAGE);
      this.#pages.push(page);
    } else if (index === page.length) {
      const larger = new Uint32Array(page.length * 2);
      larger.set(page);
      page = larger;
      this.#pages[this.#pages.length - 1] = page;
    }
    page[index] = value;
    this.#length += 1;
  }

  /** Returns 0 beyond the end. */
  at(index: number): number {
    return this.#pages[index >> SHIFT]?.[index & (PAGE - 1)] ?? 0;
  }

  /** Lengthens the list with zeros as needed. */
  set(index: number, value: number): void {
    while (this.#length <= index) this.push(0);
    const page = this.#pages[index >> SHIFT];
    if (page !== undefined) page[index & (PAGE - 1)] = value;
  }

  /** Returns the first index whose value is at least `value`, in a list that never decreases. */
  findFirst(value: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
