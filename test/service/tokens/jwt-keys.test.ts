import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyJwt } from '../../../src/auth/verify-jwt.ts';
import { loadVerificationKeys } from '../../../src/service/tokens/jwt-keys.ts';
import {
  base64url,
  ecKey,
  edKey,
  keysOf,
  octJwk,
  partsOf,
  publicJwk,
  rsaKey,
  signToken,
} from '../../auth/sign-token.ts';

const LONG_SECRET = 'a-secret-of-at-least-thirty-two-bytes'.repeat(2);
const rsa = rsaKey();
const ec256 = ecKey('P-256');
const ed25519 = edKey('Ed25519');
const ed448 = edKey('Ed448');

/** Returns whether a key in `secret` verifies the token, or why not. */
function outcome(text: string, secret: object): boolean | string | undefined {
  const result = verifyJwt(text, keysOf(secret));
  if (result.ok) return true;
  return result.error.kind === 'tokenInvalid' ? result.error.details : result.error.kind;
}

const cases: readonly (readonly [algorithm: string, name: string, key: KeyObject | string, jwk: object])[] = [
  ['HS256', 'oct', LONG_SECRET, octJwk(LONG_SECRET)],
  ['HS384', 'oct', LONG_SECRET, octJwk(LONG_SECRET)],
  ['HS512', 'oct', LONG_SECRET, octJwk(LONG_SECRET)],
  ['RS256', 'RSA', rsa, publicJwk(rsa)],
  ['RS384', 'RSA', rsa, publicJwk(rsa)],
  ['RS512', 'RSA', rsa, publicJwk(rsa)],
  ...(
    [
      ['ES256', ec256],
      ['ES384', ecKey('P-384')],
      ['ES512', ecKey('P-521')],
    ] as const
  ).map(([algorithm, key]) => [algorithm, 'EC', key, publicJwk(key)] as const),
  ...(['EdDSA', 'Ed25519'] as const).map((name) => [name, 'Ed25519', ed25519, publicJwk(ed25519)] as const),
  ...(['EdDSA', 'Ed448'] as const).map((name) => [name, 'Ed448', ed448, publicJwk(ed448)] as const),
];

describe.each(cases)('O75 O76 O77 %s with a key of type %s', (algorithm, _name, key, jwk) => {
  const text = signToken({ alg: algorithm }, { role: 'clerk' }, key);

  it('verifies a token, alone and in a set', () => {
    expect(outcome(text, jwk)).toBe(true);
    expect(outcome(text, { keys: [octJwk('another-secret-of-at-least-thirty-two-bytes'), jwk] })).toBe(true);
    expect(outcome(text, { ...jwk, alg: algorithm, key_ops: ['sign'], use: 'sig' })).toBe(true);
  });

  it('rejects other claims and other signatures', () => {
    const [header, payload, signature] = partsOf(text);
    const none = 'None of the keys was able to decode the JWT';
    expect(outcome(`${header}.${base64url({ role: 'other' })}.${signature}`, jwk)).toBe(none);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(outcome(`${header}.${payload}.${Buffer.from(bytes).toString('base64url')}`, jwk)).toBe(none);
      }),
      { numRuns: 20 },
    );
  });
});

it('O75 uses the public part of a private JWK', () => {
  const text = signToken({ alg: 'RS256' }, {}, rsa);
  expect(outcome(text, rsa.export({ format: 'jwk' }))).toBe(true);
  const edToken = signToken({ alg: 'EdDSA' }, {}, ed25519);
  expect(outcome(edToken, ed25519.export({ format: 'jwk' }))).toBe(true);
});

it('O76 takes EdDSA and the name of the curve for the same algorithm, but no other curve', () => {
  const jwk = publicJwk(ed25519);
  const tokens = ['EdDSA', 'Ed25519'].map((alg) => signToken({ alg }, {}, ed25519));
  for (const text of tokens) for (const alg of ['EdDSA', 'Ed25519']) expect(outcome(text, { ...jwk, alg })).toBe(true);
  expect(outcome(signToken({ alg: 'Ed448' }, {}, ed25519), jwk)).toBe('No suitable key was found to decode the JWT');
  expect(outcome(signToken({ alg: 'Ed25519' }, {}, ed448), publicJwk(ed448))).toBe(
    'No suitable key was found to decode the JWT',
  );
});

it('never uses a public key as a secret', () => {
  const jwk = publicJwk(rsa);
  for (const secret of [jwk.n ?? '', JSON.stringify(jwk), Buffer.from(jwk.n ?? '', 'base64url').toString('latin1')]) {
    const forged = signToken({ alg: 'HS256' }, {}, secret);
    expect(outcome(forged, jwk)).toBe('No suitable key was found to decode the JWT');
  }
});

it('rejects an ECDSA signature in ASN.1 form', () => {
  const input = `${base64url({ alg: 'ES256' })}.${base64url({})}`;
  const signature = sign(
    'sha256',
    Buffer.from(input),
    createPrivateKey(ec256.export({ format: 'pem', type: 'pkcs8' })),
  );
  expect(outcome(`${input}.${signature.toString('base64url')}`, publicJwk(ec256))).toBe(
    'None of the keys was able to decode the JWT',
  );
});

it('rejects a key whose point is not on its curve', () => {
  const jwk = publicJwk(ec256);
  const error = 'The numbers of a JSON Web Key in the JWT secret do not form a key of its type.';
  for (const secret of [{ ...jwk, y: jwk.x }, { keys: [{ ...jwk, y: jwk.x }, jwk] }])
    expect(loadVerificationKeys(Buffer.from(JSON.stringify(secret)))).toEqual({ ok: false, error });
});
