// Limits the memory in which bodies wait for slow clients, so that their database connections become free early. All
// responses of a pool share it; a body that does not fit is rejected before its first byte.

/** 24 MB. */
const SIZE = 24 * 1024 * 1024;

export class BodyMemory {
  #free: number = SIZE;

  /** Unreserved bytes. */
  get free(): number {
    return this.#free;
  }

  reserve(): Reservation {
    return new Reservation((bytes) => this.#take(bytes));
  }

  /** @param bytes to reserve; negative to free */
  #take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }
}

/** The memory reserved for one body. */
export class Reservation {
  readonly #take: (bytes: number) => boolean;
  #size = 0;

  constructor(take: (bytes: number) => boolean) {
    this.#take = take;
  }

  /** Reserved bytes. */
  get size(): number {
    return this.#size;
  }

  /** Reserves more bytes. @returns false if there is not enough memory */
  grow(bytes: number): boolean {
    if (!this.#take(bytes)) return false;
    this.#size += bytes;
    return true;
  }

  /** Frees the whole reservation. */
  release(): void {
    this.#take(-this.#size);
    this.#size = 0;
  }
}
