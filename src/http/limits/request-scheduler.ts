// Begins a bounded number of requests per iteration of the event loop, so that other events are handled in between. One
// iteration delivers the requests of all connections at once, but only one answer of the database: without a bound, a
// burst of refusals, however cheap, would delay accepted requests by seconds.
import type { HttpExchange } from './pipeline-queue.ts';

/** About 5 ms of refusals. */
const MAX_PER_ITERATION = 32;

export class RequestScheduler {
  readonly #begin: (exchange: HttpExchange) => void;
  readonly #waiting: HttpExchange[] = [];
  #begunCount = 0;

  constructor(begin: (exchange: HttpExchange) => void) {
    this.#begin = begin;
  }

  /** Begins the request in this iteration of the event loop or in a later one, in the order of arrival. */
  schedule(exchange: HttpExchange): void {
    if (this.#begunCount === MAX_PER_ITERATION) return void this.#waiting.push(exchange);
    if (this.#begunCount === 0) setImmediate(this.#iterate);
    this.#begunCount += 1;
    this.#begin(exchange);
  }

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
