import * as fc from 'fast-check';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { KeyDescription } from '../../src/auth/jwk.ts';
import { parseKeys } from '../../src/auth/keys.ts';

/** 256 bits. */
const K = 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsuec';
/** 2048 bits. */
const N = Buffer.alloc(256, 0xb1).toString('base64url');
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

  it('must have at least 32 bytes, not characters', () => {
    expect(parseKeys(Buffer.from('x'.repeat(31)))).toEqual({ ok: false, error: TOO_SHORT });
    expect(parseKeys(Buffer.from(''))).toEqual({ ok: false, error: TOO_SHORT });
    expect(isPassphrase('x'.repeat(32))).toBe(true);
    expect(isPassphrase('é'.repeat(16))).toBe(true);
  });

  it.each([
    '{curly secret that is no JSON but long enough',
    '[x] brackets are not enough for JSON',
    `{${'x'.repeat(40)}}`,
  ])('may resemble JSON: %s', (secret) => {
    expect(isPassphrase(secret)).toBe(true);
  });
});

const LOOKS_LIKE_JSON =
  'The JWT secret looks like JSON, but is not a valid JSON object. A shell or the file may have removed its quotes.';
const NO_KEY =
  'The JWT secret is JSON, but neither a JSON Web Key, which has "kty", nor a JSON Web Key Set, which has "keys".';
const FOR_NO_SIGNATURE =
  'The JSON Web Key in the JWT secret cannot verify any supported signature. Check its kty, crv, alg and use.';
const unreadable = (why: string): string => `The JSON Web Key in the JWT secret ${why}.`;

function errorOf(secret: string | Uint8Array): string | undefined {
  const keys = parseKeys(Buffer.from(secret));
  return keys.ok ? undefined : keys.error;
}

