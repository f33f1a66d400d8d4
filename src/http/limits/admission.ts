// Requests in progress → whether one more is admitted. Refusing is cheap and comes before any work, so that admitted requests
// are answered in time under any load. Only requests that hold a connection to the database or want one count: a request that
// waits for its client, or for a turn of streams, keeps nobody else from a connection.
import type { HttpLimits } from './limits.ts';

export interface Load {
  /** Requests in progress that hold a connection to the database or want one. */
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

export interface AdmissionGauges {
  readonly limits: () => HttpLimits;
  /** Counts the requests in progress that wait for a turn of streams before they ask for a connection. */
  readonly countTurnWaiters: () => number;
  /** Milliseconds of a monotonic clock. Default: that of the process. */
  readonly clock?: () => number;
}

/** Counts the requests in progress that wait for their client in the middle of a body. */
export type ClientWaits = Pick<Admission, 'beginClientWait' | 'endClientWait'>;

export class Admission {
  readonly #gauges: AdmissionGauges;
  readonly #clock: () => number;
  #inFlight = 0;
  /** Those of them that wait for their client in the middle of a body. */
  #clientWaits = 0;
  #queuedSince: number | undefined;
  #completed = 0;

  constructor(gauges: AdmissionGauges) {
    this.#gauges = gauges;
    this.#clock = gauges.clock ?? (() => performance.now());
  }

  check(): OverloadLimit | undefined {
    const inFlight = this.#watchQueue();
    const queuedForMs = this.#queuedSince === undefined ? undefined : this.#clock() - this.#queuedSince;
    return findExceededLimit({ inFlight, queuedForMs, completed: this.#completed }, this.#gauges.limits());
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

  /** To be called when a request in flight begins to wait for its client, and so wants no connection. */
  beginClientWait(): void {
    this.#clientWaits += 1;
  }

  /** To be called when that request goes on, and before it leaves. */
  endClientWait(): void {
    this.#clientWaits -= 1;
    this.#watchQueue();
  }

  /** @returns the start time, 0 where it is not needed */
  #enter(): number {
    this.#inFlight += 1;
    const start = this.#queuedSince === undefined ? 0 : this.#clock();
    this.#watchQueue();
    return start;
  }

  #leave(start: number): void {
    this.#inFlight -= 1;
    this.#watchQueue();
    if (this.#queuedSince === undefined) return;
    const now = this.#clock();
    if (now - start >= IMMEDIATE_MS) this.#completed += 1;
    if (now - this.#queuedSince < 2 * HALF_LIFE_MS) return;
    this.#queuedSince = now - HALF_LIFE_MS;
    this.#completed /= 2;
  }

  /** Notes when a queue begins and when it has ended. @returns requests that hold a connection or want one */
  #watchQueue(): number {
    const { limits, countTurnWaiters } = this.#gauges;
    const wanting = this.#inFlight - this.#clientWaits - countTurnWaiters();
    if (wanting > limits().dbPool) {
      this.#queuedSince ??= this.#clock();
    } else if (this.#queuedSince !== undefined) {
      this.#queuedSince = undefined;
      this.#completed = 0;
    }
    return wanting;
  }
}
