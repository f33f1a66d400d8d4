// The pages of docs/live.md in a browser: a board by EventSource behind a cookie session of a program that mounts the
// API, a component with a token, and the events of a channel.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HostSession, type MountableService, startService } from '../../src/index.ts';
import { readPage } from '../docs/read-page.ts';
import { PUBLICATION, useLiveHarbor } from '../server/live/live-harbor.ts';
import { SECRET } from '../support/local-server.ts';
import { closePages, describeInBrowser, sharedChromium } from './support/chromium.ts';
import { signToken } from '../../tools/token/issue-token.ts';

const ORIGIN = 'http://localhost:3000';
const BLOCKS = readPage(readFileSync(new URL('../../docs/live.md', import.meta.url), 'utf8'));
const [BOARD = '', CHANNEL = ''] = BLOCKS.filter(({ language }) => language === 'html').map(({ text }) => text);
const COMPONENT = BLOCKS.find(({ text }) => text.includes('function Board('))?.text ?? '';
const LIVE = fileURLToPath(new URL('../../packages/live/src/index.ts', import.meta.url));

/** Bundles the component of the recipe, with Preact in place of React. */
async function bundleComponent(): Promise<string> {
  const folder = mkdtempSync(join(fileURLToPath(new URL('../../.rowhouse/', import.meta.url)), 'recipe-'));
  const main = `import { createElement, render } from 'react';
import { connect } from '@rowhouse/live';
import { Board } from './board.jsx';
const live = connect({ url: '/api', token: new URLSearchParams(location.search).get('token') });
const show = (shown) => render(shown && createElement(Board, { live, path: '/notes?select=id,title' }), document.body);
window.leave = () => show(false);
show(true);`;
  writeFileSync(join(folder, 'main.jsx'), main);
  writeFileSync(join(folder, 'board.jsx'), COMPONENT);
  try {
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      resolve: { alias: { react: 'preact/compat', '@rowhouse/live': LIVE } },
      build: { write: false, lib: { entry: 'main.jsx', formats: ['es'] } },
    });
    const [{ output }] = built as unknown as [{ readonly output: readonly [{ readonly code: string }] }];
    return output[0].code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PAGES: Readonly<Record<string, string>> = {
  '/board': BOARD,
  '/channel': CHANNEL,
  '/react': '<script type="module" src="/react.js"></script>',
};

