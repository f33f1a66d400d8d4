// Memory in which bodies wait for clients that take them slowly, so that their connections to the database are free for
// others before that. All streams of a pool share it.

/** 24 MB. */
const SIZE = 24 * 1024 * 1024;

export class ReadAhead {
  #free: number = SIZE;

  /** @returns whether there is room; whoever got it releases it */
  reserve(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#free += bytes;
  }
}
