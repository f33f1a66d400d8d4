// Limits of the rate of each client (`beyond.md` §3.5). The rates are per hour, so that no quota grows during a test.
import { beforeEach, expect, test } from 'vitest';
import { startService } from '../../../src/index.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, bearer, post, SECRET, sendRequest, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

const server = await use(startLocalServer(harbor, { 'db-config': true, 'server-workers': 1 }, { file: '' }));

/** Quotas outlive a reload, so each test has clients of its own. */
let testNumber = 0;
beforeEach(() => {
  testNumber += 1;
});

const tokenOf = (claims: Readonly<Record<string, unknown>>): Record<string, string> =>
  bearer({ role: harbor.user, ...claims });
const subject = (name: string): Record<string, string> => tokenOf({ sub: `${name}-${testNumber}` });

async function statuses(count: number, ask: () => Promise<Answer>): Promise<readonly number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await ask()).status);
  return found;
}

const fieldsOf = ({ headers }: Answer): unknown => [
  headers['retry-after'],
  headers['ratelimit'],
  headers['ratelimit-policy'],
];

test('B84 beyond the rate, requests get 429 with Retry-After and the fields of the draft', async () => {
  await server.reconfigure('server-rate-limit = "2/h burst 3"');
  const ask = (): Promise<Answer> =>
    server.get('/berth?id=eq.1', { headers: { ...subject('ada'), Origin: 'https://a.example' } });
  expect(fieldsOf(await ask())).toEqual([undefined, '"default";r=2;t=1800', '"default";q=3;w=5400']);
  expect(fieldsOf(await ask())).toEqual([undefined, '"default";r=1;t=1800', '"default";q=3;w=5400']);
  const last = await ask();
  expect([last.status, fieldsOf(last)]).toEqual([200, [undefined, '"default";r=0;t=1800', '"default";q=3;w=5400']]);
  expect(last.headers['access-control-expose-headers']).toMatch(/, RateLimit, RateLimit-Policy$/u);
  const denied = await ask();
  expect([denied.status, fieldsOf(denied)]).toEqual([429, ['1800', '"default";r=0;t=1800', '"default";q=3;w=5400']]);
  expect(denied.headers['access-control-expose-headers']).toContain('RateLimit, RateLimit-Policy');
  expect(JSON.parse(denied.text)).toEqual({
    code: 'SVC006',
    message: 'Too many requests',
    details: 'A client may send 2/h burst 3',
    hint: 'Try again in 1800 seconds. The operator sets this limit with server-rate-limit',
  });
  expect((await server.get('/berth', { headers: subject('bob') })).status).toBe(200);
});

test('B84j counts subjects, then roles of tokens, then addresses', async () => {
  await server.reconfigure('server-rate-limit = "1/h burst 2"\nserver-trusted-proxies = "127.0.0.1"');
  expect(await statuses(3, () => server.get('/berth', { headers: subject('ada') }))).toEqual([200, 200, 429]);
  expect(await statuses(3, () => server.get('/berth', { headers: tokenOf({ n: 1 }) }))).toEqual([200, 200, 429]);
  expect((await server.get('/berth', { headers: tokenOf({ n: 2 }) })).status).toBe(429);
  const from = (address: string) => (): Promise<Answer> =>
    server.get('/berth', { headers: { 'X-Forwarded-For': address } });
  expect(await statuses(3, from('198.51.100.1'))).toEqual([200, 200, 429]);
  expect((await from('198.51.100.2')()).status).toBe(200);
  // Tokens that fail are counted too, whatever they claim.
  const forged = (): Promise<Answer> =>
    server.get('/berth', {
      headers: { ...subject('eve'), Authorization: 'Bearer a.b.c', 'X-Forwarded-For': '198.51.100.3' },
    });
  expect(await statuses(3, forged)).toEqual([401, 401, 429]);
});

test('B84k counts by role, by another claim, or by address', async () => {
  const ask = (claims: Readonly<Record<string, unknown>>) => server.get('/berth', { headers: tokenOf(claims) });
  await server.reconfigure('server-rate-limit = "1/h burst 2"\nserver-rate-limit-by = "claim:$$.org.id"');
  expect(await statuses(3, () => ask({ sub: String(Math.random()), org: { id: 7 } }))).toEqual([200, 200, 429]);
  expect((await ask({ org: { id: 8 } })).status).toBe(200);
  await server.reconfigure('server-rate-limit = "1/h burst 2"\nserver-rate-limit-by = "role"');
  expect(await statuses(3, () => server.get('/berth'))).toEqual([200, 200, 429]);
  await server.reconfigure('server-rate-limit = "1/h burst 2"\nserver-rate-limit-by = "address"');
  expect(await statuses(3, () => ask({ sub: String(Math.random()) }))).toEqual([200, 200, 429]);
});

