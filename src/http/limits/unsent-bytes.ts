// Counts the bytes of responses that sockets hold for clients that have not taken them yet. One count covers all connections,
// so that many slow readers together cannot take more memory than one bound allows.

/** Beyond this, long answers are refused before their first byte. */
const MAX_UNSENT_BYTES = 268_435_456;

export class UnsentBytes {
  readonly #max: number;
  #bytes = 0;

  constructor(max: number = MAX_UNSENT_BYTES) {
    this.#max = max;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns whether so many bytes more may wait for a client; a single response always may */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#max;
  }

  /** Whether twice as much is held: then writes are refused too, which cannot be once they are done. */
  get isFull(): boolean {
    return this.#bytes > 2 * this.#max;
  }

  /** To be called when a socket has been given bytes that its client has not taken. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** To be called once for the same bytes: when they have been taken, or when the connection has ended. */
  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}
