// Numbers the events of a group, and keeps the latest ones for clients that reconnect. All groups share one limit in
// bytes.
import type { LiveEvent } from './live-events.ts';
import type { LiveMemory } from './live-memory.ts';

interface KeptEvent {
  readonly ring: EventRing;
  readonly number: number;
  readonly event: LiveEvent;
  isKept: boolean;
}

export class EventRing {
  readonly #store: EventStore;
  readonly #sign: (number: number) => string;
  #events: KeptEvent[] = [];
  #number = 0;
  /** Number of the latest event that can no longer be replayed. */
  #lastDropped = 0;

  /** @param sign returns a keyed hash of the group and the number, in lower-case letters and digits */
  constructor(store: EventStore, sign: (number: number) => string) {
    this.#store = store;
    this.#sign = sign;
  }

  /** The id of the latest event. */
  get id(): string {
    return this.#idOf(this.#number);
  }

  /** The id of the event that is added next. */
  get nextId(): string {
    return this.#idOf(this.#number + 1);
  }

  /** @param event has the id `nextId` */
  add(event: LiveEvent): void {
    this.#number += 1;
    const kept = { ring: this, number: this.#number, event, isKept: true };
    this.#events.push(kept);
    this.#store.add(kept);
  }

  /** Adds an event that contains all rows, so that clients need none of the events before it. */
  addWhole(event: LiveEvent): void {
    this.#drop();
    this.add(event);
  }

  /** Returns the events after the one with this id; undefined if they are no longer kept, or the id is not ours. */
  since(id: string): readonly LiveEvent[] | undefined {
    const number = Number(id.slice(id.lastIndexOf('-') + 1));
    if (!Number.isSafeInteger(number) || number < this.#lastDropped || number > this.#number) return undefined;
    if (id !== this.#idOf(number)) return undefined;
    return this.#events.filter((kept) => kept.number > number).map(({ event }) => event);
  }

  /** Drops all events, because they may contain rows that are no longer visible. */
  forget(): void {
    this.#drop();
    this.#lastDropped = this.#number;
  }

  /** Called by the store, which drops the oldest event. */
  noteDropped({ number }: KeptEvent): void {
    this.#events.shift();
    this.#lastDropped = number;
  }

  #drop(): void {
    for (const kept of this.#events) this.#store.remove(kept);
    this.#events = [];
  }

  #idOf(number: number): string {
    return `${this.#sign(number)}-${number}`;
  }
}

/** The memory that all rings share. The oldest event is dropped first. */
export class EventStore {
  readonly #maxBytes: () => number;
  readonly #memory: LiveMemory;
  /** In the order in which they were added; some are no longer kept. */
  #order: KeptEvent[] = [];
  #first = 0;
  #count = 0;
  #bytes = 0;

  constructor(maxBytes: () => number, memory: LiveMemory) {
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  add(kept: KeptEvent): void {
    this.#order.push(kept);
    this.#count += 1;
    this.#bytes += kept.event.byteLength;
    this.#memory.hold(kept.event);
    while (this.#bytes > this.#maxBytes() && this.dropOldest());
    this.#compact();
  }

  /** @returns false if no event is kept */
  dropOldest(): boolean {
    while (this.#first < this.#order.length) {
      const oldest = this.#order[this.#first];
      this.#first += 1;
      if (oldest?.isKept !== true) continue;
      this.remove(oldest);
      oldest.ring.noteDropped(oldest);
      return true;
    }
    return false;
  }

  remove(kept: KeptEvent): void {
    kept.isKept = false;
    this.#count -= 1;
    this.#bytes -= kept.event.byteLength;
    this.#memory.release(kept.event);
  }

  #compact(): void {
    if (this.#order.length < 1024 || this.#order.length < this.#count * 2) return;
    this.#order = this.#order.filter(({ isKept }) => isKept);
    this.#first = 0;
  }
}
