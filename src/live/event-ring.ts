// Numbers the events of a group, and keeps the latest ones for clients that reconnect, within a number of bytes that all
// groups share.

interface KeptEvent {
  readonly number: number;
  readonly bytes: Uint8Array;
}

export class EventRing {
  readonly #store: EventStore;
  readonly #epoch: string;
  readonly #events: KeptEvent[] = [];
  #number = 0;
  /** Number of the latest event that is no longer kept. */
  #lastDropped = 0;

  /** @param epoch first part of the ids of events, which differs from that of every other group */
  constructor(store: EventStore, epoch: string) {
    this.#store = store;
    this.#epoch = epoch;
  }

  /** The id of the latest event. */
  get id(): string {
    return `${this.#epoch}-${this.#number}`;
  }

  /** @param render renders the event with its id */
  add(render: (id: string) => Uint8Array): Uint8Array {
    this.#number += 1;
    const bytes = render(this.id);
    this.#events.push({ number: this.#number, bytes });
    this.#store.add(this, bytes.byteLength);
    return bytes;
  }

  /** Returns the events after the one with this id; undefined if they are no longer kept, or the id is not known. */
  since(id: string): readonly Uint8Array[] | undefined {
    const number = id.startsWith(`${this.#epoch}-`) ? Number(id.slice(this.#epoch.length + 1)) : NaN;
    const isKnown = Number.isSafeInteger(number) && number >= this.#lastDropped && number <= this.#number;
    return isKnown ? this.#events.filter((event) => event.number > number).map(({ bytes }) => bytes) : undefined;
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
