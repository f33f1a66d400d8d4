// Provides `verifyToken` for `auth/authenticate.ts`: keeps keys and cache across configuration reloads (`operating.md`
// §3.7). Keys come from `jwt-secret`, from the issuer (`beyond.md` §3.3), or from both.
import { discoveryUri } from '../../auth/issuer-documents.ts';
import { isPublicKeyAlgorithm } from '../../auth/jwk.ts';
import type { VerificationKey } from '../../auth/keys.ts';
import { findSigningKey, selectKeys, type SigningKey, type VerifiedToken, verifyJwt } from '../../auth/verify-jwt.ts';
import { type JwtCachePolicy, resolveJwtCachePolicy } from '../../config/resolve/jwt-cache-policy.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { IssuerKeys } from './issuer/issuer-keys.ts';
import { type KeySource, loadIssuerKeys } from './issuer/load-issuer-keys.ts';
import { JwtCache, type JwtCacheCounters, type JwtCacheEvent } from './jwt-cache.ts';
import type { Observe } from '../../observe/observation.ts';
import { loadVerificationKeys } from './jwt-keys.ts';

export type JwtSettings = Pick<
  AppConfig,
  'jwtSecret' | 'jwtIssuer' | 'jwtJwksUri' | 'jwtCacheMaxEntries' | 'jwtCacheMaxEntriesIsSet' | 'jwtCacheMaxLifetime'
>;

export interface JwtVerifierOptions {
  /** Seconds since the epoch; may be fractional. */
  readonly now: () => number;
  readonly onCacheEvent: (event: JwtCacheEvent) => void;
  /** Whether this process verifies tokens, and therefore loads the keys of the issuer. */
  readonly loadsIssuerKeys: boolean;
  readonly observe: Observe;
}

/** Lives as long as the process; call `apply` with the initial and every later configuration. */
export class JwtVerifier {
  readonly #options: JwtVerifierOptions;
  readonly #cache: JwtCache;
  #secret: Uint8Array | undefined;
  /** The keys of the secret. */
  #ownKeys: readonly VerificationKey[] | undefined;
  #issuer: IssuerKeys | undefined;
  #source: KeySource | undefined;
  /** All keys; undefined if neither a secret nor an issuer is configured. */
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
    this.#follow(findKeySource(settings));
    this.#joinKeys();
  }

  /** Whether keys come from an issuer. */
  get hasIssuer(): boolean {
    return this.#issuer !== undefined;
  }

  /**
   * Resolves when keys of the issuer that the token may need are loaded; undefined if nothing needs to be awaited, as for
   * every token that a key of the secret verifies.
   */
  awaitKeys(token: string | undefined): Promise<void> | undefined {
    if (this.#issuer === undefined) return undefined;
    if (token === undefined || this.#cache.has(token)) return undefined;
    const signingKey = findIssuerKey(token);
    if (signingKey === undefined) return undefined;
    const ownKeys = selectKeys(signingKey, this.#ownKeys ?? []);
    // A key id names one key, so only without one does the signature show whose key it is.
    if (ownKeys.length > 0 && signingKey.kid !== undefined) return undefined;
    const loading = this.#issuer.awaitKey(signingKey);
    return loading !== undefined && ownKeys.length > 0 && verifyJwt(token, ownKeys).ok ? undefined : loading;
  }

  /** Ends the loading of keys. */
  close(): void {
    this.#issuer?.stop();
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
    const issuer = this.#issuer;
    if (verified.ok || issuer === undefined || issuer.keys !== undefined) return verified;
    const { error } = verified;
    const isUnverified = error.kind === 'tokenInvalid' && (error.isKeyMissing ?? error.isSignatureWrong ?? false);
    return isUnverified && findIssuerKey(token) !== undefined
      ? fail({ kind: 'issuerKeysMissing', retryAfter: issuer.retryAfter })
      : verified;
  }

  #follow(source: KeySource | undefined): void {
    if (JSON.stringify(source) === JSON.stringify(this.#source)) return;
    this.#issuer?.stop();
    this.#source = source;
    this.#issuer = source && this.#options.loadsIssuerKeys ? this.#createIssuer(source) : undefined;
    this.#cache.clear();
  }

  #createIssuer(source: KeySource): IssuerKeys {
    const { observe } = this.#options;
    return new IssuerKeys({
      load: (stop) => loadIssuerKeys(source, stop),
      onLoaded: (count) => {
        // A key that was withdrawn no longer verifies any token.
        this.#cache.clear();
        this.#joinKeys();
        observe({ kind: 'issuerKeysLoaded', count });
      },
      onFailed: (reason, seconds) => observe({ kind: 'issuerKeysFailed', reason, seconds }),
    });
  }

  #joinKeys(): void {
    const isConfigured = this.#ownKeys !== undefined || this.#source !== undefined;
    this.#keys = isConfigured ? [...(this.#ownKeys ?? []), ...(this.#issuer?.keys ?? [])] : undefined;
  }
}

/** An issuer publishes public keys only, because what is published cannot be secret. */
function findIssuerKey(token: string): SigningKey | undefined {
  const signingKey = findSigningKey(token);
  return signingKey !== undefined && isPublicKeyAlgorithm(signingKey.algorithm) ? signingKey : undefined;
}

/** An issuer is asked for its keys only if the configuration contains none. */
function findKeySource({ jwtSecret, jwtIssuer, jwtJwksUri }: JwtSettings): KeySource | undefined {
  if (jwtJwksUri !== undefined) return { kind: 'keySet', uri: jwtJwksUri };
  const isDiscovered = jwtSecret === undefined && jwtIssuer !== undefined && discoveryUri(jwtIssuer) !== undefined;
  return isDiscovered ? { kind: 'discovery', issuer: jwtIssuer } : undefined;
}

function loadKeys(secret: Uint8Array): readonly VerificationKey[] {
  const keys = loadVerificationKeys(secret);
  if (!keys.ok) throw new Error(keys.error);
  return keys.value;
}

function areSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}
