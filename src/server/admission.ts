// How many requests are worked on → whether one more may come. Refusing costs little and is done before any work, so that
// what is accepted is answered in time, whatever the load.
import type { HttpLimits } from './limits.ts';

export interface Load {
  /** Requests that are worked on. */
  readonly inFlight: number;
  /** Milliseconds since when there are more of them than connections to the database; undefined: there are not. */
  readonly queuedFor: number | undefined;
  /** Answers in that time to requests that had to wait. */
  readonly completed: number;
}

export type OverloadLimit = 'server-max-requests' | 'server-max-wait';

/** Requests for each connection to the database, and in all, that may wait however slow their statements are. */
const PATIENCE_PER_CONNECTION = 10;
const LEAST_PATIENCE = 50;
/** Milliseconds that a queue must have been watched before its speed is known. */
const EVIDENCE = 100;

/** @returns the limit beyond which one more request would be */
export function judgeLoad(load: Load, limits: HttpLimits): OverloadLimit | undefined {
  const { inFlight, queuedFor, completed } = load;
  if (inFlight >= limits.serverMaxRequests) return 'server-max-requests';
  const patience = Math.max(LEAST_PATIENCE, limits.dbPool * PATIENCE_PER_CONNECTION);
  if (limits.serverMaxWait === 0 || inFlight < patience) return undefined;
  if (queuedFor === undefined || queuedFor < EVIDENCE) return undefined;
  // Little's law: who comes last is answered when as many answers have been given as requests are before it.
  const wait = (inFlight * queuedFor) / (completed + 1);
  return wait > limits.serverMaxWait * 1000 ? 'server-max-wait' : undefined;
}

/** Milliseconds: an answer given sooner, such as 404, has not been through the queue and says nothing of its speed. */
const AT_ONCE = 5;
/** Milliseconds after which what was observed counts half. */
const MEMORY = 1000;

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

  judge(): OverloadLimit | undefined {
    const queuedFor = this.#queuedSince === undefined ? undefined : this.#clock() - this.#queuedSince;
    return judgeLoad({ inFlight: this.#inFlight, queuedFor, completed: this.#completed }, this.#limits());
  }

  /** @returns the work's result; it counts as in flight until then */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const start = this.#enter();
    try {
      return await work();
    } finally {
      this.#leave(start);
    }
  }

  /** @returns when, where that is of interest */
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
    if (now - start >= AT_ONCE) this.#completed += 1;
    if (now - this.#queuedSince < 2 * MEMORY) return;
    this.#queuedSince = now - MEMORY;
    this.#completed /= 2;
  }
}
