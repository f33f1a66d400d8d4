// Memory in chunks of which pieces are lent to whoever sends them. A chunk is used again when all its pieces have been given
// back: as garbage, chunks would grow to tens of megabytes between two collections.

const CHUNK_SIZE = 64 * 1024;

export class LentMemory {
  /** Pieces of each chunk that have been lent and not given back. */
  readonly #lent = new Map<ArrayBufferLike, number>();
  readonly #free: Buffer[] = [];
  #current: Buffer = Buffer.alloc(0);

  lend({ buffer }: Uint8Array): void {
    this.#lent.set(buffer, (this.#lent.get(buffer) ?? 0) + 1);
  }

  /** Nobody reads this piece any more. Without effect for what has not been lent. */
  release({ buffer }: Uint8Array): void {
    const count = (this.#lent.get(buffer) ?? 0) - 1;
    if (count > 0) this.#lent.set(buffer, count);
    else if (this.#lent.delete(buffer) && buffer !== this.#current.buffer) this.#free.push(Buffer.from(buffer));
  }

  /** @returns a chunk of which nothing is lent; the one before is not written to any more */
  renew(): Buffer {
    const isFree = this.#current.length > 0 && !this.#lent.has(this.#current.buffer);
    if (!isFree) this.#current = this.#free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_SIZE);
    return this.#current;
  }
}
