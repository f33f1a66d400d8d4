import { expect, test } from 'vitest';
import {
  discoveryUri,
  keepingTime,
  parseDiscovery,
  parseIssuerKeys,
} from '../../src/extensions/issuer/issuer-documents.ts';
import { isSecureUri } from '../../src/util/secure-uri.ts';
import { ecKey, octJwk, publicJwk, SECRET } from './sign-token.ts';

test('B50 only public keys that can verify signatures are taken from a published set', () => {
  const jwk = publicJwk(ecKey('P-256'));
  const key = { ...jwk, kid: 'a' };
  const keys = [octJwk(SECRET), { kty: 'RSA', n: 'AQ', e: 'AQAB' }, { ...key, use: 'enc' }, 'text', null, key];
  expect(parseIssuerKeys(JSON.stringify({ keys }))).toEqual({
    ok: true,
    value: [{ kind: 'public', jwk, kid: 'a', algorithms: ['ES256'] }],
  });
});

test.each([
  ['<html>', 'is not a JSON Web Key Set'],
  ['{}', 'is not a JSON Web Key Set'],
  ['{"keys":{}}', 'is not a JSON Web Key Set'],
  ['{"keys":[]}', 'contains no key that can verify signatures'],
  [JSON.stringify({ keys: [octJwk(SECRET)] }), 'contains no key that can verify signatures'],
  [JSON.stringify({ keys: Array.from({ length: 101 }, () => 0) }), 'contains 101 keys, more than 100'],
])('B50 %s as a key set %s', (text, error) => {
  expect(parseIssuerKeys(text)).toEqual({ ok: false, error });
});

test.each([
  [undefined, 3600],
  ['max-age=600', 600],
  ['public, max-age="7200", must-revalidate', 7200],
  ['max-age=1', 60],
  ['max-age=9999999', 86_400],
  ['MAX-AGE=99999999999999999999', 86_400],
  ['no-store', 60],
  ['max-age=600, no-cache', 60],
])('B50 Cache-Control: %s keeps keys for %i seconds', (header, seconds) => {
  expect(keepingTime(header)).toBe(seconds);
});

test.each([
  ['https://id.example.com/keys', true],
  ['http://localhost:8080/keys', true],
  ['http://127.0.0.1/keys', true],
  ['http://[::1]:9/keys', true],
  ['http://id.example.com/keys', false],
  ['http://127.0.0.1.example.com/keys', false],
  ['https://user:secret@id.example.com/keys', false],
  ['https://id.example.com/keys#here', false],
  ['file:///etc/passwd', false],
  ['id.example.com', false],
])('B50 keys from %s: %s', (uri, isAccepted) => {
  expect(isSecureUri(uri)).toBe(isAccepted);
});

test('B51 an issuer that is a URL has a discovery document', () => {
  expect(discoveryUri('https://id.example.com/')).toBe('https://id.example.com/.well-known/openid-configuration');
  expect(discoveryUri('https://id.example.com/realms/a')).toBe(
    'https://id.example.com/realms/a/.well-known/openid-configuration',
  );
  expect(discoveryUri('accounts')).toBeUndefined();
});

test.each([
  [{ issuer: 'https://b', jwks_uri: 'https://b/keys' }, 'belongs to another issuer: "https://b"'],
  [{ issuer: 'https://a' }, 'has no jwks_uri with https'],
  [{ issuer: 'https://a', jwks_uri: 'http://a/keys' }, 'has no jwks_uri with https'],
  [{ issuer: 'https://a', jwks_uri: 'http://127.0.0.1:8500/v1/kv' }, 'has no jwks_uri with https'],
  [{ issuer: 'https://a', jwks_uri: 'http://169.254.169.254/latest' }, 'has no jwks_uri with https'],
  [{ issuer: 'https://a', jwks_uri: 'file:///etc/passwd' }, 'has no jwks_uri with https'],
  [{ issuer: 'https://a', jwks_uri: ['https://a/keys'] }, 'has no jwks_uri with https'],
  [[], 'is not a JSON object'],
])('B51 the discovery document %j %s', (document, error) => {
  expect(parseDiscovery(JSON.stringify(document), 'https://a')).toEqual({ ok: false, error });
});

test('B51 only an issuer on this machine may name keys on this machine', () => {
  const discover = (issuer: string): unknown =>
    parseDiscovery(JSON.stringify({ issuer, jwks_uri: 'http://localhost/keys' }), issuer);
  expect(discover('http://localhost:8080/realms/a')).toEqual({ ok: true, value: 'http://localhost/keys' });
  expect(discover('https://id.example.com')).toEqual({ ok: false, error: 'has no jwks_uri with https' });
});
