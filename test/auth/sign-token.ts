// Creates tokens for tests with any header and payload, signed with any kind of key.
import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import type { VerificationKey } from '../../src/auth/keys.ts';
import { loadVerificationKeys } from '../../src/service/tokens/jwt-keys.ts';

export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

export function base64url(value: string | object): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** Signs with the algorithm in the header; `payload` is JSON text or a value to render as JSON. */
export function signToken(
  header: { alg: string; [name: string]: unknown },
  payload: string | object,
  key: KeyObject | string,
): string {
  const input = `${base64url(header)}.${base64url(payload)}`;
  return `${input}.${signInput(input, header.alg, key).toString('base64url')}`;
}

function signInput(input: string, algorithm: string, key: KeyObject | string): Buffer {
  const hash = `sha${algorithm.slice(2)}`;
  if (typeof key === 'string') return createHmac(hash, key).update(input).digest();
  return sign(algorithm.startsWith('Ed') ? null : hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}

/** Returns an HS256 token signed with the test secret. */
export function token(payload: string | object, header: object = {}): string {
  return signToken({ alg: 'HS256', typ: 'JWT', ...header }, payload, SECRET);
}

/** Returns the three parts of a token. */
export function partsOf(text: string): readonly [header: string, payload: string, signature: string] {
  const [header = '', payload = '', signature = ''] = text.split('.');
  return [header, payload, signature];
}

export function keysOf(secret: string | object): readonly VerificationKey[] {
  const keys = loadVerificationKeys(Buffer.from(typeof secret === 'string' ? secret : JSON.stringify(secret)));
  if (!keys.ok) throw new Error(keys.error);
  return keys.value;
}

export function publicJwk(key: KeyObject): JsonWebKey {
  return createPublicKey(key).export({ format: 'jwk' });
}

export function octJwk(secret: string): JsonWebKey {
  return { kty: 'oct', k: base64url(secret) };
}

export function rsaKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

export function ecKey(namedCurve: 'P-256' | 'P-384' | 'P-521'): KeyObject {
  return generateKeyPairSync('ec', { namedCurve }).privateKey;
}

export function edKey(curve: 'Ed25519' | 'Ed448'): KeyObject {
  return curve === 'Ed25519' ? generateKeyPairSync('ed25519').privateKey : generateKeyPairSync('ed448').privateKey;
}