describe('rejects a key in another form as a passphrase:', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const ed = generateKeyPairSync('ed25519').publicKey;
  const refusal = (format: string): string =>
    `The JWT secret is a key in ${format} format, which is not supported. Convert it to a JSON Web Key.`;

  it.each([
    ['spki', publicKey.export({ type: 'spki', format: 'pem' })],
    ['pkcs1', publicKey.export({ type: 'pkcs1', format: 'pem' })],
    ['private', privateKey.export({ type: 'pkcs8', format: 'pem' })],
    ['on one line', String(publicKey.export({ type: 'spki', format: 'pem' })).replaceAll('\n', '\\n')],
    ['after a comment', `# key\n${String(ec.export({ type: 'spki', format: 'pem' }))}`],
  ])('PEM (%s)', (_name, pem) => {
    expect(errorOf(String(pem))).toBe(refusal('PEM'));
  });

  it.each([
    ['RSA', publicKey.export({ type: 'spki', format: 'der' })],
    ['RSA, PKCS #1', publicKey.export({ type: 'pkcs1', format: 'der' })],
    ['EC', ec.export({ type: 'spki', format: 'der' })],
    ['Ed25519', ed.export({ type: 'spki', format: 'der' })],
  ])('DER (%s), as bytes and as the base64 body of a PEM file', (_name, der) => {
    expect(errorOf(der)).toBe(refusal('DER'));
    expect(errorOf(der.toString('base64'))).toBe(refusal('DER'));
    expect(errorOf(der.toString('base64url'))).toBe(refusal('DER'));
    expect(errorOf(der.toString('base64').replaceAll(/.{64}/gu, '$&\n'))).toBe(refusal('DER'));
    expect(errorOf(Buffer.concat([der, Buffer.from([0])]))).toBeUndefined();
  });

  it.each([
    '{kty:oct,k:AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T}',
    '{ keys: [{kty: RSA, n: x, e: AQAB}] }',
    '{kty:oct,k:short}',
  ])('a JSON Web Key whose quotes a shell removed: %s', (secret) => {
    expect(errorOf(secret)).toBe(LOOKS_LIKE_JSON);
  });

  it.each(['keys/jwk.json', './jwt.key', 'public.pem'])('a file name without @: %s', (name) => {
    expect(errorOf(name)).toBe(
      'The JWT secret must be at least 32 characters long. To read it from a file, put an @ before the file name.',
    );
  });

  it('OpenSSH', () => {
    expect(errorOf(`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'x'.repeat(43)} me@host`)).toBe(refusal('OpenSSH'));
    expect(errorOf(`ecdsa-sha2-nistp256 AAAAE2Vj${'x'.repeat(120)}`)).toBe(refusal('OpenSSH'));
  });

  it.each<[object, string]>([
    [{ kty: 'RSA', e: 'AQAB', comment: 'an RSA key without n' }, unreadable('needs n and e in unpadded base64url')],
    [{ kty: 'RSA', n: 'not base64url', e: 'AQAB' }, unreadable('needs n and e in unpadded base64url')],
    [{ kty: 'RSA', n: K, e: 'AQAB' }, unreadable('has a modulus of 256 bits, at least 2048 are needed')],
    [{ kty: 'EC', crv: 'P-256', x: K, comment: 'no y' }, unreadable('needs x and y in unpadded base64url')],
    [{ kty: 'OKP', crv: 'Ed25519', x: 5, comment: K }, unreadable('needs x in unpadded base64url')],
    [{ kty: 'oct', k: '', comment: 'an empty secret' }, unreadable('has no k in unpadded base64url')],
    [{ kty: 'oct', k: 5, comment: 'a secret that is no text' }, unreadable('has no k in unpadded base64url')],
    [{ kty: 'oct', k: `${K}=`, comment: 'padded' }, unreadable('has no k in unpadded base64url')],
    [{ kty: 'oct', k: 'c2hvcnQ' }, unreadable('has a secret of 5 bytes, at least 32 are needed')],
    [{ kty: 'EC', crv: 'secp256k1', x: K, y: K }, FOR_NO_SIGNATURE],
    [{ kty: 'EC', crv: 'toString', x: K, y: K }, FOR_NO_SIGNATURE],
    [{ kty: 'OKP', crv: 'X25519', x: K }, FOR_NO_SIGNATURE],
    [{ kty: 'XYZ', k: K }, FOR_NO_SIGNATURE],
    [{ kty: 'RSA', n: N, e: 'AQAB', use: 'enc' }, FOR_NO_SIGNATURE],
    [{ kty: 'RSA', n: N, e: 'AQAB', alg: 'PS256' }, FOR_NO_SIGNATURE],
    [{ kty: 'RSA', n: N, e: 'AQAB', alg: 'HS256' }, FOR_NO_SIGNATURE],
    [{ kty: 'oct', k: K, alg: 'RS256' }, FOR_NO_SIGNATURE],
    [{ kty: 'oct', k: K, alg: 'none' }, FOR_NO_SIGNATURE],
    [{ kty: 'oct', k: K, alg: 5 }, FOR_NO_SIGNATURE],
    [{ keys: { a: 1 }, comment: 'no set: keys is no array' }, NO_KEY],
    [{ comment: 'an object that is neither a key nor a set' }, NO_KEY],
  ])('%j', (json, error) => {
    expect(errorOf(JSON.stringify(json))).toBe(error);
  });

  it.each([
    `["${'x'.repeat(40)}"]`,
    `[{"kty":"oct","k":"${K}"}]`,
    `{"kty":"oct","k":"${K}"`,
    `\u{feff}{"kty":"oct","k":"${K}"}`,
    JSON.stringify(JSON.stringify({ kty: 'oct', k: K })),
    `'{"kty":"oct","k":"${K}"}'`,
    `{kty: "oct", k: "${K}"}`.replace('{kty', '{ "kty"'),
  ])('JSON that is cut off, quoted twice or not an object: %s', (secret) => {
    expect(errorOf(secret)).toBe(LOOKS_LIKE_JSON);
  });

  it.each<[unknown, string]>([
    [{ kty: 'oct', k: 'c2hvcnQ' }, 'has a secret of 5 bytes, at least 32 are needed'],
    [{ kty: 'RSA', e: 'AQAB' }, 'needs n and e in unpadded base64url'],
    ['no object', 'is not a JSON object'],
    [null, 'is not a JSON object'],
  ])('%j inside a set', (jwk, why) => {
    const keys = [{ kty: 'oct', k: K }, jwk];
    expect(errorOf(JSON.stringify({ keys }))).toBe(`Key 2 of the JSON Web Key Set in the JWT secret ${why}.`);
  });
});

