// Tokens verified with keys that an identity provider publishes (`beyond.md` §3.3).
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { ecKey, octJwk, publicJwk, SECRET, signToken, token as signHs256 } from '../auth/sign-token.ts';
import { until } from '../support/until.ts';
import { useHarbor } from '../support/harbor.ts';
import { type Answer, type LocalServer, type Options, type RequestParts, useServers } from '../support/local-server.ts';
import { keySet, sendJson, startIssuer, type StubIssuer } from '../support/stub-issuer.ts';

const harbor = await useHarbor();
const start = useServers(harbor);
const [first, second] = [ecKey('P-256'), ecKey('P-256')];
let issuer: StubIssuer;

await harbor.sql(`
  create function api.whoami() returns text language sql stable as 'select current_user::text'`);
beforeEach(async () => (issuer = await startIssuer()));
afterEach(() => issuer.stop());

const serve = (options: Options = {}): Promise<LocalServer> =>
  start({ 'jwt-secret': null, 'jwt-jwks-uri': `${issuer.origin}/keys`, 'log-level': 'warn', ...options });

function signed(key: KeyObject, kid: string, claims: object = {}): RequestParts {
  const text = signToken({ alg: 'ES256', kid }, { role: harbor.user, ...claims }, key);
  return { headers: { authorization: `Bearer ${text}` } };
}

const outcome = async (answer: Promise<Answer>): Promise<unknown> => {
  const { status, text, headers } = await answer;
  return status === 200 ? JSON.parse(text) : { status, ...JSON.parse(text), retryAfter: headers['retry-after'] };
};

/** Requests per second, if the machine can, and for how many seconds of that rate. */
const RATE = 1000;
const SECONDS = Number(process.env['ROWHOUSE_ROTATION_SECONDS'] ?? 0.8);
const METADATA_SERVICE = { location: 'http://169.254.169.254/latest/meta-data' };
const NO_KEYS = 'The keys that verify the token could not be loaded from its issuer';

test('B50 a token signed with a published key gives its role, and one with another key is rejected', async () => {
  issuer.publish({ a: first });
  const server = await serve();
  expect(await outcome(server.get('/rpc/whoami', signed(first, 'a')))).toBe(harbor.user);
  expect(await outcome(server.get('/rpc/whoami', signed(second, 'a')))).toMatchObject({ status: 401, code: 'SVC301' });
  expect(await outcome(server.get('/rpc/whoami'))).toBe(harbor.anon);
  expect(issuer.requests.get('/keys')).toBe(1);
  for (let count = 0; count < 3; count += 1)
    expect(await outcome(server.get('/rpc/whoami', signed(second, 'b')))).toMatchObject({ status: 401 });
  expect(issuer.requests.get('/keys')).toBe(2);
  await server.logged(/Loaded 1 key that verifies tokens/u);
});

test(
  'B50 rotating the keys under a load of up to 1,000 requests per second rejects no valid token',
  async () => {
    issuer.publish({ a: first });
    const server = await serve();
    const statuses: number[] = [];
    /** Sends in time if the server answers in time, else as fast as it answers. */
    const send = async (seconds: number, sign: (sub: number) => RequestParts): Promise<void> => {
      const begin = performance.now();
      const running = new Set<Promise<unknown>>();
      for (let sent = 0; sent < seconds * RATE; sent += 1) {
        const ahead = (sent / RATE) * 1000 - (performance.now() - begin);
        if (ahead > 5) await setTimeout(ahead);
        if (running.size >= 100) await Promise.race(running);
        const answer = server.get('/rpc/whoami', sign(sent)).then(({ status }) => {
          statuses.push(status);
          running.delete(answer);
        });
        running.add(answer);
      }
      await Promise.all(running);
    };
    await send(SECONDS / 4, (sub) => signed(first, 'a', { sub }));
    issuer.publish({ a: first, b: second });
    await send(SECONDS / 2, (sub) => (sub % 2 === 0 ? signed(first, 'a', { sub }) : signed(second, 'b', { sub })));
    issuer.publish({ b: second });
    await send(SECONDS / 4, (sub) => signed(second, 'b', { sub }));
    expect([statuses.length, new Set(statuses)]).toEqual([SECONDS * RATE, new Set([200])]);
    expect(issuer.requests.get('/keys')).toBe(2);
  },
  60_000 + SECONDS * 10_000,
);

