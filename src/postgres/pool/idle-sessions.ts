// The idle sessions of a pool, last in, first out. Passes sessions that are idle too long or too old to `onExpired`.
// One timer serves all of them.
import type { Session } from '../session/session.ts';

export interface PooledSession {
  readonly session: Session;
  readonly connection: number;
  /** Generation of the pool; sessions opened by `renew` belong to the next one. */
  readonly generation: number;
  /** Timestamp from `performance.now()`. */
  readonly openedAt: number;
  idleSince: number;
}

export interface IdleLimits {
  readonly maxIdleTimeMs: number;
  readonly maxLifetimeMs: number;
}

export type ExpiryReason = 'max lifetime' | 'max idletime';

const MAX_TIMER_MS = 2 ** 31 - 1;

export class IdleSessions {
  readonly #limits: IdleLimits;
  readonly #onExpired: (pooled: PooledSession, reason: ExpiryReason) => void;
  #sessions: PooledSession[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: IdleLimits, onExpired: (pooled: PooledSession, reason: ExpiryReason) => void) {
    this.#limits = limits;
    this.#onExpired = onExpired;
  }

  get count(): number {
    return this.#sessions.length;
  }

  isTooOld(pooled: PooledSession): boolean {
    return performance.now() - pooled.openedAt >= this.#limits.maxLifetimeMs;
  }

  put(pooled: PooledSession): void {
    pooled.idleSince = performance.now();
    this.#sessions.push(pooled);
    if (this.#timer === undefined) this.#schedule();
  }

  /** Returns a session within its limits. */
  take(): PooledSession | undefined {
    for (;;) {
      const pooled = this.#sessions.pop();
      if (pooled === undefined || !this.isTooOld(pooled)) return pooled;
      this.#onExpired(pooled, 'max lifetime');
    }
  }

  /** Returns `false` if the session was not idle. */
  remove(pooled: PooledSession): boolean {
    const index = this.#sessions.indexOf(pooled);
    if (index >= 0) this.#sessions.splice(index, 1);
    return index >= 0;
  }

  /** Returns the session of this generation that has been idle longest. */
  takeOfGeneration(generation: number): PooledSession | undefined {
    const pooled = this.#sessions.find((one) => one.generation === generation);
    if (pooled !== undefined) this.remove(pooled);
    return pooled;
  }

  takeAll(): readonly PooledSession[] {
    const all = this.#sessions;
    this.#sessions = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return all;
  }

  #schedule(): void {
    const due = Math.min(...this.#sessions.map((pooled) => this.#expiry(pooled).at));
    if (due === Infinity) return;
    const delay = Math.min(Math.max(0, Math.ceil(due - performance.now())), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#sweep(), delay);
    this.#timer.unref();
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = performance.now();
    const expired = this.#sessions.filter((pooled) => this.#expiry(pooled).at <= now);
    this.#sessions = this.#sessions.filter((pooled) => !expired.includes(pooled));
    for (const pooled of expired) this.#onExpired(pooled, this.#expiry(pooled).reason);
    this.#schedule();
  }

  #expiry(pooled: PooledSession): { readonly at: number; readonly reason: ExpiryReason } {
    const lifetimeEnd = pooled.openedAt + this.#limits.maxLifetimeMs;
    const idleEnd = pooled.idleSince + this.#limits.maxIdleTimeMs;
    return lifetimeEnd <= idleEnd
      ? { at: lifetimeEnd, reason: 'max lifetime' }
      : { at: idleEnd, reason: 'max idletime' };
  }
}
