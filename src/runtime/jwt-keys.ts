// Key descriptions of `auth/keys.ts` → keys that verify signatures. All cryptography is `node:crypto`'s.
import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import type { KeyDescription, PublicJwk, SignatureAlgorithm, VerificationKey } from '../auth/keys.ts';

/** Keys whose numbers make no key (a point off its curve) are left out: tokens of theirs find no suitable key. */
export function loadVerificationKeys(descriptions: readonly KeyDescription[]): readonly VerificationKey[] {
  return descriptions.flatMap((description) => {
    const { kid, algorithms } = description;
    const verifier = description.kind === 'secret' ? hmacVerifier(description.bytes) : publicVerifier(description.jwk);
    return verifier === undefined ? [] : [{ kid, algorithms, verify: verifier }];
  });
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
