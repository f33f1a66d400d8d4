// Collects the chunks of a body in one array. Memory grows with the bytes received, not with the declared length: the
// capacity doubles when it is full. A body of one chunk, the usual case, is not copied.

const MIN_CAPACITY = 16_384;

export class GrowingBytes {
  /** Bytes received. */
  size = 0;
  readonly #expected: number;
  #buffer: Uint8Array | undefined;
  /** Whether the buffer is the first chunk itself, which must not be written to. */
  #isFirstChunk = false;

  /** @param expected declared length, or 0 if unknown; the buffer never exceeds it */
  constructor(expected: number) {
    this.#expected = expected;
  }

  add(chunk: Uint8Array): void {
    const start = this.size;
    this.size += chunk.length;
    if (this.#buffer === undefined) {
      this.#buffer = chunk;
      this.#isFirstChunk = true;
      return;
    }
    const buffer =
      this.#isFirstChunk || this.size > this.#buffer.length ? this.#enlarge(this.#buffer, start) : this.#buffer;
    buffer.set(chunk, start);
  }

  clear(): void {
    this.#buffer = undefined;
  }

  join(): Uint8Array {
    return this.#buffer === undefined ? new Uint8Array() : this.#buffer.subarray(0, this.size);
  }

  #enlarge(full: Uint8Array, used: number): Uint8Array {
    const capacity = Math.max(2 * used, this.size, MIN_CAPACITY);
    const isKnown = this.#expected >= this.size;
    const buffer = Buffer.allocUnsafe(isKnown ? Math.min(capacity, this.#expected) : capacity);
    buffer.set(full.subarray(0, used));
    this.#buffer = buffer;
    this.#isFirstChunk = false;
    return buffer;
  }
}
