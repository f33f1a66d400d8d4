// Allocates memory in chunks; pieces of a chunk are retained until they have been sent. A chunk is reused once all its
// pieces are released: left to the garbage collector, chunks would pile up to tens of megabytes between two
// collections.

const CHUNK_SIZE = 64 * 1024;
/** Size of the first chunk, which is enough for a short response. */
const FIRST_SIZE = 16 * 1024;
/** Limit across all responses: 4 MB. */
const MAX_FREE_CHUNKS = 64;
const freeChunks: Buffer[] = [];

export class ChunkMemory {
  /**
   * Retained pieces of each chunk; chunks are reused by other responses. Weak, since not every consumer releases its
   * pieces.
   */
  readonly #retained = new WeakMap<ArrayBufferLike, Set<Uint8Array>>();
  #current: Buffer = Buffer.alloc(0);

  retain(piece: Uint8Array): void {
    const pieces = this.#retained.get(piece.buffer);
    if (pieces === undefined) this.#retained.set(piece.buffer, new Set([piece]));
    else pieces.add(piece);
  }

  /** Releases a piece that is no longer in use. Does nothing if the piece is not retained. */
  release(piece: Uint8Array): void {
    const { buffer } = piece;
    const pieces = this.#retained.get(buffer);
    if (pieces?.delete(piece) !== true || pieces.size > 0) return;
    this.#retained.delete(buffer);
    const isOther = buffer !== this.#current.buffer && buffer.byteLength === CHUNK_SIZE;
    if (isOther && freeChunks.length < MAX_FREE_CHUNKS) freeChunks.push(Buffer.from(buffer));
  }

  /** Returns a chunk without retained pieces. The previous chunk is no longer written to. */
  renew(): Buffer {
    const isFree = this.#current.length > 0 && !this.#retained.has(this.#current.buffer);
    if (isFree) return this.#current;
    if (this.#current.length === 0) this.#current = Buffer.allocUnsafeSlow(FIRST_SIZE);
    else this.#current = freeChunks.pop() ?? Buffer.allocUnsafeSlow(CHUNK_SIZE);
    return this.#current;
  }
}
