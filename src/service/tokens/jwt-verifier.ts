// Provides `verifyToken` for `auth/authenticate.ts`: keeps keys and cache across configuration reloads (`operating.md`
// §3.7). Keys come from `jwt-secret`, from an extension, or from both.
import { isPublicKeyAlgorithm } from '../../auth/jwk.ts';
import type { VerificationKey } from '../../auth/keys.ts';
import { findSigningKey, selectKeys, type SigningKey, type VerifiedToken, verifyJwt } from '../../auth/verify-jwt.ts';
import { type JwtCachePolicy, resolveJwtCachePolicy } from '../../config/resolve/jwt-cache-policy.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { JwtCache, type JwtCacheCounters, type JwtCacheEvent } from './jwt-cache.ts';
import type { KeyProvider } from '../../serve/extension.ts';
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
  readonly #options: JwtVerifierOptions;
  readonly #cache: JwtCache;
  #secret: Uint8Array | undefined;
  /** The keys of the secret. */
  #ownKeys: readonly VerificationKey[] | undefined;
  #provider: KeyProvider | undefined;
  /** All keys; undefined if neither a secret nor a provider is configured. */
  #keys: readonly VerificationKey[] | undefined;
  #limits: JwtCachePolicy | undefined;

  constructor(options: JwtVerifierOptions) {
    this.#options = options;
    this.#cache = new JwtCache(options.onCacheEvent);
  }

  /** Never reset, not even while the cache is disabled. */
  get cacheCounters(): JwtCacheCounters {
    return this.#cache.counters;
  }

  /** Throws if `checkSecret` rejects the secret, which cannot happen for a valid configuration. */
  apply(settings: JwtSettings): void {
    const isSameSecret = areSameBytes(this.#secret, settings.jwtSecret);
    this.#limits = resolveJwtCachePolicy(settings);
    if (!isSameSecret || this.#limits === undefined) this.#cache.clear();
    if (!isSameSecret) this.#ownKeys = settings.jwtSecret && loadKeys(settings.jwtSecret);
    this.#secret = settings.jwtSecret;
    this.#joinKeys();
  }

  /** Adds the keys of a provider to those of the secret. */
  useProvider(provider: KeyProvider | undefined): void {
    if (provider === this.#provider) return;
    this.#provider = provider;
    this.replaceKeys();
  }

  /** Call when the provider has other keys. */
  replaceKeys(): void {
    // A key that was withdrawn no longer verifies any token.
    this.#cache.clear();
    this.#joinKeys();
  }

  get hasProvider(): boolean {
    return this.#provider !== undefined;
  }

  /**
   * Resolves when keys of the provider that the token may need are loaded; undefined if nothing needs to be awaited, as for
   * every token that a key of the secret verifies.
   */
  awaitKeys(token: string | undefined): Promise<void> | undefined {
    if (this.#provider === undefined) return undefined;
    if (token === undefined || this.#cache.has(token)) return undefined;
    const signingKey = findPublicKey(token);
    if (signingKey === undefined) return undefined;
    const ownKeys = selectKeys(signingKey, this.#ownKeys ?? []);
    // A key id names one key, so only without one does the signature show whose key it is.
    if (ownKeys.length > 0 && signingKey.kid !== undefined) return undefined;
    const loading = this.#provider.awaitKey(signingKey);
    return loading !== undefined && ownKeys.length > 0 && verifyJwt(token, ownKeys).ok ? undefined : loading;
  }

  /** Caches only verified tokens; an empty token does not count as a lookup. */
  readonly verifyToken = (token: string): Result<VerifiedToken, ApiError> => {
    if (this.#limits === undefined || this.#keys === undefined || token === '') return this.#verify(token);
    const now = this.#options.now();
    const cached = this.#cache.get(token, now);
    if (cached !== undefined) return { ok: true, value: cached };
    const verified = this.#verify(token);
    if (verified.ok) this.#cache.add(token, verified.value, { now, limits: this.#limits });
    return verified;
  };

  #verify(token: string): Result<VerifiedToken, ApiError> {
    const verified = verifyJwt(token, this.#keys);
    const provider = this.#provider;
    if (verified.ok || provider === undefined || provider.keys !== undefined) return verified;
    const { error } = verified;
    const isUnverified = error.kind === 'tokenInvalid' && (error.isKeyMissing ?? error.isSignatureWrong ?? false);
    return isUnverified && findPublicKey(token) !== undefined
      ? fail({ kind: 'issuerKeysMissing', retryAfter: provider.retryAfter })
      : verified;
  }

  #joinKeys(): void {
    const isConfigured = this.#ownKeys !== undefined || this.#provider !== undefined;
    this.#keys = isConfigured ? [...(this.#ownKeys ?? []), ...(this.#provider?.keys ?? [])] : undefined;
  }
}

/** A provider has public keys only, because what is published cannot be secret. */
function findPublicKey(token: string): SigningKey | undefined {
  const signingKey = findSigningKey(token);
  return signingKey !== undefined && isPublicKeyAlgorithm(signingKey.algorithm) ? signingKey : undefined;
}

function loadKeys(secret: Uint8Array): readonly VerificationKey[] {
  const keys = loadVerificationKeys(secret);
  if (!keys.ok) throw new Error(keys.error);
  return keys.value;
}

function areSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}
