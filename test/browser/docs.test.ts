// The documentation site in the browser, below a base path that it does not know.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MountableService } from '../../src/index.ts';
import { createHarbor, type Harbor } from '../support/harbor.ts';
import { startMountedService } from '../support/mounted-service.ts';
import { portOf } from '../support/listen.ts';
import { expectAccessible } from './support/accessibility.ts';
import { closePages, describeInBrowser, sharedChromium } from './support/chromium.ts';
import { type PageWatch, watchPage } from './support/watch-page.ts';

const BASE = '/our/api';

describeInBrowser('the documentation', () => {
  let harbor: Harbor;
  let service: MountableService;
  let host: Server;
  let browser: Browser;

  beforeAll(async () => {
    harbor = await createHarbor();
    service = await startMountedService(harbor, { serverExplorer: true });
    host = createServer(service.createNodeHandler({ basePath: BASE })).listen(0, '127.0.0.1');
    [browser] = await Promise.all([sharedChromium(), once(host, 'listening')]);
  });

  afterAll(async () => {
    await closePages(browser);
    host.close();
    await service.stop();
    await harbor.drop();
  });

  async function open(
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<{ readonly page: Page; readonly watch: PageWatch }> {
    const origin = `http://127.0.0.1:${portOf(host)}`;
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    const watch = await watchPage(page, origin);
    await page.goto(`${origin}${BASE}/explorer/docs${path}`);
    return { page, watch };
  }

  /** One page for all searches: its index is loaded once. */
  let searching: Promise<Page> | undefined;
  function openSearch(): Promise<Page> {
    searching ??= open('/start.html').then(async ({ page }) => {
      // The page listens for keys once its script has run, later than the page counts as loaded.
      await expect
        .poll(async () => (await page.keyboard.press('/'), page.getByRole('searchbox').isVisible()))
        .toBe(true);
      return page;
    });
    return searching;
  }

  test('links lead from page to page without a reload, and back to the explorer', async () => {
    const { page, watch } = await open('');
    await page.evaluate("globalThis.mark = 'kept'");
    await page.getByRole('main').getByRole('link', { name: 'A project of SQL files' }).click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${BASE}/explorer/docs/projects.html`);
    await page.getByRole('navigation').getByRole('link', { name: 'The explorer' }).click();
    await page.getByRole('heading', { name: 'The explorer', level: 1 }).waitFor();
    await page.getByRole('main').getByRole('img').first().scrollIntoViewIfNeeded();
    expect(await page.evaluate('globalThis.mark')).toBe('kept');
    await page.getByRole('link', { name: 'Explorer', exact: true }).click();
    await page.waitForURL(`**${BASE}/`);
    expect(watch.problems()).toEqual([]);
    await page.close();
  });

  test('the search finds a section and opens it', async () => {
    const { page, watch } = await open('/start.html');
    const searchbox = page.getByRole('searchbox');
    // The page listens for keys once its script has run, later than the page counts as loaded.
    await expect.poll(async () => (await page.keyboard.press('/'), searchbox.isVisible())).toBe(true);
    await searchbox.fill('aggregate');
    await page
      .getByRole('option', { name: /Aggregates/u })
      .first()
      .click();
    await page.waitForURL(`**${BASE}/explorer/docs/query-language.html#aggregates`);
    await page.getByRole('heading', { name: 'Aggregates' }).waitFor();
    expect(watch.problems()).toEqual([]);
    await page.close();
  });

  test('the search lists sections by their titles first, and has one button that clears it', async () => {
    const { page } = await open('/start.html');
    const searchbox = page.getByRole('searchbox');
    await expect.poll(async () => (await page.keyboard.press('/'), searchbox.isVisible())).toBe(true);
    await searchbox.fill('upsert');
    await expect
      .poll(async () =>
        (await page.getByRole('option').allInnerTexts()).slice(0, 3).map((text) => /upsert/iu.test(text)),
      )
      .toEqual([true, true, true]);
    // Computed styles do not include the button that browsers draw.
    const rules = '[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText)';
    expect(await page.evaluate(rules)).toContainEqual(expect.stringMatching(/search-cancel-button.*display: none/u));
    await page.close();
  });

  test('the first page has one request and three ways to start, and the pages are in groups', async () => {
    const { page, watch } = await open('');
    const doors = page.getByRole('navigation', { name: 'Where to start' }).getByRole('listitem');
    expect(await doors.getByRole('link').allInnerTexts()).toEqual([
      'Try it',
      'Your own database',
      'A project of SQL files',
    ]);
    expect(await page.getByRole('main').locator('pre').count()).toBe(2);
    expect(await page.locator('.VPSidebar h2').allInnerTexts()).toEqual([
      'Start',
      'Read',
      'Write',
      'Live and clients',
      'Roles and policies',
      'Run',
      'Look up',
    ]);
    expect(watch.problems()).toEqual([]);
    await page.close();
  });

  test.each([
    ['seed', 'projects.html#the-folder'],
    ['map', 'explorer.html#the-explorer'],
    ['cors', 'security.html#network'],
    ['psql', 'projects.html#psql-sql-files-and-tokens'],
    ['not null', 'query-language.html#null-and-booleans'],
    ['rls', 'tokens.html#which-rows-a-role-can-access'],
    ['row level security', 'tokens.html#tokens-roles-and-row-level-security'],
    ['edge function', 'functions.html#functions'],
    ['webhook', 'live.html#channels'],
    ['pricing', '#rowhouse'],
  ])('the search for %s finds %s first', async (words, address) => {
    const page = await openSearch();
    await page.getByRole('searchbox').fill(words);
    const first = page.getByRole('option').first().locator('a');
    await expect.poll(() => first.getAttribute('href')).toBe(`${BASE}/explorer/docs/${address}`);
  });

  // The check takes seconds on a long page, and a scheme or a width changes little of it.
  test.each<[string, string, BrowserContextOptions]>([
    ['light', 'query-language', { colorScheme: 'light' }],
    ['light', '', { colorScheme: 'light' }],
    ['dark', '', { colorScheme: 'dark' }],
    ['phone', '', { viewport: { width: 390, height: 844 } }],
    ['dark', '', { colorScheme: 'dark' }],
    ['dark', 'start', { colorScheme: 'dark' }],
    ['phone', 'start', { viewport: { width: 390, height: 844 } }],
  ])('pages are accessible and fit: %s, %s', async (_, checked, options) => {
    const { page, watch } = await open('/query-language.html', options);
    await page.getByRole('heading', { name: 'The query language', level: 1 }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.goto(new URL(checked === '' ? './' : `${checked}.html`, page.url()).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page);
    expect(watch.problems()).toEqual([]);
    await page.close();
  });
});
