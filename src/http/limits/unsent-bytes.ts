// Counts the response bytes that wait in sockets for slow clients. One count covers all connections, so that many slow
// clients together cannot exceed the limit.

/** Above this, long responses are rejected before their first byte. */
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

  /** @returns whether this many more bytes may wait for a client; always true for a single response */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#max;
  }

  /**
   * Whether twice the limit is exceeded. Then writes are rejected too, since their responses cannot be rejected later.
   */
  get isFull(): boolean {
    return this.#bytes > 2 * this.#max;
  }

  /** Call when a socket holds bytes that its client has not read. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Call once for the same bytes, when they have been sent or the connection has ended. */
  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}
