// The front ends that `rowhouse new` writes, over the databases of their projects.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MountableService, startService } from '../../src/index.ts';
import { signToken } from '../../tools/token/issue-token.ts';
import type { TestDatabase } from '../support/database.ts';
import { createFromTemplate, type Template } from '../support/template-database.ts';
import { useFolders } from '../tools/project/folder.ts';
import { closePages, describeInBrowser, sharedChromium } from './support/chromium.ts';
import { SECRET } from './support/use-explorer.ts';
import { watchPage } from './support/watch-page.ts';

const createFolder = useFolders();

interface FrontEnd {
  readonly page: Page;
  readonly items: (list: string) => Promise<readonly string[]>;
  readonly message: () => Promise<string>;
}

describeInBrowser('the front ends of the templates', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterAll(() => closePages(browser));

  /** @param refusals the statuses of failed requests */
  function useFrontEnd(template: Template, refusals: readonly number[] = []): () => FrontEnd {
    let database: TestDatabase;
    let service: MountableService;
    let host: Server;
    let page: Page;
    let problems: () => readonly string[];
    beforeAll(async () => {
      const folder = createFolder({});
      database = await createFromTemplate(template, folder);
      const options = { dbUri: database.uri, dbSchemas: ['api'], dbAnonRole: 'web_anon', jwtSecret: SECRET };
      service = await startService({ options, environment: {}, output: { writeOut: () => {}, writeError: () => {} } });
      const script = path.join(folder, 'web/app.ts');
      const code = await bundle(script);
      const html = readFileSync(path.join(folder, 'web/index.html'));
      const api = service.createNodeHandler({ basePath: '/api' });
      host = createServer((request, response) => {
        if (request.url?.startsWith('/api/') === true) api(request, response);
        else if (request.url === '/app.ts') response.setHeader('Content-Type', 'text/javascript').end(code);
        else response.setHeader('Content-Type', 'text/html').end(html);
      });
      await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
      page = await (await browser.newContext()).newPage();
      const watch = await watchPage(page, origin);
      for (const status of refusals) watch.expectStatus(status);
      problems = () => watch.problems();
      await page.goto(origin);
    });
    afterAll(async () => {
      await page.context().close();
      host.closeAllConnections();
      host.close();
      await service.stop();
      await database.drop();
      expect(problems()).toEqual([]);
    });
    return () => ({
      page,
      items: (list) => page.locator(`${list} > li`).allInnerTexts(),
      message: () => page.locator('#message').innerText(),
    });
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('Token').fill(signToken({ role: 'web_user', sub: 'ann' }, SECRET));
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  describe('todo', () => {
    const frontEnd = useFrontEnd('todo');
    test('P32b a task is added, done and removed', async () => {
      const { page, items, message } = frontEnd();
      await page.getByLabel('What is to be done?').fill('Polish the bell');
      await page.getByRole('button', { name: 'Add' }).click();
      const item = page.getByRole('listitem').filter({ hasText: 'Polish the bell' });
      await item.getByRole('button', { name: 'Done' }).click();
      await item.getByRole('button', { name: 'Remove' }).click();
      await item.waitFor({ state: 'detached' });
      expect((await items('#list')).length).toBeGreaterThan(0);
      expect(await message()).toBe('');
    });
  });

  describe('shop', () => {
    const frontEnd = useFrontEnd('shop', [401]);
    test('P32c anyone sees what is listed, and customers order', async () => {
      const { page, items, message } = frontEnd();
      const kettle = page.locator('#products > li').filter({ hasText: 'Kettle' });
      await kettle.getByText('Kettle, 39.90 (12 left)').waitFor();
      expect(await items('#products')).toEqual([
        'Cup, 6.00 (80 left) Buy',
        'Kettle, 39.90 (12 left) Buy',
        'Teapot, 24.50 (5 left) Buy',
      ]);
      await kettle.getByRole('button', { name: 'Buy' }).click();
      await expect.poll(message).toBe('permission denied for function place_order');
      await signIn(page);
      await page.getByText('1: 1 × Kettle, 4 × Cup').waitFor();
      await kettle.getByRole('button', { name: 'Buy' }).click();
      await kettle.getByText('Kettle, 39.90 (11 left)').waitFor();
      await expect.poll(() => items('#orders')).toEqual(['3: 1 × Kettle', '1: 1 × Kettle, 4 × Cup']);
      expect(await message()).toBe('');
    });
  });

  describe('chat', () => {
    const frontEnd = useFrontEnd('chat');
    test('P32d a member reads and writes, and enters a room again', async () => {
      const { page, items, message } = frontEnd();
      await page.getByText('Kitchen').waitFor();
      expect(await items('#rooms')).toEqual(['Garden Enter', 'Kitchen Enter']);
      await signIn(page);
      const enter = (room: string): Promise<void> =>
        page.locator('#rooms > li').filter({ hasText: room }).getByRole('button', { name: 'Enter' }).click();
      await enter('Kitchen');
      await page.getByText('bob: Second shelf.').waitFor();
      expect(await items('#messages')).toEqual(['ann: Is there any tea left?', 'bob: Second shelf.']);
      await page.getByLabel('Message').fill('Found it');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('ann: Found it').waitFor();
      await enter('Garden');
      await page.getByText('bob: The beans are up.').waitFor();
      await enter('Garden');
      expect(await message()).toBe('');
    });
  });

  describe('tenants', () => {
    const frontEnd = useFrontEnd('tenants');
    test('P32e members see the projects of their organization, add tasks and do them', async () => {
      const { page, items, message } = frontEnd();
      await signIn(page);
      await page.getByText('· Measure the door').waitFor();
      expect(await items('#projects')).toEqual(['Bakery: New oven', '· Measure the door Done']);
      await page.getByLabel('Task').fill('Order bricks');
      await page.getByRole('button', { name: 'Add' }).click();
      const bricks = page.locator('#projects > li').filter({ hasText: '· Order bricks' });
      await bricks.getByRole('button', { name: 'Done' }).click();
      await bricks.waitFor({ state: 'detached' });
      expect(await items('#projects')).toEqual(['Bakery: New oven', '· Measure the door Done']);
      expect(await message()).toBe('');
    });
  });
});

/** Returns one module for the browser, with what the page imports from npm. */
async function bundle(script: string): Promise<string> {
  const client = fileURLToPath(import.meta.resolve('@supabase/postgrest-js'));
  const built = await rolldown({
    input: script,
    platform: 'browser',
    resolve: { alias: { '@supabase/postgrest-js': client } },
  });
  const { output } = await built.generate({ format: 'esm' });
  await built.close();
  return output[0].code;
}
