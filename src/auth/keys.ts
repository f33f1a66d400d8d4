// Bytes of `jwt-secret` → the keys in it, each pinned to the algorithms its type allows (`operations.md` §3.2).
// Making them usable for verification is I/O-edge work: `runtime/jwt-keys.ts`.
import { assertNever, fail, ok, type Result } from '../contract/result.ts';
import { decodeBase64Url } from './base64url.ts';
import { decodeUtf8, isJsonObject, type JsonObject, parseJsonObject } from './json-object.ts';

const HMAC_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;
const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512'] as const;
const EC_ALGORITHMS = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const;
const OKP_CURVES = ['Ed25519', 'Ed448'] as const;
const MINIMUM_PASSPHRASE_BYTES = 32;

export type SignatureAlgorithm =
  | (typeof HMAC_ALGORITHMS)[number]
  | (typeof RSA_ALGORITHMS)[number]
  | (typeof EC_ALGORITHMS)[keyof typeof EC_ALGORITHMS]
  | 'EdDSA';

export const SIGNATURE_ALGORITHMS: ReadonlySet<string> = new Set<SignatureAlgorithm>([
  ...HMAC_ALGORITHMS,
  ...RSA_ALGORITHMS,
  ...Object.values(EC_ALGORITHMS),
  'EdDSA',
]);

interface KeyRestrictions {
  readonly kid: string | undefined;
  /** Never empty; the token's header cannot choose outside of them. */
  readonly algorithms: readonly SignatureAlgorithm[];
}

/** The public part of an asymmetric JWK (RFC 7518 §6.2, §6.3, RFC 8037 §2). */
export type PublicJwk =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: keyof typeof EC_ALGORITHMS; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: (typeof OKP_CURVES)[number]; readonly x: string };

type KeyMaterial =
  | { readonly kind: 'secret'; readonly bytes: Uint8Array }
  | { readonly kind: 'public'; readonly jwk: PublicJwk };

export type KeyDescription = KeyMaterial & KeyRestrictions;

/** A key ready for use. */
export interface VerificationKey extends KeyRestrictions {
  /** `data` is the token's ASCII signing input; `false` for any signature that does not fit. Never throws. */
  readonly verify: (algorithm: SignatureAlgorithm, data: string, signature: Uint8Array) => boolean;
}

/**
 * Reads a secret as JWK Set, else as one JWK, else as passphrase. Keys of a set that cannot be used are left out, so
 * that the result may be empty. The error is the text of a configuration error (`operations.md` §1.6).
 */
export function parseKeys(secret: Uint8Array): Result<readonly KeyDescription[], string> {
  const text = decodeUtf8(secret);
  const json = text === undefined ? undefined : parseJsonObject(text);
  if (json !== undefined) {
    const set = json['keys'];
    if (Array.isArray(set)) return ok(set.filter((key) => isJsonObject(key)).flatMap((key) => describeKey(key) ?? []));
    const keys = describeKey(json);
    if (keys !== undefined) return ok(keys);
  }
  if (secret.length < MINIMUM_PASSPHRASE_BYTES) return fail('The JWT secret must be at least 32 characters long.');
  return ok([{ kind: 'secret', bytes: secret, kid: undefined, algorithms: ['HS256'] }]);
}

/** The check for configuration alone: whether `parseKeys` would succeed. */
export function checkSecret(secret: Uint8Array): Result<void, string> {
  const keys = parseKeys(secret);
  return keys.ok ? ok(undefined) : keys;
}

/** `undefined` for an object that is no key; `[]` for a key that is not for signatures we can verify. */
function describeKey(jwk: JsonObject): readonly KeyDescription[] | undefined {
  const material = readKeyMaterial(jwk);
  if (material === undefined) return undefined;
  const algorithms = fittingAlgorithms(material).filter((name) => jwk['alg'] === undefined || jwk['alg'] === name);
  if (algorithms.length === 0 || jwk['use'] === 'enc') return [];
  const kid = jwk['kid'];
  return [{ ...material, kid: typeof kid === 'string' ? kid : undefined, algorithms }];
}

function readKeyMaterial(jwk: JsonObject): KeyMaterial | undefined {
  switch (jwk['kty']) {
    case 'oct': {
      const bytes = hasBinary(jwk, 'k') ? decodeBase64Url(jwk.k) : undefined;
      return bytes && { kind: 'secret', bytes };
    }
    case 'RSA':
      if (!hasBinary(jwk, 'n') || !hasBinary(jwk, 'e')) return undefined;
      return { kind: 'public', jwk: { kty: 'RSA', n: jwk.n, e: jwk.e } };
    case 'EC':
      if (!hasCurve(jwk, EC_ALGORITHMS) || !hasBinary(jwk, 'x') || !hasBinary(jwk, 'y')) return undefined;
      return { kind: 'public', jwk: { kty: 'EC', crv: jwk.crv, x: jwk.x, y: jwk.y } };
    case 'OKP': {
      const curve = OKP_CURVES.find((name) => name === jwk['crv']);
      if (curve === undefined || !hasBinary(jwk, 'x')) return undefined;
      return { kind: 'public', jwk: { kty: 'OKP', crv: curve, x: jwk.x } };
    }
    default:
      return undefined;
  }
}

function fittingAlgorithms(material: KeyMaterial): readonly SignatureAlgorithm[] {
  if (material.kind === 'secret') return HMAC_ALGORITHMS;
  switch (material.jwk.kty) {
    case 'RSA':
      return RSA_ALGORITHMS;
    case 'EC':
      return [EC_ALGORITHMS[material.jwk.crv]];
    case 'OKP':
      return ['EdDSA'];
    default:
      return assertNever(material.jwk);
  }
}

function hasBinary<K extends string>(jwk: JsonObject, member: K): jwk is JsonObject & Readonly<Record<K, string>> {
  const value = jwk[member];
  return typeof value === 'string' && value !== '' && decodeBase64Url(value) !== undefined;
}

function hasCurve<C extends object>(jwk: JsonObject, curves: C): jwk is JsonObject & { readonly crv: keyof C } {
  const curve = jwk['crv'];
  return typeof curve === 'string' && Object.hasOwn(curves, curve);
}
