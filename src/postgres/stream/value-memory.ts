// Where the bytes of one long value are read. What has been sent on makes room for what comes next.
import { ChunkMemory } from './chunk-memory.ts';

/** With less room left than this, the next read gets another chunk. */
const LEAST_ROOM = 8 * 1024;

export class ValueMemory {
  readonly #memory = new ChunkMemory();
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;

  /** @param left bytes of the value that are still to come: nothing else may be read here */
  offer(left: number): Buffer {
    if (this.#bytes.length - this.#used < LEAST_ROOM) {
      this.#bytes = this.#memory.renew();
      this.#used = 0;
    }
    return this.#bytes.subarray(this.#used, this.#used + left);
  }

  /** To be called with what has been read, here or elsewhere, before it is given out. */
  retain(piece: Uint8Array): void {
    if (piece.buffer !== this.#bytes.buffer) return;
    this.#used += piece.length;
    this.#memory.retain(piece);
  }

  /** Nobody reads this piece any more. */
  release(piece: Uint8Array): void {
    this.#memory.release(piece);
  }
}
