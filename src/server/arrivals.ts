// Requests that have their turn → a few at a time, and what goes on in the meantime comes in between. The event loop hands
// over all that have come on a thousand connections at once, and each answer of the database only once for all of those:
// however cheap a refusal is, a storm of them would have the accepted ones wait for seconds.
import type { Visit } from './turns.ts';

/** Begun in one turn of the event loop: about 5 ms of refusals. */
const MOST_AT_ONCE = 32;

export class Arrivals {
  readonly #begin: (visit: Visit) => void;
  readonly #waiting: Visit[] = [];
  #begunCount = 0;

  constructor(begin: (visit: Visit) => void) {
    this.#begin = begin;
  }

  /** Begins it, now or in one of the next turns of the event loop, in the order of arrival. */
  arrive(visit: Visit): void {
    if (this.#begunCount === MOST_AT_ONCE) return void this.#waiting.push(visit);
    if (this.#begunCount === 0) setImmediate(this.#turn);
    this.#begunCount += 1;
    this.#begin(visit);
  }

  readonly #turn = (): void => {
    this.#begunCount = 0;
    while (this.#begunCount < MOST_AT_ONCE) {
      const visit = this.#waiting.shift();
      if (visit === undefined) return;
      // Its client may have left.
      if (!visit.incoming.socket.destroyed) this.arrive(visit);
    }
  };
}
