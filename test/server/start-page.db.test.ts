// The start page at `/`: browsers receive it, other clients do not.
import { expect, test } from 'vitest';
import { BROWSER } from '../support/browser-page.ts';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type Options, useServers } from '../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

await harbor.sql(`create schema "<b>&"`);
const server = await start();

test('a browser gets a page that says what the server is, where it is described and how to query it', async () => {
  const { status, headers, text } = await server.get('/', { headers: BROWSER });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['vary']).toBe('Accept, Prefer, Range, Authorization');
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">\n/u);
  expect(text).toContain('tables, views and functions of a PostgreSQL database');
  expect(text).toContain('<pre>GET /\nAccept: application/openapi+json</pre>');
  expect(text).toContain('set the option <code>server-explorer = true</code>');
  expect(text).toContain('GET /table?column=eq.value&amp;select=');
  expect(text).not.toMatch(/<script|<style|<link|<img|src=|href=|https?:/u);
  const head = await server.get('/', { headers: BROWSER, method: 'HEAD' });
  expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/html; charset=utf-8', '']);
});

test('names of schemas are escaped', async () => {
  const both = await start({ 'db-schemas': 'api,<b>&', 'openapi-version': '3.1' });
  const { text } = await both.get('/', { headers: BROWSER });
  expect(text).toContain('<code>api</code>, <code>&lt;b&gt;&amp;</code>');
  expect(text).toContain('OpenAPI 3.1');
});

test.each([
  'text/html, application/json',
  'text/html;q=0.5, */*',
  'text/html;q=0.8, application/openapi+json',
  'application/json, text/html',
  '*/*',
])('O221 a client that accepts %s gets the description', async (accept) => {
  const { status, headers } = await server.get('/', { headers: { Accept: accept } });
  expect([status, headers['content-type']]).toEqual([200, 'application/openapi+json; charset=utf-8']);
});

test('on other paths, with other methods and without authorization, a browser gets the usual response', async () => {
  expect((await server.get('/berth', { headers: BROWSER })).headers['content-type']).toBe(
    'application/json; charset=utf-8',
  );
  expect(await server.json('/', { headers: BROWSER, method: 'DELETE' })).toMatchObject({ code: 'SVC117' });
  const stranger = bearer({ role: harbor.user }, 'another-secret-of-thirty-two-bytes-or-more');
  expect((await server.get('/', { headers: { ...BROWSER, ...stranger } })).status).toBe(401);
});

test.each<[Options, number, string]>([
  [{ 'openapi-mode': 'disabled' }, 404, 'application/json; charset=utf-8'],
  [{ 'db-root-spec': 'api.who' }, 200, 'application/json; charset=utf-8'],
  [{ dialect: 'postgrest' }, 200, 'application/openapi+json; charset=utf-8'],
])('the page is not served with %j', async (options, status, type) => {
  const other = await start(options);
  const answer = await other.get('/', { headers: BROWSER });
  expect([answer.status, answer.headers['content-type']]).toEqual([status, type]);
});
