// Copies lines from received messages into pieces of a body and ends each line with a line feed. Also takes data
// without lines.
import { ChunkMemory } from '../stream/chunk-memory.ts';
import { copyBytes, viewOf } from './spell-value.ts';

/** With less free space, the next lines go to another chunk. */
const MIN_SPACE = 8 * 1024;
const LINE_FEED = 0x0a;

export class LineBuffer {
  readonly #onPiece: (piece: Uint8Array) => void;
  readonly #memory = new ChunkMemory();
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = viewOf(this.#bytes);
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

  /** Adds part of a line, or data without lines. */
  addPart(source: Buffer, start: number, end: number): void {
    for (let from = start; from < end;) {
      if (this.#bytes.length - this.#end < Math.min(end - from, MIN_SPACE)) this.#renew();
      const copied = source.copy(this.#bytes, this.#end, from, end);
      this.#end += copied;
      from += copied;
    }
  }

  /** Adds a short text. */
  addText(text: DataView): void {
    const at = this.open(text.byteLength);
    this.close(copyBytes(this.#view, at, text, 0, text.byteLength));
  }

  /**
   * Returns where to write up to `size` bytes through `view`. Call `close` with the end of what was written.
   *
   * @param size at most 16 kB, the size of the first chunk
   */
  open(size: number): number {
    if (this.#bytes.length - this.#end < size) this.#renew();
    return this.#end;
  }

  /** The memory that is written to; `open` may replace it. */
  get view(): DataView {
    return this.#view;
  }

  close(end: number): void {
    this.#end = end;
  }

  /** Adds data that arrives piece by piece, and passes it on. @returns true */
  addPiece(piece: Buffer): boolean {
    this.addPart(piece, 0, piece.length);
    this.flush();
    return true;
  }

  /** Passes on the current piece. */
  flush(): void {
    if (this.#end === this.#start) return;
    const piece = this.#bytes.subarray(this.#start, this.#end);
    this.#start = this.#end;
    this.#memory.retain(piece);
    this.#onPiece(piece);
  }

  /** Releases a piece that is no longer in use. */
  release(piece: Uint8Array): void {
    this.#memory.release(piece);
  }

  #renew(): void {
    this.flush();
    this.#bytes = this.#memory.renew();
    this.#view = viewOf(this.#bytes);
    this.#start = 0;
    this.#end = 0;
  }
}
