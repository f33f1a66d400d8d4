// Memory in which bodies wait for clients that take them slowly, so that their connections to the database are free for
// others before that. All answers of a pool share it; what does not fit is refused before its first byte.

/** 24 MB. */
const SIZE = 24 * 1024 * 1024;

export class BodyMemory {
  #free: number = SIZE;

  /** Bytes that nobody has reserved. */
  get free(): number {
    return this.#free;
  }

  reserve(): Reservation {
    return new Reservation((bytes) => this.#take(bytes));
  }

  /** @param bytes negative: gives them back */
  #take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }
}

/** What one body has of the memory. */
export class Reservation {
  readonly #take: (bytes: number) => boolean;
  #size = 0;

  constructor(take: (bytes: number) => boolean) {
    this.#take = take;
  }

  /** Bytes. */
  get size(): number {
    return this.#size;
  }

  /** @returns whether there was room for so many bytes more */
  grow(bytes: number): boolean {
    if (!this.#take(bytes)) return false;
    this.#size += bytes;
    return true;
  }

  /** Gives all of it back. */
  release(): void {
    this.#take(-this.#size);
    this.#size = 0;
  }
}
