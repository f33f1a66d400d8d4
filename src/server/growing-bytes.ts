// Chunks as they come → one piece. What it takes in memory is in proportion to what has come, not to what was announced:
// its room is doubled when it is full. Bodies of one chunk, which most are, are not copied.

const LEAST_ROOM = 16_384;

export class GrowingBytes {
  /** Bytes. */
  size = 0;
  readonly #expected: number;
  #room: Uint8Array | undefined;
  /** Whether the room is the first chunk itself, which is not ours to write to. */
  #isBorrowed = false;

  /** @param expected bytes that will come, 0 where that is not known: there is never room for more */
  constructor(expected: number) {
    this.#expected = expected;
  }

  add(chunk: Uint8Array): void {
    const start = this.size;
    this.size += chunk.length;
    if (this.#room === undefined) {
      this.#room = chunk;
      this.#isBorrowed = true;
      return;
    }
    const room = this.#isBorrowed || this.size > this.#room.length ? this.#enlarge(this.#room, start) : this.#room;
    room.set(chunk, start);
  }

  clear(): void {
    this.#room = undefined;
  }

  join(): Uint8Array {
    return this.#room === undefined ? new Uint8Array() : this.#room.subarray(0, this.size);
  }

  #enlarge(full: Uint8Array, used: number): Uint8Array {
    const wanted = Math.max(2 * used, this.size, LEAST_ROOM);
    const isKnown = this.#expected >= this.size;
    const room = Buffer.allocUnsafe(isKnown ? Math.min(wanted, this.#expected) : wanted);
    room.set(full.subarray(0, used));
    this.#room = room;
    this.#isBorrowed = false;
    return room;
  }
}
