// Memory in chunks, pieces of which are retained until they have been sent. A chunk is used again when all its pieces have
// been released: as garbage, chunks would grow to tens of megabytes between two collections.

const CHUNK_SIZE = 64 * 1024;
/** Of the first one, which is all that a short answer needs. */
const FIRST_SIZE = 16 * 1024;
/** Of all answers, 4 MB. */
const MAX_FREE_CHUNKS = 64;
const freeChunks: Buffer[] = [];

export class ChunkMemory {
  /** Pieces of each chunk that have been retained and not released. */
  readonly #retained = new Map<ArrayBufferLike, number>();
  #current: Buffer = Buffer.alloc(0);

  retain({ buffer }: Uint8Array): void {
    this.#retained.set(buffer, (this.#retained.get(buffer) ?? 0) + 1);
  }

  /** Nobody reads this piece any more. Without effect for what has not been retained. */
  release({ buffer }: Uint8Array): void {
    const count = (this.#retained.get(buffer) ?? 0) - 1;
    if (count > 0) this.#retained.set(buffer, count);
    else if (this.#retained.delete(buffer) && this.#isWorthKeeping(buffer)) freeChunks.push(Buffer.from(buffer));
  }

  /** @returns a chunk of which nothing is retained; the one before is not written to any more */
  renew(): Buffer {
    const isFree = this.#current.length > 0 && !this.#retained.has(this.#current.buffer);
    if (isFree) return this.#current;
    if (this.#current.length === 0) this.#current = Buffer.allocUnsafeSlow(FIRST_SIZE);
    else this.#current = freeChunks.pop() ?? Buffer.allocUnsafeSlow(CHUNK_SIZE);
    return this.#current;
  }

  #isWorthKeeping(buffer: ArrayBufferLike): boolean {
    const isOther = buffer !== this.#current.buffer && buffer.byteLength === CHUNK_SIZE;
    return isOther && freeChunks.length < MAX_FREE_CHUNKS;
  }
}
