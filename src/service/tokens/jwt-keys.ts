// Bytes of `jwt-secret` → keys that verify signatures. All cryptography is `node:crypto`'s.
import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import type { PublicJwk, SignatureAlgorithm } from '../../auth/jwk.ts';
import { parseKeys, type VerificationKey } from '../../auth/keys.ts';
import { fail, ok, type Result } from '../../contract/result.ts';

/** The errors are those of `parseKeys`, and one for numbers that make no key. */
export function loadVerificationKeys(secret: Uint8Array): Result<readonly VerificationKey[], string> {
  const descriptions = parseKeys(secret);
  if (!descriptions.ok) return descriptions;
  const keys: VerificationKey[] = [];
  for (const description of descriptions.value) {
    const { kid, algorithms } = description;
    const verifier = description.kind === 'secret' ? hmacVerifier(description.bytes) : publicVerifier(description.jwk);
    // A point off its curve, say.
    if (verifier === undefined) return fail('The numbers of a JSON Web Key in the JWT secret make no key of its type.');
    keys.push({ kid, algorithms, verify: verifier });
  }
  return ok(keys);
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
  // RFC 7518 §3.4: an ECDSA signature is R and S side by side, not their ASN.1 form. Ignored by other key types.
  const input = { key, dsaEncoding: 'ieee-p1363' } as const;
  return (algorithm, data, signature) => {
    // Ed25519 and Ed448 bring their own hash.
    const hash = algorithm === 'EdDSA' ? null : hashOf(algorithm);
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
