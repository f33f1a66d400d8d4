// The streams of a group, by what they have received.
import type { EventBody } from './event-body.ts';

export class GroupStreams {
  readonly #current: Set<EventBody> = new Set();
  /** Streams that wait for all rows, and whether they must discard what they have. */
  readonly #joining: Map<EventBody, boolean> = new Map();
  /** Streams whose clients are too slow: nothing is sent to them until they have caught up. */
  readonly #behind: Set<EventBody> = new Set();

  get size(): number {
    return this.listening + this.#behind.size;
  }

  /** Number of streams that wait for events. */
  get listening(): number {
    return this.#current.size + this.#joining.size;
  }

  get all(): readonly EventBody[] {
    return [...this.#current, ...this.#joining.keys(), ...this.#behind];
  }

  /** Streams that wait for all rows. */
  get joining(): readonly EventBody[] {
    return [...this.#joining.keys()];
  }

  add(body: EventBody): void {
    this.#current.add(body);
  }

  /** @param mustReset whether the client must discard what it has */
  await(body: EventBody, mustReset: boolean): void {
    this.delete(body);
    this.#joining.set(body, mustReset);
  }

  suspend(body: EventBody): void {
    this.delete(body);
    this.#behind.add(body);
  }

  delete(body: EventBody): void {
    this.#current.delete(body);
    this.#joining.delete(body);
    this.#behind.delete(body);
  }

  /** Adds a stream that has waited for all rows. @returns whether it must reset; undefined if it no longer waits */
  admit(body: EventBody): boolean | undefined {
    const mustReset = this.#joining.get(body);
    if (mustReset === undefined) return undefined;
    this.#joining.delete(body);
    this.#current.add(body);
    return mustReset;
  }

  send(event: Uint8Array): void {
    for (const body of this.#current) body.push(event);
  }
}
