// Reads one JSON Web Key as a key pinned to the algorithms that its type allows (`operating.md` §3.2).
import { fail, ok, type Result } from '../contract/result.ts';
import { decodeBase64Url } from './base64url.ts';
import type { JsonObject } from '../util/json-object.ts';

const HMAC_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;
const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512'] as const;
const EC_ALGORITHMS = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const;
/** RFC 9864: the name of the curve says what `EdDSA` leaves to the key. Both names mean the same signature. */
const OKP_ALGORITHMS = { Ed25519: ['EdDSA', 'Ed25519'], Ed448: ['EdDSA', 'Ed448'] } as const;

/** Minimum length of any secret: RFC 7518 §3.2 requires at least the size of the HS256 output. */
export const MINIMUM_SECRET_BYTES = 32;
/** RFC 7518 §3.3. */
const MINIMUM_RSA_BITS = 2048;

export type SignatureAlgorithm =
  | (typeof HMAC_ALGORITHMS)[number]
  | (typeof RSA_ALGORITHMS)[number]
  | (typeof EC_ALGORITHMS)[keyof typeof EC_ALGORITHMS]
  | (typeof OKP_ALGORITHMS)[keyof typeof OKP_ALGORITHMS][number];

export const SIGNATURE_ALGORITHMS: ReadonlySet<string> = new Set<SignatureAlgorithm>([
  ...HMAC_ALGORITHMS,
  ...RSA_ALGORITHMS,
  ...Object.values(EC_ALGORITHMS),
  ...Object.values(OKP_ALGORITHMS).flat(),
]);

export function isPublicKeyAlgorithm(algorithm: SignatureAlgorithm | 'none'): boolean {
  return algorithm !== 'none' && !HMAC_ALGORITHMS.some((name) => name === algorithm);
}

export interface KeyRestrictions {
  readonly kid: string | undefined;
  /** Never empty; a token's header cannot choose any other algorithm. */
  readonly algorithms: readonly SignatureAlgorithm[];
}

/** The public part of an asymmetric JWK (RFC 7518 §6.2, §6.3, RFC 8037 §2). */
export type PublicJwk =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: keyof typeof EC_ALGORITHMS; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: keyof typeof OKP_ALGORITHMS; readonly x: string };

type KeyMaterial =
  | { readonly kind: 'secret'; readonly bytes: Uint8Array }
  | { readonly kind: 'public'; readonly jwk: PublicJwk };

export type KeyDescription = KeyMaterial & KeyRestrictions;
export type PublicKeyDescription = Extract<KeyMaterial, { kind: 'public' }> & KeyRestrictions;

/**
 * Returns `unsupported` for a key that cannot verify our signatures. The error completes a sentence that begins with
 * the key.
 */
export function readJwk(jwk: JsonObject): Result<KeyDescription | 'unsupported', string> {
  const algorithms = restrictAlgorithms(algorithmsOf(jwk), jwk);
  if (algorithms.length === 0 || jwk['use'] === 'enc') return ok('unsupported');
  const material = readKeyMaterial(jwk);
  if (!material.ok) return material;
  const kid = jwk['kid'];
  return ok({ ...material.value, kid: typeof kid === 'string' ? kid : undefined, algorithms });
}

function algorithmsOf(jwk: JsonObject): readonly SignatureAlgorithm[] {
  switch (jwk['kty']) {
    case 'oct':
      return HMAC_ALGORITHMS;
    case 'RSA':
      return RSA_ALGORITHMS;
    case 'EC':
      return hasCurve(jwk, EC_ALGORITHMS) ? [EC_ALGORITHMS[jwk.crv]] : [];
    case 'OKP':
      return hasCurve(jwk, OKP_ALGORITHMS) ? OKP_ALGORITHMS[jwk.crv] : [];
    default:
      return [];
  }
}

/** Returns the algorithm that the key names, under each of its names. */
function restrictAlgorithms(
  algorithms: readonly SignatureAlgorithm[],
  { kty, alg }: JsonObject,
): readonly SignatureAlgorithm[] {
  if (alg === undefined) return algorithms;
  const named = algorithms.filter((name) => name === alg);
  return kty === 'OKP' && named.length > 0 ? algorithms : named;
}

function readKeyMaterial(jwk: JsonObject): Result<KeyMaterial, string> {
  if (jwk['kty'] === 'oct') {
    const bytes = hasBinary(jwk, 'k') ? decodeBase64Url(jwk.k) : undefined;
    if (bytes === undefined) return fail('has no k in unpadded base64url');
    if (bytes.length < MINIMUM_SECRET_BYTES)
      return fail(`has a secret of ${bytes.length} bytes, at least ${MINIMUM_SECRET_BYTES} are needed`);
    return ok({ kind: 'secret', bytes });
  }
  const read = readPublicJwk(jwk);
  return read.ok ? ok({ kind: 'public', jwk: read.value }) : read;
}

function readPublicJwk(jwk: JsonObject): Result<PublicJwk, string> {
  const { kty } = jwk;
  if (kty === 'RSA' && hasBinary(jwk, 'n') && hasBinary(jwk, 'e')) {
    const bytes = decodeBase64Url(jwk.n) ?? new Uint8Array();
    const first = bytes.findIndex((byte) => byte !== 0);
    // Leading zeros do not count.
    const bits = first === -1 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
    if (bits < MINIMUM_RSA_BITS) return fail(`has a modulus of ${bits} bits, at least ${MINIMUM_RSA_BITS} are needed`);
    return ok({ kty, n: jwk.n, e: jwk.e });
  }
  if (kty === 'EC' && hasCurve(jwk, EC_ALGORITHMS) && hasBinary(jwk, 'x') && hasBinary(jwk, 'y'))
    return ok({ kty, crv: jwk.crv, x: jwk.x, y: jwk.y });
  if (kty === 'OKP' && hasCurve(jwk, OKP_ALGORITHMS) && hasBinary(jwk, 'x')) return ok({ kty, crv: jwk.crv, x: jwk.x });
  const needed = kty === 'RSA' ? 'n and e' : kty === 'EC' ? 'x and y' : 'x';
  return fail(`needs ${needed} in unpadded base64url`);
}

function hasBinary<K extends string>(jwk: JsonObject, member: K): jwk is JsonObject & Readonly<Record<K, string>> {
  const value = jwk[member];
  return typeof value === 'string' && value !== '' && decodeBase64Url(value) !== undefined;
}

function hasCurve<C extends object>(jwk: JsonObject, curves: C): jwk is JsonObject & { readonly crv: keyof C } {
  const curve = jwk['crv'];
  return typeof curve === 'string' && Object.hasOwn(curves, curve);
}