test.each<[string, RequestListener, RegExp]>([
  ['fails', (_, response) => response.writeHead(500).end(), /answered with status 500/u],
  ['sends garbage', (_, response) => response.end('<html>'), /is not a JSON Web Key Set/u],
  ['sends no keys', sendJson({ keys: [] }), /contains no key that can verify signatures/u],
  ['breaks off', (_, response) => response.destroy(), /could not be fetched/u],
  ['redirects inside', (_, response) => response.writeHead(302, METADATA_SERVICE).end(), /redirected to another host/u],
  ['grows', (_, response) => response.end(`{"keys":[]}${' '.repeat(300_000)}`), /is larger than 256 KiB/u],
])('B50 keys stay while the issuer %s', async (_, answer, why) => {
  issuer.publish({ a: first });
  const server = await serve();
  expect(await outcome(server.get('/rpc/whoami', signed(first, 'a')))).toBe(harbor.user);
  issuer.on('/keys', answer);
  expect(await outcome(server.get('/rpc/whoami', signed(second, 'b')))).toMatchObject({ status: 401, code: 'SVC301' });
  await server.logged(why);
  expect(await outcome(server.get('/rpc/whoami', signed(first, 'a', { sub: 'another' })))).toBe(harbor.user);
});

test('B50 keys that a token brings or names are not used', async () => {
  issuer.publish({ a: first });
  issuer.on('/evil', sendJson(keySet({ a: second })));
  const server = await serve();
  const claims = { role: harbor.user };
  for (const more of [{ jku: `${issuer.origin}/evil` }, { jwk: publicJwk(second) }, { x5u: `${issuer.origin}/evil` }]) {
    const text = signToken({ alg: 'ES256', kid: 'a', ...more }, claims, second);
    const answer = server.get('/rpc/whoami', { headers: { authorization: `Bearer ${text}` } });
    expect(await outcome(answer)).toMatchObject({ status: 401, code: 'SVC301' });
  }
  expect(issuer.requests.get('/evil')).toBeUndefined();
});

test('B50 the secret and published keys both count', async () => {
  issuer.publish({ a: first });
  const server = await serve({ 'jwt-secret': SECRET });
  const own = { headers: { authorization: `Bearer ${signHs256({ role: harbor.user })}` } };
  expect(await outcome(server.get('/rpc/whoami', own))).toBe(harbor.user);
  expect(await outcome(server.get('/rpc/whoami', signed(first, 'a')))).toBe(harbor.user);
});

