// Decoding of pasted tokens, with error messages and validity.
import { expect, test } from 'vitest';
import { decodeToken, describeDuration, validityOf } from '../../explorer/src/tokens/decode-token.ts';

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const TOKEN = `${part({ alg: 'HS256' })}.${part({ role: 'Straße 😀', exp: 100 })}.c2ln`;

test('the claims of a token are decoded, including non-ASCII text', () => {
  expect(decodeToken(TOKEN)).toEqual({
    kind: 'token',
    token: TOKEN,
    header: { alg: 'HS256' },
    claims: { role: 'Straße 😀', exp: 100 },
  });
});

test.each([
  `Bearer ${TOKEN}`,
  `Authorization: Bearer ${TOKEN}`,
  `"${TOKEN}"`,
  `\n ${TOKEN.slice(0, 20)}\n${TOKEN.slice(20)} `,
])('text copied along is stripped: %j', (text) => {
  expect(decodeToken(text)).toMatchObject({ kind: 'token', token: TOKEN });
});

test.each([
  ['', 'Paste a token here.'],
  ['secret', 'A token has three parts separated by dots, but this one has 1.'],
  ['a.b.c.d.e', 'This token is encrypted (JWE). The server accepts only signed tokens, which have three parts.'],
  [`%%.${part({})}.c2ln`, 'The first part, the header, is invalid. Was the token copied completely?'],
  [`${part({})}.${part([1])}.c2ln`, 'The middle part, the claims, is invalid. Was the token copied completely?'],
  [`${part({})}.${part({})}.`, 'The last part, the signature, is missing. Was the token copied completely?'],
])('%j is rejected with a reason', (text, message) => {
  expect(decodeToken(text)).toEqual({ kind: 'wrong', message });
});

test('validity follows nbf and exp', () => {
  expect(validityOf({}, 50)).toEqual({ kind: 'unlimited' });
  expect(validityOf({ exp: 100 }, 40)).toEqual({ kind: 'valid', seconds: 60 });
  expect(validityOf({ exp: 100 }, 100)).toEqual({ kind: 'expired', seconds: 0 });
  expect(validityOf({ nbf: 70, exp: 100 }, 40)).toEqual({ kind: 'early', seconds: 30 });
});

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [3600, '1 h'],
  [7500, '2 h 5 min'],
  [90_061, '1 d 1 h'],
])('%d seconds are formatted as %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text);
});
