// The API mounted in another server: `node:http` and Express, under a prefix, with sessions of the host program.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import express from 'express';
import { expect, test } from 'vitest';
import { type HostSession, startService } from '../../../src/index.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, bearer, post, type RequestParts, SECRET, sendRequest } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';
import { listen } from '../../support/listen.ts';

const harbor = await useHarbor();
const errors: string[] = [];

const service = await use(
  startService({
    options: {
      dbUri: harbor.uri,
      dbSchemas: ['api'],
      dbAnonRole: harbor.anon,
      jwtSecret: SECRET,
      serverMaxBodySize: 100_000,
    },
    environment: {},
    output: { writeOut: () => {}, writeError: (line) => errors.push(line) },
  }),
);

type Ask = (path: string, parts?: RequestParts) => Promise<Answer>;

async function mount(listener: RequestListener): Promise<Ask> {
  const port = await listen(await use(createServer(listener)));
  return (path, parts) => sendRequest({ host: '127.0.0.1', port, path }, parts);
}

type Json = Readonly<Record<string, unknown>>;

const HEADERS_ONLY = { 'Content-Type': 'application/json', Prefer: 'return=headers-only' };

test('a node handler at the root answers like a standalone server', async () => {
  const ask = await mount(service.createNodeHandler());
  const read = await ask('/berth?select=id&order=id&limit=1');
  expect([read.status, read.text, read.headers['content-location']]).toEqual([
    200,
    '[{"id":1}]',
    '/berth?limit=1&order=id&select=id',
  ]);
  const created = await ask('/berth', { ...post({ id: 20, name: 'Pier' }), headers: HEADERS_ONLY });
  expect([created.status, created.headers.location]).toEqual([201, '/berth?id=eq.20']);
  expect((await ask('/rpc/who', { headers: bearer({ role: harbor.user }) })).text).toBe(`"${harbor.user}"`);
});

test('under a prefix, paths lose it, locations contain it, and other paths are not found', async () => {
  const ask = await mount(service.createNodeHandler({ basePath: '/api/v1' }));
  const read = await ask('/api/v1/berth?select=id&order=id&limit=1');
  expect([read.status, read.headers['content-location']]).toEqual([200, '/api/v1/berth?limit=1&order=id&select=id']);
  const created = await ask('/api/v1/berth', { ...post({ id: 21, name: 'Pier' }), headers: HEADERS_ONLY });
  expect([created.status, created.headers.location]).toEqual([201, '/api/v1/berth?id=eq.21']);
  for (const path of ['/berth', '/api/v1berth', '/api'])
    expect([path, (await ask(path)).status, JSON.parse((await ask(path)).text)]).toMatchObject([
      path,
      404,
      { code: 'SVC125' },
    ]);
});

test('descriptions contain the mount path, and OpenAPI 3.1 also the requested origin', async () => {
  const ask = await mount(service.createNodeHandler({ basePath: '/api' }));
  const swagger = JSON.parse((await ask('/api')).text) as Json;
  expect([swagger['basePath'], swagger['host'], swagger['schemes']]).toEqual(['/api', undefined, undefined]);
  const headers = { Accept: 'application/vnd.oai.openapi+json;version=3.1' };
  const servers = async (more: Readonly<Record<string, string>>): Promise<unknown> =>
    (JSON.parse((await ask('/api/', { headers: { ...headers, ...more } })).text) as Json)['servers'];
  expect(await servers({ Host: 'shop.example:8080' })).toEqual([{ url: 'http://shop.example:8080/api' }]);
  expect(await servers({ Host: 'shop.example', 'X-Forwarded-Proto': 'https' })).toEqual([
    { url: 'https://shop.example/api' },
  ]);
  expect(await servers({ Host: '"},{"' })).toEqual([{ url: '/api' }]);
  const fetchApi = service.createFetchHandler({ basePath: '/other' });
  const other = await fetchApi(new Request('http://localhost/other/', { headers }));
  expect(await other.json()).toMatchObject({ servers: [{ url: 'http://localhost/other' }] });
});

