import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSecret, type KeyDescription, parseKeys } from '../../src/auth/keys.ts';

const N = 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri';
const TOO_SHORT = 'The JWT secret must be at least 32 characters long.';

function parse(secret: string | object): readonly KeyDescription[] {
  const keys = parseKeys(Buffer.from(typeof secret === 'string' ? secret : JSON.stringify(secret)));
  if (!keys.ok) throw new Error(keys.error);
  return keys.value;
}

function isPassphrase(secret: string): boolean {
  const [key] = parse(secret);
  return key?.kind === 'secret' && Buffer.from(key.bytes).toString() === secret;
}

const algorithmsOf = (jwk: object): readonly (readonly string[])[] =>
  parse({ keys: [jwk] }).map((key) => key.algorithms);

describe('a passphrase', () => {
  it('O74 is an HS256 key without kid, whatever its bytes', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
    expect(parseKeys(bytes)).toEqual({
      ok: true,
      value: [{ kind: 'secret', bytes, kid: undefined, algorithms: ['HS256'] }],
    });
  });

  it('has 32 bytes at least, not characters', () => {
    expect(checkSecret(Buffer.from('x'.repeat(31)))).toEqual({ ok: false, error: TOO_SHORT });
    expect(checkSecret(Buffer.from(''))).toEqual({ ok: false, error: TOO_SHORT });
    expect(checkSecret(Buffer.from('x'.repeat(32)))).toEqual({ ok: true, value: undefined });
    expect(checkSecret(Buffer.from('é'.repeat(16)))).toEqual({ ok: true, value: undefined });
  });

  it.each([
    { kty: 'RSA', e: 'AQAB', comment: 'an RSA key without n' },
    { kty: 'RSA', n: 'not base64url', e: 'AQAB' },
    { kty: 'EC', crv: 'secp256k1', x: N, y: N },
    { kty: 'EC', crv: 'toString', x: N, y: N },
    { kty: 'EC', crv: 'P-256', x: N, comment: 'no y' },
    { kty: 'OKP', crv: 'X25519', x: N },
    { kty: 'oct', k: '', comment: 'an empty secret' },
    { kty: 'oct', k: 5, comment: 'a secret that is no text' },
    { kty: 'XYZ', k: N },
    { keys: { a: 1 }, comment: 'no set: keys is no array' },
  ])('is what a JSON text is that is no key: %j', (json) => {
    expect(isPassphrase(JSON.stringify(json))).toBe(true);
  });

  it('is what a JSON text is that is no object', () => {
    expect(isPassphrase(`["${'x'.repeat(40)}"]`)).toBe(true);
    expect(isPassphrase(`{"kty":"oct","k":"${N}"`)).toBe(true);
  });
});

describe('a JWK', () => {
  it('O77 O78 is pinned to the algorithms of its type', () => {
    expect(algorithmsOf({ kty: 'oct', k: N })).toEqual([['HS256', 'HS384', 'HS512']]);
    expect(algorithmsOf({ kty: 'RSA', n: N, e: 'AQAB' })).toEqual([['RS256', 'RS384', 'RS512']]);
    expect(algorithmsOf({ kty: 'EC', crv: 'P-256', x: N, y: N })).toEqual([['ES256']]);
    expect(algorithmsOf({ kty: 'EC', crv: 'P-384', x: N, y: N })).toEqual([['ES384']]);
    expect(algorithmsOf({ kty: 'EC', crv: 'P-521', x: N, y: N })).toEqual([['ES512']]);
    expect(algorithmsOf({ kty: 'OKP', crv: 'Ed25519', x: N })).toEqual([['EdDSA']]);
    expect(algorithmsOf({ kty: 'OKP', crv: 'Ed448', x: N })).toEqual([['EdDSA']]);
  });

  it('O78 accepts only the algorithm it names', () => {
    expect(algorithmsOf({ kty: 'oct', k: N, alg: 'HS512' })).toEqual([['HS512']]);
    expect(algorithmsOf({ kty: 'RSA', n: N, e: 'AQAB', alg: 'RS256' })).toEqual([['RS256']]);
  });

  it('keeps nothing private', () => {
    const jwk = { kty: 'RSA', n: N, e: 'AQAB', d: N, p: N, kid: 'a', use: 'sig', key_ops: ['sign'] };
    expect(parse(jwk)).toEqual([
      { kind: 'public', jwk: { kty: 'RSA', n: N, e: 'AQAB' }, kid: 'a', algorithms: ['RS256', 'RS384', 'RS512'] },
    ]);
  });

  it.each([
    { kty: 'RSA', n: N, e: 'AQAB', use: 'enc' },
    { kty: 'RSA', n: N, e: 'AQAB', alg: 'PS256' },
    { kty: 'RSA', n: N, e: 'AQAB', alg: 'HS256' },
    { kty: 'oct', k: N, alg: 'none' },
    { kty: 'oct', k: N, alg: 5 },
  ])('that is for something else is no key, and no passphrase either: %j', (jwk) => {
    expect(parse(jwk)).toEqual([]);
  });

  it('may be surrounded by blanks', () => {
    expect(parse(`\n {"kty":"oct","k":"${N}"} \n`).map((key) => key.algorithms)).toEqual([['HS256', 'HS384', 'HS512']]);
  });
});

describe('a JWK set', () => {
  it('O78 O79 leaves out what it cannot use and keeps the order', () => {
    const set = {
      keys: [
        { kty: 'XYZ', k: N },
        { kty: 'oct', k: N, kid: 'one' },
        { kty: 'oct', k: N, kid: 'other', alg: 'A128GCM' },
        { kty: 'RSA', e: 'AQAB' },
        { kty: 'RSA', n: N, e: 'AQAB', kid: 'for encryption', use: 'enc' },
        'no object',
        null,
        { kty: 'RSA', n: N, e: 'AQAB', kid: 'two' },
        { kty: 'oct', k: N, kid: 3 },
      ],
    };
    expect(parse(set).map((key) => key.kid)).toEqual(['one', 'two', undefined]);
  });

  it('O79 may be empty', () => {
    expect(parse({ keys: [] })).toEqual([]);
  });
});

it('reads any bytes', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 64 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const keys = parseKeys(bytes);
        expect(keys.ok || keys.error === TOO_SHORT).toBe(true);
        expect(checkSecret(bytes).ok).toBe(keys.ok);
      },
    ),
  );
});
