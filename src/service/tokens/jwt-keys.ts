// Loads verification keys from the bytes of `jwt-secret`. All cryptography comes from `node:crypto`.
import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import type { KeyDescription, PublicJwk, SignatureAlgorithm } from '../../auth/jwk.ts';
import { parseKeys, type VerificationKey } from '../../auth/keys.ts';
import { fail, ok, type Result } from '../../contract/result.ts';

/** Loads all keys. Errors: those of `parseKeys`, and numbers that do not form a valid key. */
export function loadVerificationKeys(secret: Uint8Array): Result<readonly VerificationKey[], string> {
  const descriptions = parseKeys(secret);
  if (!descriptions.ok) return descriptions;
  const keys: VerificationKey[] = [];
  for (const description of descriptions.value) {
    const key = importDescribedKey(description);
    if (key === undefined)
      return fail('The numbers of a JSON Web Key in the JWT secret do not form a key of its type.');
    keys.push(key);
  }
  return ok(keys);
}

/** @returns undefined if the numbers do not form a key of its type, for example a point that is not on its curve */
export function importDescribedKey(description: KeyDescription): VerificationKey | undefined {
  const { kid, algorithms } = description;
  const verifier = description.kind === 'secret' ? hmacVerifier(description.bytes) : publicVerifier(description.jwk);
  return verifier && { kid, algorithms, verify: verifier };
}

function hmacVerifier(bytes: Uint8Array): VerificationKey['verify'] {
  const key = createSecretKey(bytes);
  return (algorithm, data, signature) => {
    const expected = createHmac(hashOf(algorithm), key).update(data, 'latin1').digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  };
}

function publicVerifier(jwk: PublicJwk): VerificationKey['verify'] | undefined {
  const key = importPublicKey({ ...jwk });
  if (key === undefined) return undefined;
  // RFC 7518 §3.4: an ECDSA signature is R and S concatenated, not ASN.1. Other key types ignore the option.
  const input = { key, dsaEncoding: 'ieee-p1363' } as const;
  return (algorithm, data, signature) => {
    // Ed25519 and Ed448 define their own hash.
    const hash = jwk.kty === 'OKP' ? null : hashOf(algorithm);
    return verify(hash, Buffer.from(data, 'latin1'), input, signature);
  };
}

/** `RS256` → `sha256`. */
function hashOf(algorithm: SignatureAlgorithm): string {
  return `sha${algorithm.slice(2)}`;
}

function importPublicKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ format: 'jwk', key: jwk });
  } catch {
    return undefined;
  }
}
