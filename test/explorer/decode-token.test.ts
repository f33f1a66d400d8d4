// What may be pasted as a token, what is said of it, and how long it lasts.
import { expect, test } from 'vitest';
import { decodeToken, describeDuration, validityOf } from '../../explorer/src/tokens/decode-token.ts';

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const TOKEN = `${part({ alg: 'HS256' })}.${part({ role: 'Straße 😀', exp: 100 })}.c2ln`;

test('a token is read with its claims, letters beyond ASCII too', () => {
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
])('what people copy with it is taken off: %j', (text) => {
  expect(decodeToken(text)).toMatchObject({ kind: 'token', token: TOKEN });
});

test.each([
  ['', 'Paste a token here.'],
  ['secret', 'A token has three parts with dots between them, this has 1.'],
  ['a.b.c.d.e', 'This token is encrypted (JWE). The server takes signed ones, of three parts.'],
  [`%%.${part({})}.c2ln`, 'The first part of it, the header, cannot be read. Was all of it copied?'],
  [`${part({})}.${part([1])}.c2ln`, 'The middle part of it, the claims, cannot be read. Was all of it copied?'],
  [`${part({})}.${part({})}.`, 'The last part of it, the signature, is missing. Was all of it copied?'],
])('%j is no token, and why', (text, message) => {
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
])('%d seconds are %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text);
});
