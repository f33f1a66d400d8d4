// The admin page for a running and a stopped server.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHarbor, type Harbor } from '../support/harbor.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { expectAccessible } from './support/accessibility.ts';
import { closePages, describeInBrowser, sharedChromium } from './support/chromium.ts';
import { type PageWatch, watchPage } from './support/watch-page.ts';

const SECRET = 'a-secret-that-no-page-may-show-to-anybody';

describeInBrowser('the admin page', () => {
  let harbor: Harbor;
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    harbor = await createHarbor();
    [server, browser] = await Promise.all([start(), sharedChromium()]);
  });

  afterAll(async () => {
    await closePages(browser);
    await server.stop();
    await harbor.drop();
  });

  function start(ports?: Pick<ServerProcess, 'port' | 'adminPort'>): Promise<ServerProcess> {
    const options = {
      'db-uri': harbor.uri,
      'db-schemas': 'api',
      'db-anon-role': harbor.anon,
      'jwt-secret': SECRET,
      'server-explorer': true,
      'log-level': 'crit',
    };
    return startServerProcess(options, ports === undefined ? {} : { ports });
  }

  async function open(
    { adminPort }: ServerProcess,
    options: Parameters<Browser['newPage']>[0] = {},
  ): Promise<{ readonly page: Page; readonly watch: PageWatch }> {
    const origin = `http://127.0.0.1:${adminPort}`;
    const page = await browser.newPage(options);
    const watch = await watchPage(page, origin);
    await page.goto(`${origin}/`);
    await page.getByText('Ready', { exact: true }).waitFor();
    return { page, watch };
  }

  test('the page shows requests and errors live, but no secrets', async () => {
    const { page, watch } = await open(server);
    const api = `http://127.0.0.1:${server.port}`;
    for (const path of ['/berth?id=eq.4711&limit=1', '/gone']) await (await fetch(api + path)).arrayBuffer();
    await page.getByRole('cell', { name: 'GET /berth?id&limit' }).waitFor();
    await page.getByRole('row', { name: /^SVC205 1 404/u }).waitFor();
    await page.getByRole('img', { name: /^Requests per second: requests / }).waitFor();
    await page.getByRole('checkbox', { name: 'Show defaults' }).check();
    const text = await page.locator('body').innerText();
    expect(text).toMatch(/jwt-secret\s+set, hidden/u);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('4711');
    expect(watch.problems()).toEqual([]);
    await page.close();
  });

  test('an option is found by name', async () => {
    const { page } = await open(server);
    await page.getByRole('searchbox', { name: 'Find an option' }).fill('db-pool-acq');
    const options = page.locator('.admin-options > div');
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual([expect.stringMatching(/^db-pool-acquisition-timeout\s+10$/u)]);
    await page.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('it is accessible, %s, %i pixels wide', async (colorScheme, width) => {
    const { page, watch } = await open(server, { colorScheme, viewport: { width, height: 800 } });
    await expectAccessible(page);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(watch.problems()).toEqual([]);
    await page.close();
  });

  test('a hidden page does not poll', async () => {
    const { page } = await open(server);
    const see = (isHidden: boolean): Promise<unknown> =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await page.clock.install();
    await page.reload();
    await page.getByText('Ready', { exact: true }).waitFor();
    await see(true);
    let asked = 0;
    page.on('request', () => (asked += 1));
    await page.clock.runFor(60_000);
    expect(asked).toBe(0);
    await see(false);
    await expect.poll(() => asked).toBe(1);
    await page.close();
  });

  test('the page reports an unreachable server and recovers when it is back', async () => {
    const short = await start();
    const { page } = await open(short);
    await short.stop();
    await page.getByRole('alert').filter({ hasText: 'The admin server does not respond' }).waitFor();
    await page.getByText('Unreachable', { exact: true }).waitFor();
    const again = await start(short);
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await (await fetch(`http://127.0.0.1:${again.port}/berth?limit=2`)).arrayBuffer();
    await page.getByRole('cell', { name: 'GET /berth?limit' }).waitFor();
    await page.close();
    await again.stop();
  });
});
