// Provides `verifyToken` for `auth/authenticate.ts`: keeps keys and cache across configuration reloads (`operating.md`
// §3.7).
import type { VerificationKey } from '../../auth/keys.ts';
import { type VerifiedToken, verifyJwt } from '../../auth/verify-jwt.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import type { Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { JwtCache, type JwtCacheCounters, type JwtCacheEvent, type JwtCacheLimits } from './jwt-cache.ts';
import { loadVerificationKeys } from './jwt-keys.ts';

export type JwtSettings = Pick<
  AppConfig,
  'jwtSecret' | 'jwtCacheMaxEntries' | 'jwtCacheMaxEntriesIsSet' | 'jwtCacheMaxLifetime'
>;

export interface JwtVerifierOptions {
  /** Seconds since the epoch; may be fractional. */
  readonly now: () => number;
  readonly onCacheEvent: (event: JwtCacheEvent) => void;
}

/** Lives as long as the process; call `apply` with the initial and every later configuration. */
export class JwtVerifier {
  readonly #now: () => number;
  readonly #cache: JwtCache;
  #secret: Uint8Array | undefined;
  #keys: readonly VerificationKey[] | undefined;
  #limits: JwtCacheLimits | undefined;

  constructor(options: JwtVerifierOptions) {
    this.#now = options.now;
    this.#cache = new JwtCache(options.onCacheEvent);
  }

  /** Never reset, not even while the cache is disabled. */
  get cacheCounters(): JwtCacheCounters {
    return this.#cache.counters;
  }

  /** Throws if `checkSecret` rejects the secret, which cannot happen for a valid configuration. */
  apply(settings: JwtSettings): void {
    const isSameSecret = areSameBytes(this.#secret, settings.jwtSecret);
    this.#limits = cacheLimits(settings);
    if (!isSameSecret || this.#limits === undefined) this.#cache.clear();
    if (!isSameSecret) this.#keys = settings.jwtSecret && loadKeys(settings.jwtSecret);
    this.#secret = settings.jwtSecret;
  }

  /** Caches only verified tokens; an empty token does not count as a lookup. */
  readonly verifyToken = (token: string): Result<VerifiedToken, ApiError> => {
    if (this.#limits === undefined || this.#keys === undefined || token === '') return verifyJwt(token, this.#keys);
    const now = this.#now();
    const cached = this.#cache.get(token, now);
    if (cached !== undefined) return { ok: true, value: cached };
    const verified = verifyJwt(token, this.#keys);
    if (verified.ok) this.#cache.add(token, verified.value, { now, limits: this.#limits });
    return verified;
  };
}

/** Returns `undefined` if the cache is disabled. It is enabled if either option is set and neither is 0. */
export function cacheLimits(settings: JwtSettings): JwtCacheLimits | undefined {
  const { jwtCacheMaxEntries: maxEntries, jwtCacheMaxLifetime: maxLifetime } = settings;
  const isRequested = settings.jwtCacheMaxEntriesIsSet || maxLifetime !== undefined;
  const isOff = maxEntries <= 0 || (maxLifetime !== undefined && maxLifetime <= 0);
  return isRequested && !isOff ? { maxEntries, maxLifetime } : undefined;
}

function loadKeys(secret: Uint8Array): readonly VerificationKey[] {
  const keys = loadVerificationKeys(secret);
  if (!keys.ok) throw new Error(keys.error);
  return keys.value;
}

function areSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}
