// How the documentation site is served: below the files of the explorer, under the same conditions and headers.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BROWSER, EXPLORER_POLICY } from '../support/browser-page.ts';
import { useHarbor } from '../support/harbor.ts';
import { useServers } from '../support/local-server.ts';
import { startMountedService } from '../support/mounted-service.ts';

const INDEX = brotliDecompressSync(readFileSync('dist/docs/index.html.br')).toString();
const SCRIPT = (readdirSync('dist/docs/assets').find((name) => /^app\..*\.js\.br$/u.test(name)) ?? '').replace(
  '.br',
  '',
);

const harbor = await useHarbor();
const launch = useServers(harbor);

await harbor.sql(`create table api.docs (id int primary key); insert into api.docs values (7);
    grant select on api.docs to ${harbor.anon}`);
const server = await launch({ 'server-explorer': true });

test('O245 pages are revalidated, with the policy of the explorer', async () => {
  const { status, headers, text } = await server.get('/explorer/docs/', { headers: BROWSER });
  expect([status, text]).toEqual([200, INDEX]);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    'content-security-policy': EXPLORER_POLICY,
    'x-content-type-options': 'nosniff',
  });
  const again = await server.get('/explorer/docs/index.html', { headers: { 'If-None-Match': headers.etag ?? '' } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('no page has an inline script or style, and all addresses are relative', () => {
  const pages = readdirSync('dist/docs').filter((name) => name.endsWith('.html.br'));
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) {
    const html = brotliDecompressSync(readFileSync(`dist/docs/${page}`)).toString();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|<[^>]*\s(?:style|on\w+)=/u);
    const addresses = [...html.matchAll(/<[^>]*\s(?:src|href)="([^"]*)"/gu)].map(([, address = '']) => address);
    expect(addresses.filter((address) => !/^(?:\.\.?\/|#|https?:)/u.test(address))).toEqual([]);
  }
});

test('O245b assets are immutable, compressed where the client accepts it', async () => {
  const plain = await server.get(`/explorer/docs/assets/${SCRIPT}`);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'content-security-policy': EXPLORER_POLICY,
  });
  expect(plain.text).toBe(brotliDecompressSync(readFileSync(`dist/docs/assets/${SCRIPT}.br`)).toString());
  const compressed = await server.get(`/explorer/docs/assets/${SCRIPT}`, { headers: { 'Accept-Encoding': 'br' } });
  expect(compressed.headers['content-encoding']).toBe('br');
});

test('O245c the path without a slash leads to the start page', async () => {
  const { status, headers } = await server.get('/explorer/docs');
  expect([status, headers.location]).toEqual([307, './docs/']);
});

test('O245d a table called docs is a table; other names are answered as if there were no site', async () => {
  expect(await server.json('/docs')).toEqual([{ id: 7 }]);
  for (const path of ['/explorer/docs/none.html', '/explorer/docs/../docs/index.html.br', '/explorer/docs/assets'])
    expect((await server.get(path)).status).toBe(404);
  expect((await server.get('/explorer/docs/', { method: 'POST' })).status).toBe(404);
});

test('O245e without the explorer there is no site', async () => {
  const other = await launch({ 'server-explorer': false });
  expect((await other.get('/explorer/docs/', { headers: BROWSER })).status).toBe(404);
  expect((await other.get('/explorer/docs')).status).toBe(404);
});

test('O245f the site is served below a base path', async () => {
  const service = await startMountedService(harbor, { serverExplorer: true });
  const answer = service.createFetchHandler({ basePath: '/our/api' });
  const ask = (path: string): Promise<Response> => answer(new Request(`http://localhost${path}`, { headers: BROWSER }));
  expect(await (await ask('/our/api/explorer/docs/')).text()).toBe(INDEX);
  expect((await ask('/our/api/explorer/docs')).headers.get('location')).toBe('./docs/');
  await service.stop();
});
