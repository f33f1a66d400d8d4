// How the explorer is served: only if enabled, without a token, with headers that confine it to its own server.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, get as sendGet } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { expect, test } from 'vitest';
import { startService, type MountableService } from '../../src/index.ts';
import { BROWSER, EXPLORER_POLICY, explorerHeaders } from '../support/browser-page.ts';
import { useHarbor } from '../support/harbor.ts';
import {
  bearer,
  type LocalServer,
  type Options,
  sendRequest,
  SECRET,
  toProgramOptions,
  useServers,
} from '../support/local-server.ts';
import { listen } from '../support/listen.ts';

const PAGE = readFileSync('dist/explorer/index.html', 'utf8');
const SCRIPT = readdirSync('dist/explorer/explorer').find((name) => name.endsWith('.js')) ?? '';
const SCRIPT_TEXT = readFileSync(`dist/explorer/explorer/${SCRIPT}`, 'utf8');

const harbor = await useHarbor();
const launch = useServers(harbor);

function start(options?: Options, file?: string): Promise<LocalServer> {
  return launch({ 'server-explorer': true, ...options }, file === undefined ? {} : { file });
}

const server = await start({ 'db-anon-role': null });

test('O242 a browser gets the page without a token, with headers that confine it to its own server', async () => {
  const { status, headers, text } = await server.get('/', { headers: BROWSER });
  expect([status, text]).toEqual([200, PAGE]);
  const { date: _date, etag, ...others } = headers;
  expect(etag).toMatch(/^W\/"[\w-]{43}"$/u);
  expect(others).toEqual(explorerHeaders(PAGE));
  expect((await server.get('/', { headers: { ...BROWSER, Authorization: 'Bearer wrong' } })).status).toBe(200);
});

test('the page has no inline scripts or styles, and its URLs are relative', () => {
  expect(PAGE).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/u);
  const addresses = [...PAGE.matchAll(/(?:src|href)="([^"]*)"/gu)].map(([, address]) => address);
  expect(addresses.length).toBeGreaterThan(0);
  expect(addresses.filter((address) => address?.startsWith('./explorer/') !== true)).toEqual([]);
});

test('O242d a page with a matching ETag is not sent again', async () => {
  const { etag = '' } = (await server.get('/', { headers: BROWSER })).headers;
  const again = await server.get('/', { headers: { ...BROWSER, 'If-None-Match': etag } });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
  expect((await server.get('/', { headers: { ...BROWSER, 'If-None-Match': 'W/"other"' } })).status).toBe(200);
});

test('P41 nothing on a server but that of rowhouse dev explains the access of roles', async () => {
  const token = bearer({ role: harbor.user, purpose: 'access', exp: Math.floor(Date.now() / 1000) + 60 });
  const body = JSON.stringify({
    schema: 'api',
    relation: 'boats',
    key: { id: '1' },
    role: harbor.user,
    action: 'update',
  });
  for (const path of ['/explorer/access/row', '/explorer/access/matrix'])
    expect((await server.get(path, { method: 'POST', headers: token, body })).status).toBe(404);
});

test('P51 nothing on a server but that of rowhouse dev reports saves or takes answers about them', async () => {
  const token = bearer({ role: harbor.user, purpose: 'access', exp: Math.floor(Date.now() / 1000) + 60 });
  expect((await server.get('/explorer/dev/news', { headers: token })).status).toBe(404);
  const answer = { method: 'POST', headers: token, body: '{"id":"1","answer":true}' };
  expect((await server.get('/explorer/dev/answer', answer)).status).toBe(404);
});

test('O242b the assets of the page are immutable and need no token', async () => {
  const { status, headers, text } = await server.get(`/explorer/${SCRIPT}`);
  expect([status, text]).toEqual([200, SCRIPT_TEXT]);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'content-security-policy': EXPLORER_POLICY,
  });
  const head = await server.get(`/explorer/${SCRIPT}`, { method: 'HEAD' });
  expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', headers['content-type']]);
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=0.5, br;q=0', 'gzip'],
  ['br;q=0.000, gzip;q=0', undefined],
  ['deflate', undefined],
])('O242c a client that accepts the encodings %s gets %s', async (accepted, encoding) => {
  const response = await fetchBytes(server.port, `/explorer/${SCRIPT}`, { 'Accept-Encoding': accepted });
  expect(response.encoding).toBe(encoding);
  const decode = { br: brotliDecompressSync, gzip: gunzipSync, undefined: (bytes: Buffer) => bytes };
  expect(decode[encoding as 'br'](response.bytes).toString()).toBe(SCRIPT_TEXT);
});

