// Counts and limits the bytes that live responses hold (`live-max-bytes`, `beyond.md` §3.1b.10). An event that waits for
// several streams counts once.
import type { EncodedEvent } from './event-text.ts';

export class LiveMemory {
  readonly #maxBytes: () => number;
  readonly #giveUp: () => boolean;
  /** Number of streams and rings that hold an event. */
  readonly #holders: Map<EncodedEvent, number> = new Map();
  #bytes = 0;
  #reads = 0;

  /** @param giveUp frees memory that is not needed now; returns false if there is none left to free */
  constructor(maxBytes: () => number, giveUp: () => boolean) {
    this.#maxBytes = maxBytes;
    this.#giveUp = giveUp;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get maxBytes(): number {
    return this.#maxBytes();
  }

  /** Number of reads whose results are in memory. */
  get reads(): number {
    return this.#reads;
  }

  hold(event: EncodedEvent): void {
    const holders = this.#holders.get(event) ?? 0;
    this.#holders.set(event, holders + 1);
    if (holders > 0) return;
    this.#bytes += sizeOf(event);
    if (event.shared !== undefined) this.hold(event.shared);
  }

  release(event: EncodedEvent): void {
    const holders = this.#holders.get(event) ?? 0;
    if (holders > 1) this.#holders.set(event, holders - 1);
    else if (this.#holders.delete(event)) {
      this.#bytes -= sizeOf(event);
      if (event.shared !== undefined) this.release(event.shared);
    }
  }

  share(): MemoryShare {
    return new MemoryShare((bytes) => this.#take(bytes));
  }

  /** Returns a share for the result of a read. Release it when the result is no longer needed. */
  shareOfRead(): MemoryShare {
    this.#reads += 1;
    return new MemoryShare(
      (bytes) => this.#take(bytes),
      () => (this.#reads -= 1),
    );
  }

  /** @param bytes negative to free */
  #take(bytes: number): boolean {
    const isFree = (): boolean => bytes <= 0 || this.#bytes + bytes <= this.#maxBytes();
    while (!isFree()) if (!this.#giveUp()) return false;
    this.#bytes += bytes;
    return true;
  }
}

/** Bytes of the event itself. */
function sizeOf({ byteLength, shared }: EncodedEvent): number {
  return shared === undefined ? byteLength : Math.max(0, byteLength - shared.byteLength);
}

/** The part of the memory that one holder uses. */
export class MemoryShare {
  readonly #take: (bytes: number) => boolean;
  readonly #onReleased: () => void;
  #size = 0;
  #isReleased = false;

  constructor(take: (bytes: number) => boolean, onReleased: () => void = () => {}) {
    this.#take = take;
    this.#onReleased = onReleased;
  }

  /** @returns false if there is not enough memory; the share then keeps its size */
  resize(bytes: number): boolean {
    if (this.#isReleased) return true;
    if (!this.#take(bytes - this.#size)) return false;
    this.#size = bytes;
    return true;
  }

  release(): void {
    if (this.#isReleased) return;
    this.resize(0);
    this.#isReleased = true;
    this.#onReleased();
  }
}
