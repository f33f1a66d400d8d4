// Tokens from a cookie (`beyond.md` §5.2): which requests may use it, and what their responses say.
import { expect, test } from 'vitest';
import { signToken } from '../../../tools/token/issue-token.ts';
import { useHarbor } from '../../support/harbor.ts';
import {
  type Answer,
  bearer,
  type Options,
  post,
  type RequestParts,
  SECRET,
  useServers,
} from '../../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

const TOKEN = signToken({ role: harbor.user }, SECRET);
const APP = 'https://app.example';
const COOKIE: Options = { 'jwt-cookie': 'session' };
const HOST = { Host: 'api.example:3000' };
const SELF = { ...HOST, 'Sec-Fetch-Site': 'same-origin' };

type Ask = (headers: Readonly<Record<string, string>>, parts?: RequestParts) => Promise<Answer>;

/** Asks for the role, with the cookie unless the headers contain another one. */
async function serve(options: Options = {}): Promise<Ask> {
  const server = await start({ ...COOKIE, ...options });
  return (headers, parts = {}) =>
    server.get('/rpc/who', {
      ...parts,
      headers: { ...HOST, Cookie: `session=${TOKEN}`, ...parts.headers, ...headers },
    });
}

const REFUSAL = {
  code: 'SVC303',
  details: null,
  hint: 'Send the token in the header Authorization. The operator names pages of other origins with server-cors-allowed-origins',
  message: "The cookie's token was sent from another site",
};

test('B87 a request of the same origin has the role of the token in the cookie', async () => {
  const ask = await serve();
  for (const headers of [
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://api.example:3000' },
    { Origin: 'http://API.example:3000' },
    { Referer: 'https://api.example:3000/page?x=1' },
    { Host: 'api.example:443', Origin: 'https://api.example' },
    {},
  ]) {
    const { status, text } = await ask(headers);
    expect([headers, status, text]).toEqual([headers, 200, JSON.stringify(harbor.user)]);
  }
  const posted = await ask({ Origin: 'https://api.example:3000' }, post({}));
  expect([posted.status, posted.text]).toEqual([200, JSON.stringify(harbor.user)]);
});

test('B87 a request of another site is refused before the token is read', async () => {
  const ask = await serve();
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://api.example:3000' },
    { Origin: 'https://api.example' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'https://evil.example', Referer: 'https://api.example:3000/' },
    { Referer: 'https://api.example:3000.evil.example/' },
    { Referer: 'https://api.example:3000@evil.example/' },
    { Cookie: 'session=unreadable', 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const { status, text, headers: answered } = await ask(headers);
    expect([headers, status, JSON.parse(text)]).toEqual([headers, 403, REFUSAL]);
    expect(answered['www-authenticate']).toBeUndefined();
  }
});

test('B87b without headers of a browser, only GET and HEAD use the cookie', async () => {
  const ask = await serve();
  const statusOf = async (parts: RequestParts): Promise<number> => (await ask({}, parts)).status;
  expect(await statusOf({ method: 'HEAD' })).toBe(200);
  expect(await statusOf(post({}))).toBe(403);
  expect(await statusOf({ method: 'QUERY', headers: { 'Content-Type': 'application/vnd.svc.query' } })).toBe(403);
  expect(await statusOf({ method: 'OPTIONS' })).toBe(403);
});

test('B87c the header Authorization of any scheme wins', async () => {
  const ask = await serve();
  const cross = { 'Sec-Fetch-Site': 'cross-site' };
  expect((await ask({ ...cross, Authorization: 'Basic eDp5' })).text).toBe(JSON.stringify(harbor.anon));
  expect((await ask({ ...cross, ...bearer({ role: harbor.user }) })).text).toBe(JSON.stringify(harbor.user));
});

test('B87d the name is case-sensitive, quotes are removed, the first of two counts, an empty one does not', async () => {
  const ask = await serve();
  const roleWith = async (cookie: string): Promise<unknown> =>
    JSON.parse((await ask({ ...SELF, Cookie: cookie })).text);
  expect(await roleWith(`Session=${TOKEN}`)).toBe(harbor.anon);
  expect(await roleWith(`session="${TOKEN}"`)).toBe(harbor.user);
  expect(await roleWith(`a=1; session=${TOKEN}; session=other`)).toBe(harbor.user);
  expect(await roleWith(`session=; session=${TOKEN}`)).toBe(harbor.anon);
  expect(await roleWith('session=""')).toBe(harbor.anon);
  expect(await roleWith('session=other')).toMatchObject({ code: 'SVC301' });
});

test('B87e named origins and allowed hosts are the site’s own', async () => {
  const origins = await serve({ 'server-cors-allowed-origins': APP });
  const cross = { Origin: APP, 'Sec-Fetch-Site': 'cross-site' };
  const allowed = await origins(cross, post({}));
  expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([200, APP]);
  expect(allowed.headers['access-control-allow-credentials']).toBe('true');
  expect((await origins({ ...cross, Origin: 'https://other.example' })).status).toBe(403);
  const hosts = await serve({ 'server-allowed-hosts': 'api.example, app.example' });
  expect((await hosts({ Origin: `${APP}:8443` }, post({}))).status).toBe(200);
  const refused = await hosts({ Host: 'rebound.example', 'Sec-Fetch-Site': 'cross-site' });
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'SVC136' });
});

test('B87f where the cookie was used and no origin is named, no origin is allowed', async () => {
  const ask = await serve();
  const origin = { Origin: 'https://api.example:3000', ...SELF };
  expect((await ask(origin)).headers['access-control-allow-origin']).toBeUndefined();
  expect((await ask(origin, { method: 'OPTIONS' })).headers['access-control-allow-origin']).toBeUndefined();
  const bearing = await ask({ ...origin, ...bearer({ role: harbor.user }) });
  expect(bearing.headers['access-control-allow-origin']).toBe('*');
  expect((await ask({ ...origin, Cookie: 'other=1' })).headers['access-control-allow-origin']).toBe('*');
});

test('B87g the cookie is not in request.cookies, and responses vary by Cookie', async () => {
  const server = await start(COOKIE);
  const headers = { ...SELF, Cookie: `a=1; session=${TOKEN}; b=2` };
  expect(await server.json('/rpc/setting?name=request.cookies', { headers })).toBe('{"a":"1","b":"2"}');
  const { headers: answered } = await server.get('/berth?limit=0', { headers });
  expect(answered['vary']).toBe('Accept, Prefer, Range, Authorization, Cookie');
});

test('B87h a reload turns the cookie off, and it is ignored without the option', async () => {
  const server = await start({ 'jwt-cookie': null }, { file: 'jwt-cookie = "session"\n' });
  const headers = { 'Sec-Fetch-Site': 'cross-site', Cookie: `session=${TOKEN}` };
  expect((await server.get('/rpc/who', { headers })).status).toBe(403);
  await server.reconfigure('');
  const { status, text } = await server.get('/rpc/who', { headers });
  expect([status, text]).toEqual([200, JSON.stringify(harbor.anon)]);
  expect(await server.json('/rpc/setting?name=request.cookies', { headers })).toBe(`{"session":"${TOKEN}"}`);
});
