// The streams of a group: those that have received all events, those that are too slow, and those that wait for all
// rows.
import type { EncodedEvent } from '../events/event-text.ts';
import { type Slices, visitInSlices } from '../../../util/slices.ts';
import type { EventBody } from './event-body.ts';

export class GroupStreams {
  readonly #current: Set<EventBody> = new Set();
  /** Streams with slow clients, which get no events until they have caught up. */
  readonly #behind: Set<EventBody> = new Set();
  /** Streams that have caught up, and wait for all rows. */
  readonly #returning: Set<EventBody> = new Set();

  get size(): number {
    return this.listening + this.#behind.size;
  }

  /** Number of streams that wait for events. */
  get listening(): number {
    return this.#current.size + this.#returning.size;
  }

  get all(): readonly EventBody[] {
    return [...this.#current, ...this.#returning, ...this.#behind];
  }

  get returning(): readonly EventBody[] {
    return [...this.#returning];
  }

  /** Adds a stream that has received everything that the group has sent. */
  add(body: EventBody): void {
    this.delete(body);
    this.#current.add(body);
  }

  /** Makes the stream wait for all rows. */
  await(body: EventBody): void {
    this.delete(body);
    this.#returning.add(body);
  }

  suspend(body: EventBody): void {
    this.delete(body);
    this.#behind.add(body);
  }

  delete(body: EventBody): void {
    this.#current.delete(body);
    this.#returning.delete(body);
    this.#behind.delete(body);
  }

  isReturning(body: EventBody): boolean {
    return this.#returning.has(body);
  }

  /** Sends the event to the streams that have received all earlier events. */
  send(event: EncodedEvent): Slices<undefined> {
    return visitInSlices([...this.#current], (body) => {
      if (this.#current.has(body)) body.push(event);
    });
  }
}