test('B50 while keys cannot be loaded the server runs, and only tokens that need them get 503', async () => {
  const server = await serve({ 'jwt-secret': SECRET });
  const own = { headers: { authorization: `Bearer ${signHs256({ role: harbor.user })}` } };
  const refused = await server.get('/rpc/whoami', signed(first, 'a'));
  expect(refused.status).toBe(503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(JSON.parse(refused.text)).toEqual({
    code: 'SVC304',
    details: null,
    hint: 'Try again later. The log of the server says why',
    message: NO_KEYS,
  });
  expect(await outcome(server.get('/rpc/whoami', own))).toBe(harbor.user);
  expect(await outcome(server.get('/rpc/whoami'))).toBe(harbor.anon);
  expect(await outcome(server.get('/rpc/whoami', { headers: { authorization: 'Bearer x' } }))).toMatchObject({
    status: 401,
  });
  await server.logged(/\/keys was answered with status 404\. Loading the keys again in 1 second$/u);
  issuer.publish({ a: first });
  await until(async () => (await server.get('/rpc/whoami', signed(first, 'a'))).status === 200, {
    why: () => 'loaded',
  });
});

test('B50 tokens of the secret do not wait for a provider that does not answer', async () => {
  const held: (() => void)[] = [];
  issuer.on('/keys', (request, response) => held.push(() => sendJson(keySet({ a: first }))(request, response)));
  const ownKey = { ...publicJwk(second), kid: 'own' };
  const server = await serve({ 'jwt-secret': JSON.stringify({ keys: [ownKey, octJwk(SECRET)] }) });
  const send = (text: string): Promise<unknown> =>
    outcome(server.get('/rpc/whoami', { headers: { authorization: `Bearer ${text}` } }));
  const claims = { role: harbor.user };
  let isLoaded = false;
  const waiting = send(signToken({ alg: 'ES256', kid: 'a' }, claims, first)).finally(() => (isLoaded = true));
  await until(() => held.length > 0, { why: () => 'a request for the keys' });
  expect(await send(signHs256(claims))).toBe(harbor.user);
  expect(await send(signToken({ alg: 'ES256', kid: 'own' }, claims, second))).toBe(harbor.user);
  // No key of a provider verifies these.
  expect(await send(signHs256(claims, { kid: 'unknown' }))).toMatchObject({ status: 401, code: 'SVC301' });
  expect(await send(`${signHs256(claims)}x`)).toMatchObject({ status: 401, code: 'SVC301' });
  expect(isLoaded).toBe(false);
  held.forEach((release) => release());
  expect(await waiting).toBe(harbor.user);
  expect(issuer.requests.get('/keys')).toBe(1);
});

test('B50 a request with a token waits for the first load', async () => {
  const held: (() => void)[] = [];
  issuer.on('/keys', (request, response) => held.push(() => sendJson(keySet({ a: first }))(request, response)));
  const server = await serve();
  const answer = server.get('/rpc/whoami', signed(first, 'a'));
  await until(() => held.length > 0, { why: () => 'a request for the keys' });
  held.forEach((release) => release());
  expect(await outcome(answer)).toBe(harbor.user);
});

test('B50 a change of jwt-jwks-uri takes effect at once, and tokens of the old keys are rejected', async () => {
  issuer.publish({ a: first });
  issuer.on('/new', sendJson(keySet({ b: second })));
  const file = (uri: string): string => `jwt-jwks-uri = "${uri}"\n`;
  const server = await start({ 'jwt-secret': null, 'log-level': 'info' }, { file: file(`${issuer.origin}/keys`) });
  expect(await outcome(server.get('/rpc/whoami', signed(first, 'a')))).toBe(harbor.user);
  await server.reconfigure(file(`${issuer.origin}/new`));
  expect(await outcome(server.get('/rpc/whoami', signed(second, 'b')))).toBe(harbor.user);
  expect(await outcome(server.get('/rpc/whoami', signed(first, 'a')))).toMatchObject({ status: 401 });
});

test('B51 jwt-issuer checks iss, and finds the keys where nothing else names them', async () => {
  issuer.publish({ a: first });
  const name = issuer.origin;
  issuer.on('/.well-known/openid-configuration', sendJson({ issuer: name, jwks_uri: `${name}/keys` }));
  const server = await serve({ 'jwt-jwks-uri': null, 'jwt-issuer': name });
  expect(await outcome(server.get('/rpc/whoami', signed(first, 'a', { iss: name })))).toBe(harbor.user);
  for (const claims of [{}, { iss: `${name}/` }, { iss: [name] }])
    expect(await outcome(server.get('/rpc/whoami', signed(first, 'a', claims)))).toMatchObject({
      status: 401,
      code: 'SVC303',
      message: 'JWT not from the expected issuer',
    });
});

test('B51 with a secret, jwt-issuer only checks iss', async () => {
  const server = await serve({ 'jwt-secret': SECRET, 'jwt-jwks-uri': null, 'jwt-issuer': issuer.origin });
  const headers = { authorization: `Bearer ${signHs256({ role: harbor.user, iss: issuer.origin })}` };
  expect(await outcome(server.get('/rpc/whoami', { headers }))).toBe(harbor.user);
  expect(issuer.requests.size).toBe(0);
});

test.each([
  ['http://id.example.com/keys', /Invalid jwt-jwks-uri: must be a URL with https, or with http to this machine/u],
  ['file:///etc/passwd', /Invalid jwt-jwks-uri/u],
])('B50 jwt-jwks-uri = %s prevents the start', async (uri, message) => {
  await expect(serve({ 'jwt-jwks-uri': uri })).rejects.toThrow(message);
});
