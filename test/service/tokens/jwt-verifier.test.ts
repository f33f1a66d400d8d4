import { beforeEach, describe, expect, it } from 'vitest';
import { resolveJwtCachePolicy } from '../../../src/config/resolve/jwt-cache-policy.ts';
import { IssuerKeys } from '../../../src/extensions/issuer/issuer-keys.ts';
import { loadIssuerKeys } from '../../../src/extensions/issuer/load-issuer-keys.ts';
import type { JwtCacheEvent } from '../../../src/service/tokens/jwt-cache.ts';
import { type JwtSettings, JwtVerifier } from '../../../src/service/tokens/jwt-verifier.ts';
import { startIssuer } from '../../support/stub-issuer.ts';
import { base64url, ecKey, octJwk, publicJwk, SECRET, signToken, token } from '../../auth/sign-token.ts';

const OTHER_SECRET = 'another-secret-of-thirty-two-bytes-or-more';

function settings(changes: Partial<JwtSettings> = {}): JwtSettings {
  return {
    jwtSecret: Buffer.from(SECRET),
    jwtCacheMaxEntries: 1000,
    jwtCacheMaxEntriesIsSet: false,
    jwtCacheMaxLifetime: undefined,
    ...changes,
  };
}

const cached = settings({ jwtCacheMaxEntries: 2, jwtCacheMaxEntriesIsSet: true });

let now: number;
let events: JwtCacheEvent[];
let verifier: JwtVerifier;

beforeEach(() => {
  now = 1_800_000_000;
  events = [];
  verifier = new JwtVerifier({
    now: () => now,
    onCacheEvent: (event) => events.push(event),
  });
});

describe('O104 the cache', () => {
  it.each([
    [undefined, undefined, undefined],
    [undefined, 5, { maxEntries: 5, maxLifetime: undefined }],
    [60, undefined, { maxEntries: 1000, maxLifetime: 60 }],
    [60, 5, { maxEntries: 5, maxLifetime: 60 }],
    [0, undefined, undefined],
    [0, 5, undefined],
    [60, 0, undefined],
    [undefined, 0, undefined],
  ])('with lifetime %s and entries %s is %j', (jwtCacheMaxLifetime, entries, limits) => {
    const jwtCacheMaxEntries = entries ?? 1000;
    const jwtCacheMaxEntriesIsSet = entries !== undefined;
    const options = { jwtCacheMaxLifetime, jwtCacheMaxEntries, jwtCacheMaxEntriesIsSet };
    expect(resolveJwtCachePolicy(options)).toEqual(limits);
  });

  it('is not used while disabled', () => {
    verifier.apply(settings());
    expect([verifier.verifyToken(token({})).ok, verifier.verifyToken(token({})).ok]).toEqual([true, true]);
    expect(verifier.cacheCounters).toEqual({ requests: 0, hits: 0, evictions: 0 });
    expect(events).toEqual([]);
  });
});

it('O105 caches only verified tokens', () => {
  verifier.apply(cached);
  const first = verifier.verifyToken(token({ nbf: 4_102_444_800 }));
  expect(verifier.verifyToken(token({ nbf: 4_102_444_800 }))).toEqual(first);
  expect(verifier.cacheCounters).toEqual({ requests: 2, hits: 1, evictions: 0 });
  for (const bad of [signToken({ alg: 'HS256' }, {}, OTHER_SECRET), token('[]'), 'a.b']) {
    expect([verifier.verifyToken(bad).ok, verifier.verifyToken(bad).ok]).toEqual([false, false]);
  }
  expect(verifier.cacheCounters).toEqual({ requests: 8, hits: 1, evictions: 0 });
});

it('an empty token is not looked up, and no token is without a secret', () => {
  verifier.apply(cached);
  expect(verifier.verifyToken('').ok).toBe(false);
  verifier.apply({ ...cached, jwtSecret: undefined });
  expect(verifier.verifyToken(token({}))).toEqual({ ok: false, error: { kind: 'secretMissing' } });
  expect(verifier.cacheCounters.requests).toBe(0);
});

it('determines the age of an entry by the clock', () => {
  verifier.apply(settings({ jwtCacheMaxLifetime: 60 }));
  const text = token({ role: 'clerk' });
  verifier.verifyToken(text);
  now += 59;
  verifier.verifyToken(text);
  expect(verifier.cacheCounters.hits).toBe(1);
  now += 1;
  expect(verifier.verifyToken(text).ok).toBe(true);
  expect(verifier.cacheCounters).toEqual({ requests: 3, hits: 1, evictions: 0 });
});

