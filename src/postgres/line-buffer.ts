// In: lines without their ends, as they lie in received messages. Out: pieces of a body, each line ended by a line feed.

const PIECE_SIZE = 64 * 1024;
/** With less room left than this, the next lines get a new piece. */
const LEAST_ROOM = 8 * 1024;
const LINE_FEED = 0x0a;

export class LineBuffer {
  readonly #onPiece: (piece: Uint8Array) => void;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  constructor(onPiece: (piece: Uint8Array) => void) {
    this.#onPiece = onPiece;
  }

  /** Long lines stay where they are: nobody writes over received bytes. */
  add(source: Buffer, start: number, end: number): void {
    const length = end - start;
    if (this.#bytes.length - this.#end < length + 1) this.#renew();
    if (length < PIECE_SIZE) {
      source.copy(this.#bytes, this.#end, start, end);
      this.#end += length;
    } else {
      this.flush();
      this.#onPiece(source.subarray(start, end));
    }
    this.#bytes[this.#end] = LINE_FEED;
    this.#end += 1;
  }

  /** Gives out what there is. */
  flush(): void {
    if (this.#end === this.#start) return;
    const piece = this.#bytes.subarray(this.#start, this.#end);
    this.#start = this.#end;
    if (this.#bytes.length - this.#end < LEAST_ROOM) this.#bytes = Buffer.alloc(0);
    this.#onPiece(piece);
  }

  clear(): void {
    this.#start = this.#end;
  }

  #renew(): void {
    this.flush();
    this.#bytes = Buffer.allocUnsafeSlow(PIECE_SIZE);
    this.#start = 0;
    this.#end = 0;
  }
}