test('Express: the mount path is detected', async () => {
  const app = express();
  app.use('/api', service.createNodeHandler());
  const ask = await mount(app);
  const read = await ask('/api/berth?select=id&order=id&limit=1');
  expect([read.status, read.text, read.headers['content-location']]).toEqual([
    200,
    '[{"id":1}]',
    '/api/berth?limit=1&order=id&select=id',
  ]);
  const created = await ask('/api/berth', { ...post({ id: 22, name: 'Pier' }), headers: HEADERS_ONLY });
  expect([created.status, created.headers.location]).toEqual([201, '/api/berth?id=eq.22']);
  expect(JSON.parse((await ask('/api?x')).text)).toMatchObject({ basePath: '/api' });
});

test('Express: a body that other middleware has read gets an explanatory error', async () => {
  const app = express();
  app.use(express.json());
  app.use('/api', service.createNodeHandler());
  const ask = await mount(app);
  const refused = await ask('/api/berth', post({ id: 23, name: 'Pier' }));
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    500,
    {
      code: 'SVCX01',
      details: null,
      hint: 'Mount the API before middleware that reads bodies, such as express.json()',
      message: 'The body of the request was read before the API received it',
    },
  ]);
  const chunked = { method: 'POST', headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } };
  expect((await ask('/api/rpc/who', chunked)).status).toBe(500);
  expect((await ask('/api/berth?limit=0')).status).toBe(200);
});

test('request limits apply in a node handler', async () => {
  const ask = await mount(service.createNodeHandler());
  const refused = await ask('/berth', { ...post({}), body: 'x'.repeat(200_000) });
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([413, { code: 'SVC129' }]);
});

test('a client of a node handler that disconnects cancels its statement', async () => {
  const ask = await mount(service.createNodeHandler());
  const hold = await harbor.hold();
  const abort = new AbortController();
  const answer = ask('/rpc/wait_reading', { signal: abort.signal }).catch(() => 'gone');
  await hold.waiting(1);
  abort.abort();
  expect(await answer).toBe('gone');
  await hold.waiting(0);
  await hold.release();
});

function sessionOf(user: string | string[] | null | undefined): HostSession | undefined {
  if (user === 'broken') throw new Error('the store of sessions is away');
  if (user === 'textless') throw Object.create(null);
  if (user === 'none') return { role: 'none' };
  if (user === 'stranger') return { role: 'postgres' };
  if (user === 'list') return { role: harbor.user, claims: [] as never };
  return user === 'ann' ? { role: harbor.user, claims: { email: 'ann@example.org', role: 'other', n: 1 } } : undefined;
}

const BOTH: readonly ['node' | 'fetch', string][] = [
  ['node', 'a node handler'],
  ['fetch', 'a fetch handler'],
];

/** Opens a host whose sessions depend on the header `x-user`. */
async function open(kind: 'node' | 'fetch'): Promise<Ask> {
  if (kind === 'node')
    return mount(
      service.createNodeHandler({
        authenticate: async ({ headers }: IncomingMessage) => sessionOf(await Promise.resolve(headers['x-user'])),
      }),
    );
  const handler = service.createFetchHandler({ authenticate: ({ headers }) => sessionOf(headers.get('x-user')) });
  return async (path, { method = 'GET', headers = {}, body } = {}) => {
    const response = await handler(
      new Request(`http://localhost${path}`, { method, headers, ...(typeof body === 'string' && { body }) }),
    );
    return { status: response.status, text: await response.text(), headers: Object.fromEntries(response.headers) };
  };
}

test.each(BOTH)('the session of the host program determines the role in %s', async (kind) => {
  const ask = await open(kind);
  const as = (user: string): RequestParts => ({ headers: { 'x-user': user, ...bearer({ role: harbor.user }) } });
  expect((await ask('/rpc/who', as('ann'))).text).toBe(`"${harbor.user}"`);
  expect(JSON.parse(JSON.parse((await ask('/rpc/setting?name=request.jwt.claims', as('ann'))).text) as string)).toEqual(
    {
      email: 'ann@example.org',
      n: 1,
      role: harbor.user,
    },
  );
  // The token is ignored.
  expect((await ask('/rpc/who', as('nobody'))).text).toBe(`"${harbor.anon}"`);
  expect((await ask('/rpc/who', { headers: { Authorization: 'Bearer x' } })).text).toBe(`"${harbor.anon}"`);
});