test('O243 requests for anything else are answered as if there were no explorer', async () => {
  expect((await server.get('/explorer/unknown.js')).status).toBe(401);
  expect((await server.get('/explorer/..%2findex.html')).status).toBe(401);
  expect((await server.get('/', { headers: BROWSER, method: 'POST' })).status).toBe(401);
  expect((await server.get('/berth', { headers: BROWSER })).status).toBe(401);
  expect((await server.get('/', { headers: { Accept: 'application/json' } })).status).toBe(401);
  const open = await start();
  expect(await open.json('/explorer/unknown.js')).toMatchObject({ code: 'SVC125' });
  expect(await open.json(`/explorer/${SCRIPT}`, { method: 'DELETE' })).toMatchObject({ code: 'SVC125' });
  expect((await open.get('/')).headers['content-type']).toBe('application/openapi+json; charset=utf-8');
});

test.each<[Options, string, number]>([
  [{ 'server-explorer': false }, 'text/html; charset=utf-8', 404],
  [{ 'server-explorer': null }, 'text/html; charset=utf-8', 404],
  [{ 'db-root-spec': 'api.who' }, 'application/json; charset=utf-8', 404],
])('O243b the explorer is not served with %j', async (options, type, status) => {
  const other = await start(options);
  const page = await other.get('/', { headers: BROWSER });
  expect([page.headers['content-type'], page.text === PAGE]).toEqual([type, false]);
  expect((await other.get(`/explorer/${SCRIPT}`)).status).toBe(status);
});

test.each<[Options]>([[{ dialect: 'postgrest' }], [{ 'openapi-mode': 'disabled' }]])(
  'O242f the explorer is served with %j',
  async (options) => {
    const other = await start(options);
    expect((await other.get('/', { headers: BROWSER })).text).toBe(PAGE);
  },
);

test('O242g a reload turns the explorer on and off', async () => {
  const other = await start({ 'server-explorer': null }, 'server-explorer = false');
  expect((await other.get('/', { headers: BROWSER })).text).not.toBe(PAGE);
  await other.reconfigure('server-explorer = true');
  expect((await other.get('/', { headers: BROWSER })).text).toBe(PAGE);
  await other.reconfigure('server-explorer = false');
  expect((await other.get(`/explorer/${SCRIPT}`)).status).toBe(404);
});

test('requests for the explorer are logged and counted like others', async () => {
  const other = await start({ 'log-level': 'info' });
  await other.get('/', { headers: BROWSER });
  expect(other.out.concat(other.err).filter((line) => line.includes('"GET / HTTP/1.1" 200'))).toHaveLength(1);
});

test('O242e the explorer is served below a base path, with and without a trailing slash', async () => {
  const service: MountableService = await startService({
    options: toProgramOptions({
      'db-uri': harbor.uri,
      'db-schemas': 'api',
      'db-config': false,
      'jwt-secret': SECRET,
      'server-explorer': true,
    }),
    environment: {},
    output: { writeOut: () => {}, writeError: () => {} },
  });
  const answer = service.createFetchHandler({ basePath: '/our/api' });
  const ask = (path: string): Promise<Response> => answer(new Request(`http://localhost${path}`, { headers: BROWSER }));
  expect(await (await ask('/our/api/')).text()).toBe(PAGE);
  expect(await (await ask(`/our/api/explorer/${SCRIPT}`)).text()).toBe(SCRIPT_TEXT);
  const bare = await ask('/our/api');
  expect([bare.status, bare.headers.get('location')]).toEqual([307, './api/']);
  expect((await ask('/')).status).toBe(404);

  const app = express();
  app.use('/api', service.createNodeHandler());
  const host = createServer(app);
  const port = await listen(host);
  const get = (path: string) => sendRequest({ host: '127.0.0.1', port, path }, { headers: BROWSER });
  expect((await get('/api/')).text).toBe(PAGE);
  expect((await get(`/api/explorer/${SCRIPT}`)).text).toBe(SCRIPT_TEXT);
  const redirected = await get('/api');
  expect([redirected.status, redirected.headers.location]).toEqual([307, './api/']);
  host.close();
  await service.stop();
});

interface Fetched {
  readonly encoding: string | undefined;
  readonly bytes: Buffer;
}

function fetchBytes(port: number, path: string, headers: Record<string, string>): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    sendGet({ host: '127.0.0.1', port, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({ encoding: incoming.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
      );
    }).on('error', reject);
  });
}