test('B84l roles have limits of their own', async () => {
  const ask = (): Promise<Answer> => server.get('/berth', { headers: subject('ada') });
  await harbor.sql(`alter role ${harbor.user} set svc.rate_limit = '1/h burst 4'`);
  await server.reconfigure('');
  expect(await statuses(5, ask)).toEqual([200, 200, 200, 200, 429]);
  expect((await server.get('/berth')).headers['ratelimit']).toBeUndefined();
  await harbor.sql(`alter role ${harbor.user} set svc.rate_limit = 'none'`);
  await server.reconfigure('server-rate-limit = "1/h"');
  expect(await statuses(2, ask)).toEqual([200, 200]);
  await harbor.sql(`alter role ${harbor.user} set svc.rate_limit = 'often'`);
  await server.reconfigure('server-rate-limit = "1/h"');
  expect(await statuses(2, ask)).toEqual([200, 429]);
  await server.logged(
    /Ignored: svc.rate_limit of the role \S+_user, which must be none or a rate such as 50\/s, not "often"/u,
  );
  await harbor.sql(`alter role ${harbor.user} reset svc.rate_limit`);
});

test('B84m denies long bodies before they are sent, and counts what it denies', async () => {
  await server.reconfigure('server-rate-limit = "1/h"');
  const headers = subject('ada');
  expect((await server.get('/berth', { headers })).status).toBe(200);
  const body = JSON.stringify([{ id: 9, name: 'x'.repeat(200_000) }]);
  const denied = await server.get('/berth', {
    ...post(null),
    body,
    headers: { ...headers, 'Content-Type': 'application/json', Expect: '100-continue' },
  });
  expect([denied.status, denied.headers.connection]).toEqual([429, 'close']);
  const { text } = await server.admin('/metrics');
  expect(text).toMatch(/^svc_http_refused_total\{reason="server-rate-limit"\} [1-9]/mu);
  expect(text).toMatch(/^svc_rate_limit_buckets [1-9]/mu);
  expect(text).toContain('svc_rate_limit_evictions_total 0.0');
});

test('B84n preflights are free, and nothing is limited without the extension', async () => {
  await server.reconfigure('server-rate-limit = "1/h"\nserver-rate-limit-by = "address"');
  const preflight = {
    method: 'OPTIONS',
    headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' },
  };
  for (let index = 0; index < 3; index += 1) expect((await server.get('/berth', preflight)).status).toBe(200);
  await server.reconfigure('server-rate-limit = "1/h"\nextensions = "stream"');
  const ask = (): Promise<Answer> => server.get('/berth', { headers: subject('ada') });
  expect(await statuses(3, ask)).toEqual([200, 200, 200]);
  expect((await ask()).headers).not.toHaveProperty('ratelimit');
});

test.each([
  ['server-rate-limit = "fast"', /Invalid server-rate-limit: must be a rate such as/u],
  ['server-rate-limit-by = "name"', /Invalid server-rate-limit-by: must be role, address or claim:PATH, not "name"\./u],
  ['server-rate-limit-by = "claim:$$["', /Invalid server-rate-limit-by: the path of the claim cannot be parsed/u],
  ['server-trusted-proxies = "proxy.local"', /Invalid server-trusted-proxies: must list addresses/u],
])('B84o refuses %s', async (file, message) => {
  await server.reconfigure(file);
  expect(server.err.at(-1)).toMatch(message);
});

test('B84p applies in a mounted service, to the session of the host', async () => {
  const service = await startService({
    options: { dbUri: harbor.uri, dbSchemas: ['api'], jwtSecret: SECRET, serverRateLimit: '1/h burst 2' },
    environment: {},
    output: { writeOut: () => {}, writeError: () => {} },
  });
  const authenticate = (request: Request) => ({ role: harbor.user, claims: { sub: request.headers.get('user') } });
  const handler = service.createFetchHandler({ authenticate });
  const ask = async (user: string): Promise<number> =>
    (await handler(new Request('http://host/berth', { headers: { user } }))).status;
  expect([await ask('a'), await ask('a'), await ask('a'), await ask('b')]).toEqual([200, 200, 429, 200]);
  expect(service.renderMetrics()).toContain('svc_http_refused_total{reason="server-rate-limit"} 1.0');
  await service.stop();
});

test('B84q workers share quotas', async () => {
  const many = await startLocalServer(harbor, { 'server-workers': 2, 'server-rate-limit': '1/h burst 10' });
  const ask = (): Promise<Answer> => sendRequest({ host: '127.0.0.1', port: many.port, path: '/berth' });
  const found = await Promise.all(Array.from({ length: 30 }, async () => (await ask()).status));
  expect(found.filter((status) => status === 200)).toHaveLength(10);
  expect(found.filter((status) => status === 429)).toHaveLength(20);
  expect(await many.metric('rate_limit_buckets')).toBe(1);
  await many.stop();
});