describe('a JWK', () => {
  it('O77 O78 is pinned to the algorithms of its type', () => {
    expect(algorithmsOf({ kty: 'oct', k: K })).toEqual([['HS256', 'HS384', 'HS512']]);
    expect(algorithmsOf({ kty: 'RSA', n: N, e: 'AQAB' })).toEqual([['RS256', 'RS384', 'RS512']]);
    expect(algorithmsOf({ kty: 'EC', crv: 'P-256', x: N, y: N })).toEqual([['ES256']]);
    expect(algorithmsOf({ kty: 'EC', crv: 'P-384', x: N, y: N })).toEqual([['ES384']]);
    expect(algorithmsOf({ kty: 'EC', crv: 'P-521', x: N, y: N })).toEqual([['ES512']]);
    expect(algorithmsOf({ kty: 'OKP', crv: 'Ed25519', x: N })).toEqual([['EdDSA', 'Ed25519']]);
    expect(algorithmsOf({ kty: 'OKP', crv: 'Ed448', x: N })).toEqual([['EdDSA', 'Ed448']]);
  });

  it('O78 accepts only the algorithm it names', () => {
    expect(algorithmsOf({ kty: 'oct', k: K, alg: 'HS512' })).toEqual([['HS512']]);
    expect(algorithmsOf({ kty: 'RSA', n: N, e: 'AQAB', alg: 'RS256' })).toEqual([['RS256']]);
    for (const crv of ['Ed25519', 'Ed448'])
      for (const alg of ['EdDSA', crv]) expect(algorithmsOf({ kty: 'OKP', crv, x: N, alg })).toEqual([['EdDSA', crv]]);
    expect(algorithmsOf({ keys: [{ kty: 'OKP', crv: 'Ed448', x: N, alg: 'Ed25519' }] })).toEqual([]);
    expect(algorithmsOf({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: N, alg: 'Ed448' }] })).toEqual([]);
  });

  it('drops private members', () => {
    const jwk = { kty: 'RSA', n: N, e: 'AQAB', d: N, p: N, kid: 'a', use: 'sig', key_ops: ['sign'] };
    expect(parse(jwk)).toEqual([
      { kind: 'public', jwk: { kty: 'RSA', n: N, e: 'AQAB' }, kid: 'a', algorithms: ['RS256', 'RS384', 'RS512'] },
    ]);
  });

  it('may be surrounded by blanks', () => {
    expect(parse(`\n {"kty":"oct","k":"${K}"} \n`).map((key) => key.algorithms)).toEqual([['HS256', 'HS384', 'HS512']]);
  });
});

describe('a JWK set', () => {
  it('O78 O79 omits unusable keys and keeps the order', () => {
    const set = {
      keys: [
        { kty: 'XYZ', k: K },
        { kty: 'oct', k: K, kid: 'one' },
        { kty: 'oct', k: K, kid: 'other', alg: 'A128GCM' },
        { kty: 'EC', crv: 'secp256k1', x: K, y: K },
        { kty: 'RSA', n: N, e: 'AQAB', kid: 'for encryption', use: 'enc' },
        { kty: 'RSA', n: N, e: 'AQAB', kid: 'two' },
        { kty: 'oct', k: K, kid: 3 },
      ],
    };
    expect(parse(set).map((key) => key.kid)).toEqual(['one', 'two', undefined]);
  });

  it('O79 may be empty', () => {
    expect(parse({ keys: [] })).toEqual([]);
  });
});

it('handles any bytes without throwing', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 64 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const keys = parseKeys(bytes);
        expect(keys.ok || /^(?:The|Key \d+ of) .+\.$/u.test(keys.error)).toBe(true);
      },
    ),
  );
});
