import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyJwt } from '../../src/auth/verify-jwt.ts';
import { base64url, keysOf, octJwk, partsOf, publicJwk, rsaKey, SECRET, signToken, token } from './sign-token.ts';

const keys = keysOf(SECRET);
const OTHER = 'another-secret-of-thirty-two-bytes-or-more';

function invalid(message: string, details?: string): object {
  return { ok: false, error: { kind: 'tokenInvalid', message, details } };
}

const NO_CRYPTO = invalid('JWT cryptographic operation failed');
const NO_KEY_FITS = {
  ok: false,
  error: {
    kind: 'tokenInvalid',
    message: 'No suitable key or wrong key type',
    details: 'No suitable key was found to decode the JWT',
    isKeyMissing: true,
  },
};
const NONE_VERIFIES = {
  ok: false,
  error: {
    kind: 'tokenInvalid',
    message: 'No suitable key or wrong key type',
    details: 'None of the keys was able to decode the JWT',
    isSignatureWrong: true,
  },
};
const NO_CLAIMS = { ok: false, error: { kind: 'claimsInvalid', message: 'Parsing claims failed' } };

function verified(claims: object, text = JSON.stringify(claims)): object {
  return { ok: true, value: { claims, text } };
}

it('returns the claims and their text', () => {
  const text = '{ "role":"clerk", "id":12345678901234567890, "id":2 }';
  expect(verifyJwt(token(text), keys)).toEqual(verified({ role: 'clerk', id: 2 }, text));
  expect(verifyJwt(token({ näme: 'Zoë' }), keys)).toEqual(verified({ näme: 'Zoë' }));
  expect(verifyJwt(token({}), keys)).toEqual(verified({}));
});

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}"]"${']'.repeat(depth - 1)}}`;
}

describe('the steps in order', () => {
  it('O66 1: no secret', () => {
    for (const text of [token({}), '', 'garbage']) {
      expect(verifyJwt(text, undefined)).toEqual({ ok: false, error: { kind: 'secretMissing' } });
    }
  });

  it('O68 2: an empty token', () => {
    expect(verifyJwt('', keys)).toEqual(invalid('Empty JWT is sent in Authorization header'));
  });

  it.each([
    ['abc', 1],
    ['abc.def', 2],
    ['a.b.c.d.e', 5],
    ['...', 4],
    ['!!.', 2],
  ])('O69 O70 3: counts the parts of %s', (text, parts) => {
    expect(verifyJwt(text, keys)).toEqual(invalid(`Expected 3 parts in JWT; got ${parts}`));
  });

  const [header, payload, signature] = partsOf(token({ role: 'clerk' }));
  it.each([
    ['!!', payload, signature],
    [`${header}=`, payload, signature],
    [header, `${payload}=`, signature],
    [header, '!!', signature],
    [header, payload, `${signature}=`],
    [header, payload, ` ${signature}`],
    [header, payload, `${signature} `],
    [header, payload, 'A'],
    ['', payload, signature],
    [base64url('notjson'), payload, signature],
    [base64url('["alg"]'), payload, signature],
    [base64url('null'), payload, signature],
    [base64url({ typ: 'JWT' }), payload, signature],
    [base64url({ alg: 'XX1' }), payload, signature],
    [base64url({ alg: 'PS256' }), payload, signature],
    [base64url({ alg: 'ES256K' }), payload, signature],
    [base64url({ alg: 'RSA-OAEP', enc: 'A128GCM' }), payload, signature],
    [base64url({ alg: 'hs256' }), payload, signature],
    [base64url({ alg: 'None' }), payload, signature],
    [base64url({ alg: ['HS256'] }), payload, signature],
    [base64url({ alg: 'HS256', kid: 5 }), payload, signature],
    [base64url({ alg: 'HS256', kid: null }), payload, signature],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]).toString('base64url'), payload, signature],
    [base64url({ alg: 'none' }), payload, '!!'],
  ])('O71 4: rejects the malformed token %s.%s.%s', (...parts) => {
    expect(verifyJwt(parts.join('.'), keys)).toEqual(NO_CRYPTO);
  });

  it('4: rejects a signature with nonzero bits after its last byte', () => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = digits[digits.indexOf(signature.at(-1) ?? '') + 1];
    expect(verifyJwt([header, payload, signature.slice(0, -1) + last].join('.'), keys)).toEqual(NO_CRYPTO);
  });

  it('O72 5: alg none', () => {
    const expected = invalid(
      'Wrong or unsupported encoding algorithm',
      "JWT is unsecured but expected 'alg' was not 'none'",
    );
    expect(verifyJwt(`${base64url({ alg: 'none' })}.${payload}.`, keys)).toEqual(expected);
    expect(verifyJwt(`${base64url({ alg: 'none', kid: 'x' })}.${payload}.${signature}`, keys)).toEqual(expected);
    expect(verifyJwt(`${base64url({ alg: 'none' })}.${payload}.`, [])).toEqual(expected);
  });

  it('rejects critical extensions', () => {
    expect(verifyJwt(token({}, { crit: ['b64'], b64: true }), keys)).toEqual(invalid("JWT couldn't be decoded"));
  });

  it('O74 6: another algorithm with the same passphrase', () => {
    expect(verifyJwt(signToken({ alg: 'HS512' }, {}, SECRET), keys)).toEqual(NO_KEY_FITS);
    expect(verifyJwt(signToken({ alg: 'HS384' }, {}, SECRET), keys)).toEqual(NO_KEY_FITS);
    expect(verifyJwt(signToken({ alg: 'RS256' }, {}, rsaKey()), keys)).toEqual(NO_KEY_FITS);
    expect(verifyJwt(token({}), keysOf({ keys: [] }))).toEqual(NO_KEY_FITS);
  });

  it('O73 7: a wrong signature, or other claims than those signed', () => {
    expect(verifyJwt(signToken({ alg: 'HS256' }, {}, OTHER), keys)).toEqual(NONE_VERIFIES);
    expect(verifyJwt(`${header}.${base64url({ role: 'other' })}.${signature}`, keys)).toEqual(NONE_VERIFIES);
    expect(verifyJwt(`${header}.${payload}.`, keys)).toEqual(NONE_VERIFIES);
    expect(verifyJwt(`${header}.${payload}.${base64url('short')}`, keys)).toEqual(NONE_VERIFIES);
  });

  it.each(['"text"', '[1]', 'not json', '5', 'null', ''])('O82 8: the payload %j is not an object', (text) => {
    expect(verifyJwt(token(text), keys)).toEqual(NO_CLAIMS);
  });

  it('8: rejects invalid UTF-8 and excessive nesting', () => {
    const everyKey = [{ kid: undefined, algorithms: ['HS256'] as const, verify: () => true }];
    const notUtf8 = Buffer.from('7b22ff223a317d', 'hex').toString('base64url');
    expect(verifyJwt(`${header}.${notUtf8}.`, everyKey)).toEqual(NO_CLAIMS);
    expect(verifyJwt(token(nested(1000)), keys).ok).toBe(true);
    expect(verifyJwt(token(nested(1001)), keys)).toEqual(NO_CLAIMS);
    expect(verifyJwt(token({ a: '[\\"'.repeat(2000) }), keys).ok).toBe(true);
  });
});

describe('kid', () => {
  const rsa = rsaKey();
  const otherRsa = rsaKey();
  const set = keysOf({
    keys: [
      { ...octJwk(SECRET), kid: 'a' },
      { ...publicJwk(otherRsa), kid: 'b' },
      { ...publicJwk(rsa), kid: 'c' },
    ],
  });

  it('O80 selects the only key to try', () => {
    expect(verifyJwt(token({}, { kid: 'a' }), set)).toEqual(verified({}));
    expect(verifyJwt(signToken({ alg: 'RS256', kid: 'c' }, {}, rsa), set)).toEqual(verified({}));
    expect(verifyJwt(signToken({ alg: 'RS256', kid: 'b' }, {}, rsa), set)).toEqual(NONE_VERIFIES);
    expect(verifyJwt(signToken({ alg: 'RS256', kid: 'a' }, {}, rsa), set)).toEqual(NO_KEY_FITS);
    expect(verifyJwt(token({}, { kid: 'z' }), set)).toEqual(NO_KEY_FITS);
    expect(verifyJwt(token({}, { kid: '' }), set)).toEqual(NO_KEY_FITS);
  });

  it('O80 does not match a key without one', () => {
    expect(verifyJwt(token({}, { kid: 'x' }), keys)).toEqual(NO_KEY_FITS);
    expect(verifyJwt(token({}, { kid: 'x' }), keysOf({ keys: [octJwk(SECRET)] }))).toEqual(NO_KEY_FITS);
  });

  it('O81 may be absent: every key with the right algorithm is tried', () => {
    expect(verifyJwt(token({}), set)).toEqual(verified({}));
    expect(verifyJwt(signToken({ alg: 'RS256' }, {}, rsa), set)).toEqual(verified({}));
    expect(verifyJwt(signToken({ alg: 'RS256' }, {}, otherRsa), set)).toEqual(verified({}));
    expect(verifyJwt(signToken({ alg: 'HS512' }, {}, OTHER), set)).toEqual(NONE_VERIFIES);
  });
});

it('rejects any unsigned token and never throws', () => {
  const part = fc.oneof(
    fc.string(),
    fc.string().map(base64url),
    fc.json().map(base64url),
    fc.constant(base64url({ alg: 'HS256' })),
  );
  const anyKeys = keysOf({ keys: [octJwk(SECRET), publicJwk(rsaKey())] });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
      ),
      (text) => {
        const result = verifyJwt(text, anyKeys);
        expect(!result.ok && result.error.kind).toBe('tokenInvalid');
      },
    ),
  );
});

it('accepts any signed claims', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (claims) => {
      const text = JSON.stringify(claims);
      expect(verifyJwt(token(text), keys)).toEqual({ ok: true, value: { claims: JSON.parse(text), text } });
    }),
  );
});
