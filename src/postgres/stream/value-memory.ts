// Provides the read buffers for one long value. Sent pieces make space for the next ones.
import { ChunkMemory } from './chunk-memory.ts';

/** With less free space, the next read gets another chunk. */
const MIN_SPACE = 8 * 1024;

export class ValueMemory {
  readonly #memory = new ChunkMemory();
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;

  /** @param remaining bytes of the value that are missing: nothing else may be read into this buffer */
  offer(remaining: number): Buffer {
    if (this.#bytes.length - this.#used < MIN_SPACE) {
      this.#bytes = this.#memory.renew();
      this.#used = 0;
    }
    return this.#bytes.subarray(this.#used, this.#used + remaining);
  }

  /** Call with each piece that was read, into this memory or elsewhere, before it is passed on. */
  retain(piece: Uint8Array): void {
    if (piece.buffer !== this.#bytes.buffer) return;
    this.#used += piece.length;
    this.#memory.retain(piece);
  }

  /** Releases a piece that is no longer in use. */
  release(piece: Uint8Array): void {
    this.#memory.release(piece);
  }
}
