// Number of requests in progress → whether one more is admitted. Refusing is cheap and comes before any work, so that
// admitted requests are answered in time under any load.
import type { HttpLimits } from './limits.ts';

export interface Load {
  /** Requests in progress. */
  readonly inFlight: number;
  /** How long they have outnumbered the connections to the database; undefined: they do not. */
  readonly queuedForMs: number | undefined;
  /** Requests completed in that time that had to wait. */
  readonly completed: number;
}

export type OverloadLimit = 'server-max-requests' | 'server-max-wait';

/** Requests that may always wait, however slow their statements are: per database connection, and in total. */
const MIN_QUEUE_PER_CONNECTION = 10;
const MIN_QUEUE = 50;
/** How long a queue must have been observed before its throughput is known. */
const MIN_OBSERVED_MS = 100;

/** @returns the limit that one more request would exceed */
export function findExceededLimit(load: Load, limits: HttpLimits): OverloadLimit | undefined {
  const { inFlight, queuedForMs, completed } = load;
  if (inFlight >= limits.serverMaxRequests) return 'server-max-requests';
  const minQueue = Math.max(MIN_QUEUE, limits.dbPool * MIN_QUEUE_PER_CONNECTION);
  if (limits.serverMaxWait === 0 || inFlight < minQueue) return undefined;
  if (queuedForMs === undefined || queuedForMs < MIN_OBSERVED_MS) return undefined;
  // Little's law: the last request is answered when as many answers have been given as there are requests before it.
  const wait = (inFlight * queuedForMs) / (completed + 1);
  return wait > limits.serverMaxWait * 1000 ? 'server-max-wait' : undefined;
}

/** A request answered sooner, such as a 404, has not been through the queue and says nothing about its throughput. */
const IMMEDIATE_MS = 5;
/** After this time, completed requests count half. */
const HALF_LIFE_MS = 1000;

export class Admission {
  readonly #limits: () => HttpLimits;
  /** Milliseconds of a monotonic clock. */
  readonly #clock: () => number;
  #inFlight = 0;
  #queuedSince: number | undefined;
  #completed = 0;

  constructor(limits: () => HttpLimits, clock: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#clock = clock;
  }

  check(): OverloadLimit | undefined {
    const queuedForMs = this.#queuedSince === undefined ? undefined : this.#clock() - this.#queuedSince;
    return findExceededLimit({ inFlight: this.#inFlight, queuedForMs, completed: this.#completed }, this.#limits());
  }

  /** Counts the work as in flight until it ends. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const start = this.#enter();
    try {
      return await work();
    } finally {
      this.#leave(start);
    }
  }

  /** @returns the start time, 0 where it is not needed */
  #enter(): number {
    this.#inFlight += 1;
    if (this.#queuedSince !== undefined) return this.#clock();
    if (this.#inFlight > this.#limits().dbPool) this.#queuedSince = this.#clock();
    return 0;
  }

  #leave(start: number): void {
    this.#inFlight -= 1;
    if (this.#queuedSince === undefined) return;
    if (this.#inFlight <= this.#limits().dbPool) {
      this.#queuedSince = undefined;
      this.#completed = 0;
      return;
    }
    const now = this.#clock();
    if (now - start >= IMMEDIATE_MS) this.#completed += 1;
    if (now - this.#queuedSince < 2 * HALF_LIFE_MS) return;
    this.#queuedSince = now - HALF_LIFE_MS;
    this.#completed /= 2;
  }
}