describe('a new configuration', () => {
  const text = token({ role: 'clerk' });

  beforeEach(() => {
    verifier.apply(cached);
    verifier.verifyToken(text);
  });

  it('O109 with another secret clears the cache and rejects the old tokens', () => {
    verifier.apply({ ...cached, jwtSecret: Buffer.from(OTHER_SECRET) });
    expect(verifier.verifyToken(text).ok).toBe(false);
    verifier.apply(cached);
    expect(verifier.verifyToken(text).ok).toBe(true);
    expect(verifier.cacheCounters).toEqual({ requests: 3, hits: 0, evictions: 0 });
  });

  it('with the same secret keeps the cache, whatever its size', () => {
    verifier.apply({ ...cached, jwtSecret: Buffer.from(SECRET), jwtCacheMaxEntries: 1 });
    verifier.verifyToken(text);
    expect(verifier.cacheCounters.hits).toBe(1);
    verifier.verifyToken(token({ role: 'pilot' }));
    expect(verifier.cacheCounters.evictions).toBe(1);
  });

  it('without a cache clears it', () => {
    verifier.apply(settings());
    expect(verifier.verifyToken(text).ok).toBe(true);
    verifier.apply(cached);
    expect(verifier.verifyToken(text).ok).toBe(true);
    expect(verifier.cacheCounters).toEqual({ requests: 2, hits: 0, evictions: 0 });
  });
});

it('rejects a secret that the configuration check should have rejected', () => {
  expect(() => verifier.apply(settings({ jwtSecret: Buffer.from('short') }))).toThrow(
    'The JWT secret must be at least 32 characters long.',
  );
});

describe('B50 with a secret and a provider whose keys are not loaded', () => {
  const [own, other] = [ecKey('P-256'), ecKey('P-256')];
  let both: JwtVerifier;

  beforeEach(() => {
    both = new JwtVerifier({
      now: () => now,
      onCacheEvent: () => undefined,
    });
    const keys = [publicJwk(own), { ...publicJwk(own), kid: 'own' }, octJwk(SECRET)];
    both.apply(settings({ jwtSecret: Buffer.from(JSON.stringify({ keys })) }));
    both.useProvider({ keys: undefined, retryAfter: 1, awaitKey: () => Promise.resolve() });
  });

  it.each([
    ['an HMAC', token({})],
    ['an HMAC with an unknown key id', token({}, { kid: 'x' })],
    ['no signature', `${base64url({ alg: 'none' })}.e30.`],
    ['the key id of an own key', signToken({ alg: 'ES256', kid: 'own' }, {}, own)],
    ['an own key without a key id', signToken({ alg: 'ES256' }, {}, own)],
    ['an unknown algorithm', `${base64url({ alg: 'RS1' })}.e30.x`],
  ])('a token with %s does not wait', (_, text) => {
    expect(both.awaitKeys(text)).toBeUndefined();
  });

  it.each([
    ['an unknown key id', signToken({ alg: 'ES256', kid: 'x' }, {}, other)],
    ['another key without a key id', signToken({ alg: 'ES256' }, {}, other)],
    ['an algorithm of no own key', signToken({ alg: 'ES384' }, {}, ecKey('P-384'))],
  ])('a token with %s waits', (_, text) => {
    expect(both.awaitKeys(text)).toBeInstanceOf(Promise);
    expect(both.verifyToken(text)).toMatchObject({ ok: false, error: { kind: 'issuerKeysMissing' } });
  });
});

it('B50 a cached token of a key that the issuer has withdrawn is rejected', async () => {
  const issuer = await startIssuer();
  const caching = new JwtVerifier({
    now: () => now,
    onCacheEvent: () => undefined,
  });
  const keys = new IssuerKeys({
    load: (stop) => loadIssuerKeys({ kind: 'keySet', uri: `${issuer.origin}/keys` }, stop),
    onLoaded: () => caching.replaceKeys(),
    onFailed: () => undefined,
  });
  try {
    const [first, second] = [ecKey('P-256'), ecKey('P-256')];
    const withdrawn = signToken({ alg: 'ES256', kid: 'a' }, {}, first);
    issuer.publish({ a: first });
    caching.apply({ ...cached, jwtSecret: undefined });
    caching.useProvider(keys);
    await caching.awaitKeys(withdrawn);
    expect([caching.verifyToken(withdrawn).ok, caching.verifyToken(withdrawn).ok]).toEqual([true, true]);
    expect(caching.cacheCounters.hits).toBe(1);
    issuer.publish({ b: second });
    await caching.awaitKeys(signToken({ alg: 'ES256', kid: 'b' }, {}, second));
    expect(caching.verifyToken(withdrawn).ok).toBe(false);
  } finally {
    keys.stop();
    await issuer.stop();
  }
});
