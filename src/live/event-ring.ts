// Keeps the latest events of all groups for clients that reconnect, within a number of bytes that all groups share.

interface KeptEvent {
  readonly number: number;
  readonly bytes: Uint8Array;
}

export class EventRing {
  readonly #store: EventStore;
  readonly #events: KeptEvent[] = [];
  /** Number of the latest event that is no longer kept. */
  #lastDropped: number;

  /** @param lastNumber number of the latest event of the group */
  constructor(store: EventStore, lastNumber: number) {
    this.#store = store;
    this.#lastDropped = lastNumber;
  }

  add(number: number, bytes: Uint8Array): void {
    this.#events.push({ number, bytes });
    this.#store.add(this, bytes.byteLength);
  }

  /** Returns the events after this one; undefined if they are no longer kept. */
  since(number: number): readonly Uint8Array[] | undefined {
    if (number < this.#lastDropped) return undefined;
    return this.#events.filter((event) => event.number > number).map(({ bytes }) => bytes);
  }

  /** @returns the bytes that are free again */
  dropOldest(): number {
    const oldest = this.#events.shift();
    if (oldest === undefined) return 0;
    this.#lastDropped = oldest.number;
    return oldest.bytes.byteLength;
  }

  clear(): void {
    this.#store.remove(this);
    this.#events.length = 0;
  }
}

/** The memory that rings share. The event that was added first is dropped first. */
export class EventStore {
  readonly #maxBytes: () => number;
  #order: { readonly ring: EventRing; readonly bytes: number }[] = [];
  #first = 0;
  #bytes = 0;

  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

  add(ring: EventRing, bytes: number): void {
    this.#order.push({ ring, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes() && this.#first < this.#order.length) {
      const oldest = this.#order[this.#first];
      this.#first += 1;
      if (oldest !== undefined) this.#bytes -= oldest.ring.dropOldest();
    }
    if (this.#first > 1024 && this.#first * 2 > this.#order.length) {
      this.#order = this.#order.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Call before the events of the ring are forgotten. */
  remove(ring: EventRing): void {
    const rest = this.#order.slice(this.#first);
    this.#order = rest.filter((entry) => entry.ring !== ring);
    this.#first = 0;
    this.#bytes = this.#order.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
