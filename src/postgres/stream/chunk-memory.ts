// Memory in chunks, pieces of which are retained until they have been sent. A chunk is used again when all its pieces have
// been released: as garbage, chunks would grow to tens of megabytes between two collections.

const CHUNK_SIZE = 64 * 1024;
/** Of the first one, which is all that a short answer needs. */
const FIRST_SIZE = 16 * 1024;
/** Of all answers, 4 MB. */
const MAX_FREE_CHUNKS = 64;
const freeChunks: Buffer[] = [];

export class ChunkMemory {
  /**
   * Pieces of each chunk that have been retained and not released: chunks go from one answer to another. Weak, since not all
   * who take pieces say when they are done with them.
   */
  readonly #retained = new WeakMap<ArrayBufferLike, Set<Uint8Array>>();
  #current: Buffer = Buffer.alloc(0);

  retain(piece: Uint8Array): void {
    const pieces = this.#retained.get(piece.buffer);
    if (pieces === undefined) this.#retained.set(piece.buffer, new Set([piece]));
    else pieces.add(piece);
  }

  /** Nobody reads this piece any more. Without effect for what has not been retained, or has been released. */
  release(piece: Uint8Array): void {
    const { buffer } = piece;
    const pieces = this.#retained.get(buffer);
    if (pieces?.delete(piece) !== true || pieces.size > 0) return;
    this.#retained.delete(buffer);
    if (this.#isWorthKeeping(buffer)) freeChunks.push(Buffer.from(buffer));
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
