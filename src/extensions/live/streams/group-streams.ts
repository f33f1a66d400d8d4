// The streams of a group: those that have received all events, those that are too slow, and those that wait for all
// rows.
import type { LiveEvent } from '../events/live-events.ts';
import { type Slices, visitInSlices } from '../../../util/slices.ts';
import type { LiveStream } from './live-response.ts';

export class GroupStreams {
  readonly #current: Set<LiveStream> = new Set();
  /** Streams with slow clients, which get no events until they have caught up. */
  readonly #behind: Set<LiveStream> = new Set();
  /** Streams that have caught up, and wait for all rows. */
  readonly #returning: Set<LiveStream> = new Set();

  get size(): number {
    return this.listening + this.#behind.size;
  }

  /** Number of streams that wait for events. */
  get listening(): number {
    return this.#current.size + this.#returning.size;
  }

  get all(): readonly LiveStream[] {
    return [...this.#current, ...this.#returning, ...this.#behind];
  }

  get returning(): readonly LiveStream[] {
    return [...this.#returning];
  }

  /** Adds a stream that has received everything that the group has sent. */
  add(stream: LiveStream): void {
    this.delete(stream);
    this.#current.add(stream);
  }

  /** Makes the stream wait for all rows. */
  await(stream: LiveStream): void {
    this.delete(stream);
    this.#returning.add(stream);
  }

  suspend(stream: LiveStream): void {
    this.delete(stream);
    this.#behind.add(stream);
  }

  delete(stream: LiveStream): void {
    this.#current.delete(stream);
    this.#returning.delete(stream);
    this.#behind.delete(stream);
  }

  /** Whether the stream has received everything that the group has sent. */
  isCurrent(stream: LiveStream): boolean {
    return this.#current.has(stream);
  }

  isReturning(stream: LiveStream): boolean {
    return this.#returning.has(stream);
  }

  /** Sends the event to the streams that have received all earlier events. */
  send(event: LiveEvent): Slices<undefined> {
    return visitInSlices([...this.#current], (stream) => {
      if (this.#current.has(stream)) stream.push(event);
    });
  }
}
