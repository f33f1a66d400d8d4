// Loading the keys of an identity provider, within its limits (`beyond.md` §3.3).
import type { RequestListener } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchDocument, type KeySource, loadIssuerKeys } from '../../../src/extensions/issuer/load-issuer-keys.ts';
import { ecKey, publicJwk } from '../../auth/sign-token.ts';
import { keySet, sendJson, startIssuer, type StubIssuer } from '../../support/stub-issuer.ts';

let issuer: StubIssuer;

beforeEach(async () => (issuer = await startIssuer()));
afterEach(() => issuer.stop());

const fetchAt = (path: string): unknown => fetchDocument(`${issuer.origin}${path}`, new AbortController().signal);

test('B50 a document may move within its host, at most three times', async () => {
  const redirect = (location: string): void =>
    issuer.on('/moved', (_, response) => response.writeHead(302, { location }).end());
  issuer.on('/here', sendJson({}, 'max-age=60'));
  redirect('/here');
  expect(await fetchAt('/moved')).toEqual({ ok: true, value: { text: '{}', cacheControl: 'max-age=60' } });
  for (const location of [
    'http://localhost/here',
    'https://id.example.com/',
    'http://169.254.169.254/',
    'file:///etc',
  ]) {
    redirect(location);
    expect(await fetchAt('/moved')).toEqual({ ok: false, error: 'was redirected to another host' });
  }
  redirect('/moved');
  expect(await fetchAt('/moved')).toEqual({ ok: false, error: 'was redirected more than 3 times' });
});

test('B50 a document is read up to its limit, and what breaks off is an error', async () => {
  let sent = 0;
  issuer.on('/endless', (_, response) => {
    const more = (error?: Error | null): void => {
      // On Node 26, a response whose client has gone is destroyed only after this has returned.
      if (error instanceof Error || response.destroyed) return;
      sent += 65_536;
      response.write('x'.repeat(65_536), more);
    };
    more();
  });
  expect(await fetchAt('/endless')).toEqual({ ok: false, error: 'is larger than 256 KiB' });
  // What the sockets of both sides buffer comes on top.
  expect(sent).toBeLessThan(20_000_000);
  issuer.on('/cut', (_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{', () => response.destroy());
  });
  expect(await fetchAt('/cut')).toMatchObject({ ok: false, error: 'could not be fetched: aborted' });
  issuer.on('/switch', (_, response) => {
    response.writeHead(101, { upgrade: 'other', connection: 'upgrade' }).end();
  });
  expect(await fetchAt('/switch')).toMatchObject({ ok: false });
});

/** Each key takes a millisecond to check, so a full document of them would take a second. */
test('B50 a hundred keys are imported, with pauses', async () => {
  const [key, other] = [ecKey('P-521'), publicJwk(ecKey('P-521'))];
  const publish = (count: number): void =>
    issuer.on('/keys', sendJson({ keys: Array.from({ length: count }, () => other) }));
  const load = (): ReturnType<typeof loadIssuerKeys> =>
    loadIssuerKeys({ kind: 'keySet', uri: `${issuer.origin}/keys` }, new AbortController().signal);
  issuer.on('/keys', sendJson(keySet({ a: key })));
  expect(await load()).toMatchObject({ ok: true, value: { keys: [{ kid: 'a' }], lifetime: 3600 } });
  publish(100);
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  expect(await load()).toMatchObject({ ok: true, value: { keys: { length: 100 } } });
  clearInterval(count);
  expect(turns).toBeGreaterThan(5);
  publish(101);
  expect(await load()).toEqual({
    ok: false,
    error: `The key set ${issuer.origin}/keys contains 101 keys, more than 100`,
  });
});

const LATE = 'did not arrive within 5 seconds';
const DRIPPING: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(timer));
};

/** Collects garbage again and again, so that a signal which nothing holds is lost. */
function keepCollecting(): NodeJS.Timeout {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return setInterval(collect, 300);
}

test('B50 loading ends after five seconds, however slow the provider is, also when garbage is collected', async () => {
  issuer.on('/silent', () => undefined);
  issuer.on('/dripping', DRIPPING);
  issuer.on('/headers', (request) => {
    const timer = setInterval(() => request.socket.write('x-a: b\r\n'), 200);
    request.socket.on('close', () => clearInterval(timer)).write('HTTP/1.1 200 OK\r\n');
  });
  issuer.on(
    '/moved',
    (_, response) => void setTimeout(() => response.writeHead(302, { location: '/moved' }).end(), 3000),
  );
  // Both documents together have one limit.
  issuer.on('/.well-known/openid-configuration', (request, response) => {
    const content = { issuer: issuer.origin, jwks_uri: `${issuer.origin}/dripping` };
    setTimeout(() => sendJson(content)(request, response), 3000);
  });
  const load = (source: KeySource): ReturnType<typeof loadIssuerKeys> =>
    loadIssuerKeys(source, new AbortController().signal);
  const collecting = keepCollecting();
  const loads = ['/silent', '/dripping', '/headers', '/moved'].map((path) =>
    load({ kind: 'keySet', uri: `${issuer.origin}${path}` }),
  );
  const outcomes = await Promise.all([...loads, load({ kind: 'discovery', issuer: issuer.origin })]);
  clearInterval(collecting);
  expect(outcomes).toEqual(
    ['/silent', '/dripping', '/headers', '/moved', '/dripping'].map((path) => ({
      ok: false,
      error: `The key set ${issuer.origin}${path} ${LATE}`,
    })),
  );
}, 20_000);

test('B50 loading ends at once when it is stopped', async () => {
  const stop = new AbortController();
  issuer.on('/keys', () => stop.abort());
  const uri = `${issuer.origin}/keys`;
  expect(await loadIssuerKeys({ kind: 'keySet', uri }, stop.signal)).toEqual({
    ok: false,
    error: `The key set ${uri} is no longer needed`,
  });
});
