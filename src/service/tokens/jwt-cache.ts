// Caches the claims of verified tokens, so that each signature is verified once and not for every request. Evicts with
// the SIEVE policy and expires entries (`operating.md` §3.7). Does not decide whether claims are still valid.
import { CLOCK_SKEW } from '../../auth/claims.ts';
import type { VerifiedToken } from '../../auth/verify-jwt.ts';
import type { JwtCachePolicy } from '../../config/resolve/jwt-cache-policy.ts';

export interface JwtCacheCounters {
  readonly requests: number;
  readonly hits: number;
  readonly evictions: number;
}

/** Cache events for the debug log. */
export type JwtCacheEvent = 'lookup' | 'eviction';

interface Entry {
  readonly token: string;
  readonly verified: VerifiedToken;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  isVisited: boolean;
}

export class JwtCache {
  readonly #entries = new Map<string, Entry>();
  readonly #onEvent: (event: JwtCacheEvent) => void;
  readonly #counters = { requests: 0, hits: 0, evictions: 0 };
  // A map iterates in insertion order, skips removed entries and includes added ones, exactly like the SIEVE hand.
  #walk: Iterator<Entry, undefined> = this.#entries.values();
  #hand: Entry | undefined;

  constructor(onEvent: (event: JwtCacheEvent) => void) {
    this.#onEvent = onEvent;
  }

  get counters(): JwtCacheCounters {
    return this.#counters;
  }

  /** Whether `get` would probably return claims. Counts no lookup. */
  has(token: string): boolean {
    return this.#entries.has(token);
  }

  /** Returns cached claims; `now` is in seconds since the epoch. An expired entry is removed and counts as a miss. */
  get(token: string, now: number): VerifiedToken | undefined {
    this.#counters.requests += 1;
    this.#onEvent('lookup');
    const entry = this.#entries.get(token);
    if (entry === undefined) return undefined;
    if (now >= entry.expiresAt) {
      this.#remove(entry);
      return undefined;
    }
    this.#counters.hits += 1;
    entry.isVisited = true;
    return entry.verified;
  }

  /** Adds a token that `get` has just missed. Limits may change between calls; a smaller limit takes effect here. */
  add(token: string, verified: VerifiedToken, { now, limits }: { now: number; limits: JwtCachePolicy }): void {
    while (this.#entries.size >= limits.maxEntries) this.#evict();
    const { exp } = verified.claims;
    const expiresAt =
      typeof exp === 'number' ? Math.floor(exp) + CLOCK_SKEW : now + (limits.maxLifetime ?? Number.POSITIVE_INFINITY);
    this.#entries.set(token, { token, verified, expiresAt, isVisited: false });
  }

  clear(): void {
    this.#entries.clear();
    this.#walk = this.#entries.values();
    this.#hand = undefined;
  }

  #evict(): void {
    this.#hand ??= this.#next();
    while (this.#hand?.isVisited === true) {
      this.#hand.isVisited = false;
      this.#hand = this.#next();
    }
    if (this.#hand === undefined) throw new Error('evicting from an empty cache');
    this.#remove(this.#hand);
    this.#counters.evictions += 1;
    this.#onEvent('eviction');
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.token);
    if (this.#hand === entry) this.#hand = this.#next();
  }

  /**
   * Returns the entry after the last one returned, from the newest back to the oldest; undefined if the cache is empty.
   */
  #next(): Entry | undefined {
    const next = this.#walk.next();
    if (next.done !== true) return next.value;
    this.#walk = this.#entries.values();
    return this.#walk.next().value;
  }
}
