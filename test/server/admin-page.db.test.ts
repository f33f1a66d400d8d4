// The page of the admin server: who receives it, with which headers, and which files it loads.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BROWSER, explorerHeaders } from '../support/browser-page.ts';
import { useHarbor } from '../support/harbor.ts';
import { startLocalServer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const PAGE = readFileSync('dist/explorer/admin.html', 'utf8');

const harbor = await useHarbor();

const server = await use(startLocalServer(harbor, { 'server-explorer': true, 'server-allowed-hosts': '127.0.0.1' }));

test('a browser receives the page with the security headers of the explorer', async () => {
  const { status, headers, text } = await server.admin('/', { headers: BROWSER });
  expect([status, text]).toEqual([200, PAGE]);
  const { date: _date, etag, ...others } = headers;
  expect(etag).toMatch(/^W\/"[\w-]{43}"$/u);
  expect(others).toEqual(explorerHeaders(PAGE));
});

test('every file that the page loads exists and comes from the same server', async () => {
  const addresses = [...PAGE.matchAll(/(?:src|href)="([^"]*)"/gu)].map(([, address = '']) => address);
  expect(addresses.length).toBeGreaterThan(1);
  for (const address of addresses) {
    expect(address).toMatch(/^\.\/explorer\/[\w-]+\.(?:js|css|svg)$/u);
    const { status, headers } = await server.admin(address.slice(1));
    expect([address, status, headers['cache-control']]).toEqual([address, 200, 'public, max-age=31536000, immutable']);
  }
});

test('programs receive 404 at /, and so do requests for unknown files', async () => {
  expect((await server.admin('/')).status).toBe(404);
  for (const target of ['/explorer/none.js', '/explorer/../admin.html', '/admin.html'])
    expect([target, (await server.admin(target, { headers: BROWSER })).status]).toEqual([target, 404]);
});

test('requests with another host receive neither the page nor its files', async () => {
  const [, address = ''] = /src="\.(\/explorer\/[^"]*)"/u.exec(PAGE) ?? [];
  for (const target of ['/', address]) {
    const answer = await server.admin(target, { headers: { ...BROWSER, Host: 'rebound.example' } });
    expect([target, answer.status]).toEqual([target, 403]);
  }
});

test('without server-explorer there is no page, but /status still answers', async () => {
  const plain = await startLocalServer(harbor);
  try {
    const targets = ['/', '/status'];
    const answers = await Promise.all(targets.map((target) => plain.admin(target, { headers: BROWSER })));
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  } finally {
    await plain.stop();
  }
});
