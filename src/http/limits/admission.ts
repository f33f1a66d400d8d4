// Decides whether one more request is admitted. Rejecting is cheap and precedes all work, so that admitted requests are
// answered in time under any load. Only requests that hold or need a database connection count: a request that waits
// for its client or for a stream permit does not keep others from a connection.
import type { CurrentLimits, HttpLimits } from './limits.ts';

export interface Load {
  /** Requests in progress that hold or need a database connection. */
  readonly inFlight: number;
  /** Milliseconds that they have outnumbered the database connections; undefined if they do not. */
  readonly queuedForMs: number | undefined;
  /** Requests completed in that time that had to wait. */
  readonly completed: number;
}

export type OverloadLimit = 'server-max-requests' | 'server-max-wait';

/**
 * Number of requests that may always wait, however slow their statements are: per database connection, and in total.
 */
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
  // Little's law: the last request is answered when as many have completed as there are requests before it.
  const wait = (inFlight * queuedForMs) / (completed + 1);
  return wait > limits.serverMaxWait * 1000 ? 'server-max-wait' : undefined;
}

/** Requests answered faster, such as a 404, have not been queued and say nothing about its throughput. */
const IMMEDIATE_MS = 5;
/** After this time, the count of completed requests is halved. */
const HALF_LIFE_MS = 1000;

export interface AdmissionGauges {
  readonly limits: CurrentLimits;
  /**
   * Returns the number of requests in progress that need no connection now: they wait for a stream permit before they
   * request one, or are answered with events. Called only if there are more requests than connections.
   */
  readonly countPermitWaiters: () => number;
  /** Milliseconds of a monotonic clock; defaults to that of the process. */
  readonly clock?: () => number;
}

/** Counts the requests in progress that wait for their client in the middle of a body. */
export type ClientWaits = Pick<Admission, 'beginClientWait' | 'endClientWait'>;

export class Admission {
  readonly #gauges: AdmissionGauges;
  readonly #clock: () => number;
  #inFlight = 0;
  /** Requests among them that wait for their client in the middle of a body. */
  #clientWaits = 0;
  #queuedSince: number | undefined;
  #completed = 0;

  constructor(gauges: AdmissionGauges) {
    this.#gauges = gauges;
    this.#clock = gauges.clock ?? (() => performance.now());
  }

  check(): OverloadLimit | undefined {
    const inFlight = this.#watchQueue();
    const { config } = this.#gauges.limits;
    if (this.#queuedSince === undefined && inFlight < config.serverMaxRequests) return undefined;
    const queuedForMs = this.#queuedSince === undefined ? undefined : this.#clock() - this.#queuedSince;
    return findExceededLimit({ inFlight, queuedForMs, completed: this.#completed }, config);
  }

  /** Runs the work and counts it as in flight until it ends. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const start = this.enter();
    try {
      return await work();
    } finally {
      this.leave(start);
    }
  }

  /** Counts a request as in flight. @returns the start time for `leave`, or 0 if it is not needed */
  enter(): number {
    this.#inFlight += 1;
    const start = this.#queuedSince === undefined ? 0 : this.#clock();
    if (this.#inFlight > this.#gauges.limits.config.dbPool) this.#watchQueue();
    return start;
  }

  /** Call when the request has been answered. */
  leave(start: number): void {
    this.#inFlight -= 1;
    if (this.#queuedSince === undefined) return;
    this.#watchQueue();
    if (this.#queuedSince !== undefined) this.#noteCompleted(start, this.#queuedSince);
  }

  /** Call when a request in flight starts to wait for its client and so needs no connection. */
  beginClientWait(): void {
    this.#clientWaits += 1;
  }

  /** Call when that request continues, and before it ends. */
  endClientWait(): void {
    this.#clientWaits -= 1;
    this.#watchQueue();
  }

  #noteCompleted(start: number, queuedSince: number): void {
    const now = this.#clock();
    if (now - start >= IMMEDIATE_MS) this.#completed += 1;
    if (now - queuedSince < 2 * HALF_LIFE_MS) return;
    this.#queuedSince = now - HALF_LIFE_MS;
    this.#completed /= 2;
  }

  /** Detects when a queue starts and ends. @returns the number of requests that hold or need a connection */
  #watchQueue(): number {
    const { limits, countPermitWaiters } = this.#gauges;
    const { dbPool, serverMaxRequests } = limits.config;
    let demand = this.#inFlight - this.#clientWaits;
    if (demand > dbPool || demand >= serverMaxRequests) demand -= countPermitWaiters();
    if (demand > dbPool) {
      this.#queuedSince ??= this.#clock();
    } else if (this.#queuedSince !== undefined) {
      this.#queuedSince = undefined;
      this.#completed = 0;
    }
    return demand;
  }
}
