// Starts a limited number of requests per turn of the event loop, so that other events are handled in between. One turn
// delivers the requests of all connections at once, but only one answer of the database: without a limit, a burst of
// rejected requests, however cheap, would delay accepted ones by seconds.
import type { HttpExchange } from './pipeline-queue.ts';

/** Rejecting this many takes about 5 ms. */
const MAX_PER_ITERATION = 32;

export class RequestScheduler {
  readonly #begin: (exchange: HttpExchange) => void;
  readonly #waiting: HttpExchange[] = [];
  #begunCount = 0;

  constructor(begin: (exchange: HttpExchange) => void) {
    this.#begin = begin;
  }

  /** Starts the request in this turn of the event loop or a later one, in order of arrival. */
  readonly schedule = (exchange: HttpExchange): void => {
    if (this.#begunCount === MAX_PER_ITERATION) return void this.#waiting.push(exchange);
    if (this.#begunCount === 0) setImmediate(this.#iterate);
    this.#begunCount += 1;
    this.#begin(exchange);
  };

  readonly #iterate = (): void => {
    this.#begunCount = 0;
    while (this.#begunCount < MAX_PER_ITERATION) {
      const exchange = this.#waiting.shift();
      if (exchange === undefined) return;
      // Its client may have disconnected.
      if (!exchange.incoming.socket.destroyed) this.schedule(exchange);
    }
  };
}