describeInBrowser('the recipes for live responses', () => {
  let service: MountableService;
  let host: Server;
  let browser: Browser;
  let run: (sql: string) => Promise<void>;
  let user = '';
  let origin = '';
  const opened: Page[] = [];
  let component = '';
  /** Responses of the API that have not ended. */
  let openCount = 0;
  /** Requests that the host still refuses. */
  let refusals = 0;

  beforeAll(async () => {
    const harbor = await useLiveHarbor(
      ({ anon, user: role }) => `
      create table api.notes (id int primary key generated always as identity, owner text, topic text, title text);
      alter table api.notes enable row level security;
      create policy own on api.notes using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
      create domain "text/event-stream" as text;
      create function api.note_events() returns setof "text/event-stream" language sql stable as $$ values ('notes') $$;
      grant select on api.notes to ${anon}, ${role};
      create publication ${PUBLICATION} for table api.notes;`,
    );
    run = (sql) => harbor.sql(sql);
    user = harbor.user;
    service = await startService({
      options: {
        dbUri: harbor.uri,
        dbSchemas: ['api'],
        dbAnonRole: harbor.anon,
        jwtSecret: SECRET,
        livePublication: PUBLICATION,
      },
      environment: {},
      output: { writeOut: () => {}, writeError: () => {} },
    });
    const options = { basePath: '/api' };
    const byCookie = service.createNodeHandler({ ...options, authenticate: ({ headers }) => sessionOf(headers, user) });
    const byToken = service.createNodeHandler(options);
    component = await bundleComponent();
    host = createServer((request, response) => {
      if (request.url === '/react.js') return response.setHeader('Content-Type', 'text/javascript').end(component);
      const isForApi = request.url?.startsWith('/api/') === true;
      if (isForApi) {
        openCount += 1;
        response.on('close', () => (openCount -= 1));
      }
      if (isForApi && refusals > 0) {
        refusals -= 1;
        response.writeHead(503).end();
      } else serve(request, response, { byCookie, byToken });
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    browser = await sharedChromium();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    await run('truncate api.notes');
  });

  afterAll(async () => {
    await closePages(browser);
    host.closeAllConnections();
    host.close();
    await service.stop();
  });

  async function open(path: string, session?: string): Promise<Page> {
    const context = await browser.newContext();
    if (session !== undefined) await context.addCookies([{ name: 'session', value: session, url: origin }]);
    const page = await context.newPage();
    opened.push(page);
    await page.goto(origin + path);
    return page;
  }

  const insert = (owner: string, title: string): Promise<void> =>
    run(`insert into api.notes (owner, topic, title) values ('${owner}', 'offer', '${title}')`);

  test('B71c EventSource behind a cookie shows each session its own rows, and how they change', async () => {
    await insert('ann', 'Plums');
    const [ann, bob] = [await open('/board', 'ann'), await open('/board', 'bob')];
    await expect.poll(() => items(ann)).toEqual(['Plums']);
    await insert('bob', 'Pears');
    await expect.poll(() => items(bob)).toEqual(['Pears']);
    await run(`update api.notes set title = 'Plum jam' where owner = 'ann'`);
    await expect.poll(() => items(ann)).toEqual(['Plum jam']);
    await run(`update api.notes set owner = 'ann' where owner = 'bob'`);
    await expect.poll(() => items(bob)).toEqual([]);
    await expect.poll(() => items(ann)).toEqual(['Plum jam', 'Pears']);
    await run(`delete from api.notes where title = 'Plum jam'`);
    await expect.poll(() => items(ann)).toEqual(['Pears']);
  });

  test('B71e after an error status, the page tries again', async () => {
    await insert('ann', 'Plums');
    refusals = 1;
    const page = await open('/board', 'ann');
    await expect.poll(() => items(page), { timeout: 20_000 }).toEqual(['Plums']);
    expect(refusals).toBe(0);
  });

  test('B71f a component shows rows, and ends the response when it is removed', async () => {
    await insert('ann', 'Plums');
    const page = await open(`/react?token=${signToken({ role: user, sub: 'ann' }, SECRET)}`);
    await expect.poll(() => items(page)).toEqual(['Plums']);
    await insert('ann', 'Pears');
    await expect.poll(() => items(page)).toEqual(['Plums', 'Pears']);
    await run(`delete from api.notes where title = 'Plums'`);
    await expect.poll(() => items(page)).toEqual(['Pears']);
    expect(openCount).toBe(1);
    await page.evaluate('window.leave()');
    await expect.poll(() => openCount).toBe(0);
    const refused = await open('/react?token=none');
    await expect.poll(() => refused.getByRole('alert').count()).toBe(1);
  });

  test('B45f a page shows rows that a channel announces', async () => {
    await insert('ann', 'Plums');
    const page = await open('/channel', 'ann');
    await expect.poll(() => items(page)).toEqual(['Plums']);
    await run(`select pg_notify('notes', '{"title": "Pears"}')`);
    await expect.poll(() => items(page)).toEqual(['Pears', 'Plums']);
  });
});

interface Handlers {
  readonly byCookie: (request: IncomingMessage, response: ServerResponse) => void;
  readonly byToken: (request: IncomingMessage, response: ServerResponse) => void;
}

function serve(request: IncomingMessage, response: ServerResponse, { byCookie, byToken }: Handlers): void {
  const page = PAGES[(request.url ?? '').split('?')[0] ?? ''];
  if (page !== undefined) {
    response.setHeader('Content-Type', 'text/html');
    response.end(page.replaceAll(ORIGIN, '/api'));
  } else if (request.url?.startsWith('/api/') !== true) response.writeHead(404).end();
  else if (request.headers.cookie === undefined) byToken(request, response);
  else byCookie(request, response);
}

function sessionOf({ cookie }: IncomingMessage['headers'], role: string): HostSession | undefined {
  const sub = /session=(\w+)/u.exec(cookie ?? '')?.[1];
  return sub === undefined ? undefined : { role, claims: { sub } };
}

function items(page: Page): Promise<readonly string[]> {
  return page.locator('li').allInnerTexts();
}
