// A worker's side of the quotas that the primary process keeps for all workers.
import type { Quota, RateGrant } from '../contract/rate-limit.ts';

/** Without the primary, only requests in flight remain. */
const GRANTED: RateGrant = { isGranted: true, remaining: 0, seconds: 1 };

export class RemoteQuotas {
  readonly #ask: (id: number, quota: Quota) => void;
  readonly #pending: Map<number, (grant: RateGrant) => void> = new Map();
  #lastId = 0;
  #isAbandoned = false;

  /** @param ask sends a question, whose answer is passed to `settle` */
  constructor(ask: (id: number, quota: Quota) => void) {
    this.#ask = ask;
  }

  readonly take = (quota: Quota): Promise<RateGrant> => {
    if (this.#isAbandoned) return Promise.resolve(GRANTED);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#ask(id, quota);
    });
  };

  settle(id: number, grant: RateGrant): void {
    this.#pending.get(id)?.(grant);
    this.#pending.delete(id);
  }

  /** Call when the primary is gone. */
  abandon(): void {
    this.#isAbandoned = true;
    for (const resolve of this.#pending.values()) resolve(GRANTED);
    this.#pending.clear();
  }
}
