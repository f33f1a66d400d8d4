// In: lines without their ends, or parts of what has none, as they lie in received messages. Out: pieces of a body, each
// line ended by a line feed.
import { ChunkMemory } from '../stream/chunk-memory.ts';

/** With less room left than this, the next lines get another chunk. */
const LEAST_ROOM = 8 * 1024;
const LINE_FEED = 0x0a;

export class LineBuffer {
  readonly #onPiece: (piece: Uint8Array) => void;
  readonly #memory = new ChunkMemory();
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  constructor(onPiece: (piece: Uint8Array) => void) {
    this.#onPiece = onPiece;
  }

  add(source: Buffer, start: number, end: number): void {
    this.addPart(source, start, end);
    if (this.#end === this.#bytes.length) this.#renew();
    this.#bytes[this.#end] = LINE_FEED;
    this.#end += 1;
  }

  /** Of a line that goes on, or of what has no lines. */
  addPart(source: Buffer, start: number, end: number): void {
    for (let from = start; from < end;) {
      if (this.#bytes.length - this.#end < Math.min(end - from, LEAST_ROOM)) this.#renew();
      const copied = source.copy(this.#bytes, this.#end, from, end);
      this.#end += copied;
      from += copied;
    }
  }

  addAll(bytes: Buffer): void {
    this.addPart(bytes, 0, bytes.length);
  }

  /** Gives out what there is. */
  flush(): void {
    if (this.#end === this.#start) return;
    const piece = this.#bytes.subarray(this.#start, this.#end);
    this.#start = this.#end;
    this.#memory.retain(piece);
    this.#onPiece(piece);
  }

  /** Nobody reads this piece any more. */
  release(piece: Uint8Array): void {
    this.#memory.release(piece);
  }

  #renew(): void {
    this.flush();
    this.#bytes = this.#memory.renew();
    this.#start = 0;
    this.#end = 0;
  }
}