test.each(BOTH)('a role of the host program is checked like the role of a token in %s', async (kind) => {
  const ask = await open(kind);
  const answers = ['none', 'stranger'].map(async (user) => {
    const { status, text } = await ask('/rpc/who', { headers: { 'x-user': user } });
    return [status, (JSON.parse(text) as Readonly<Record<string, unknown>>)['code']];
  });
  const tokens = ['none', 'postgres'].map(async (role) => {
    const handler = service.createFetchHandler();
    const response = await handler(new Request('http://localhost/rpc/who', { headers: bearer({ role }) }));
    return [response.status, ((await response.json()) as Readonly<Record<string, unknown>>)['code']];
  });
  expect(await Promise.all(answers)).toEqual(await Promise.all(tokens));
});

test.each(BOTH)('a session that cannot be resolved is 500, and the log says why, in %s', async (kind) => {
  const ask = await open(kind);
  for (const [user, reason] of [
    ['broken', 'the store of sessions is away'],
    ['list', 'authenticate returned claims that are not an object'],
    ['textless', 'The thrown value cannot be converted to text'],
  ] as const) {
    errors.length = 0;
    const { status, text } = await ask('/berth', { headers: { 'x-user': user } });
    expect([status, JSON.parse(text)]).toEqual([
      500,
      { code: 'SVCX01', details: null, hint: null, message: 'The application could not authenticate the request' },
    ]);
    expect(errors.filter((line) => line.includes(reason))).toHaveLength(1);
  }
});

test.each(BOTH)('a thrown value without a message is handled before a long body, too, in %s', async (kind) => {
  const ask = await open(kind);
  const parts = { method: 'POST', headers: { 'x-user': 'textless' }, body: 'x'.repeat(80_000) };
  const { status, text } = await ask('/berth', parts);
  expect([status, JSON.parse(text)]).toMatchObject([500, { code: 'SVCX01' }]);
});

test.each(BOTH)('authenticate is called once, also for long bodies, in %s', async (kind) => {
  let count = 0;
  const authenticate = (): undefined => void (count += 1);
  const body = JSON.stringify({ id: 30, name: 'x'.repeat(80_000) });
  const headers = { 'Content-Type': 'application/json' };
  if (kind === 'node') {
    const ask = await mount(service.createNodeHandler({ authenticate }));
    expect((await ask('/berth', { method: 'POST', headers, body })).status).toBe(201);
  } else {
    const handler = service.createFetchHandler({ authenticate });
    const again = JSON.stringify({ id: 31, name: 'x'.repeat(80_000) });
    const request = new Request('http://localhost/berth', { method: 'POST', headers, body: again });
    expect((await handler(request)).status).toBe(201);
  }
  expect(count).toBe(1);
});

test.each(BOTH)('requests rejected by a limit are counted in the metrics of the service: %s', async (kind) => {
  const refusals = (): number =>
    Number(/^svc_http_refused_total\{reason="server-max-body-size"\} (.+)$/mu.exec(service.renderMetrics())?.[1] ?? 0);
  const before = refusals();
  const ask = await open(kind);
  const headers = { 'Content-Type': 'application/json' };
  expect((await ask('/berth', { method: 'POST', headers, body: 'x'.repeat(200_000) })).status).toBe(413);
  expect(refusals()).toBe(before + 1);
  expect(service.renderMetrics()).toMatch(
    /^svc_http_requests_total\{method="POST",route="\/berth",status="413"\} [1-9]/mu,
  );
});

test('a missing secret is logged only if tokens identify the client', async () => {
  const logged: string[] = [];
  const own = await startService({
    options: { dbUri: harbor.uri, dbSchemas: ['api'], dbConfig: false, dbChannelEnabled: false },
    environment: {},
    output: { writeOut: () => {}, writeError: (line) => logged.push(line) },
  });
  const count = (): number => logged.filter((line) => line.includes('No request can be served')).length;
  own.createFetchHandler({ authenticate: () => ({ role: harbor.user }) });
  expect(count()).toBe(0);
  own.createNodeHandler();
  own.createFetchHandler();
  expect(count()).toBe(1);
  await own.stop();
});

test.each(['api', '/api/', '/a b', '/a?b', '//a'])('%s is not a valid base path', (basePath) => {
  expect(() => service.createNodeHandler({ basePath })).toThrow('basePath begins with a slash and ends without one');
  expect(() => service.createFetchHandler({ basePath })).toThrow('basePath begins with a slash and ends without one');
});
