// What the explorer of `rowhouse dev DIR` shows about saves: broken files, questions, and what has changed in the place
// that is open. One project and one program, without a terminal; each test begins and ends with the same files.
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { withDatabase } from '../../tools/embedded/script/sql-session.ts';
import { sendRequest } from '../support/local-server.ts';
import { adminUri, runSql } from '../support/database.ts';
import { useFolders, writeFiles } from '../tools/project/folder.ts';
import { type StartedDev, useDev } from '../tools/project/started-dev.ts';
import { expectAccessible, expectContrast } from './support/accessibility.ts';
import { closePages, describeInBrowser, sharedChromium } from './support/chromium.ts';
import { focusEditor, shownUrl } from './support/request-editor.ts';
import { type PageWatch, watchPage } from './support/watch-page.ts';

const ORDERS = 'schema/orders.sql';
const orders = (columns: string): string => `create table api.orders (\n  id int primary key,\n  ${columns}\n);\n`;
const FILES = { 'schema/api.sql': 'create schema api;', [ORDERS]: orders('total numeric, note text') };
const NARROW = { width: 390, height: 800 };

const barOf = (page: Page): Locator => page.locator('.save-bar');
const linesOf = async (locator: Locator): Promise<readonly string[]> =>
  (await locator.innerText()).split('\n').filter((line) => line.trim() !== '');

describeInBrowser('saves of a project', () => {
  const makeFolder = useFolders();
  const start = useDev();
  const name = `saves_${randomBytes(4).toString('hex')}`;
  const folder = makeFolder({ ...FILES, 'seed/orders.sql': '' });
  const fill = (): Promise<void> =>
    runSql(
      withDatabase(adminUri(), `${name}_dev`),
      `truncate api.orders; insert into api.orders values (1, 10, 'first'), (2, 20, 'second'), (3, 30, null)`,
    );
  let dev: StartedDev;
  let browser: Browser;
  let context: BrowserContext;
  let watches: PageWatch[] = [];

  beforeAll(async () => {
    await runSql(adminUri(), `create database ${name}`);
    const program = start(folder, withDatabase(adminUri(), name));
    [dev, browser] = await Promise.all([program, sharedChromium()]);
    await fill();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(30_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterEach(async () => {
    const problems = watches.flatMap((watch) => watch.problems());
    watches = [];
    await Promise.all(context.pages().map((page) => page.close()));
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  afterAll(async () => {
    await closePages(browser);
    for (const suffix of ['', '_dev', '_shadow'])
      await runSql(adminUri(), `drop database if exists ${name}${suffix} with (force)`);
  });

  const origin = (): string => `http://127.0.0.1:${dev.port}`;
  const keyOf = (): string => /\/#key=([\w-]+)\n/u.exec(dev.program.stdout())?.[1] ?? '';

  async function open(hash: string, hasKey = true): Promise<Page> {
    const page = await context.newPage();
    watches.push(await watchPage(page, origin()));
    if (hasKey) await page.addInitScript(`sessionStorage.setItem('rowhouse.key', '${keyOf()}')`);
    const news = page.waitForResponse((response) => response.url().endsWith('/explorer/dev/news'));
    await page.goto(`${origin()}/${hash}`);
    await news;
    return page;
  }

  const restore = (): Promise<string> => dev.save(FILES);

  test('P12 a broken file is shown with its place, and correcting it clears the bar', async () => {
    const page = await open('#/orders');
    await page.getByRole('gridcell', { name: 'first' }).waitFor();
    await dev.save({ [ORDERS]: orders('total numerical, note text') });
    const alert = barOf(page).getByRole('alert');
    await alert.waitFor();
    expect(await linesOf(alert)).toEqual([
      'A file of the project is broken.',
      'schema/orders.sql:3:9 type "numerical" does not exist',
      '  3 |   total numerical, note text',
      '    |         ^',
      'Copy schema/orders.sql:3',
      'The previous schema stays in use.',
    ]);
    await page.getByRole('button', { name: 'Copy schema/orders.sql:3' }).press('Enter');
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('schema/orders.sql:3');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page);
    // A page that is opened now shows it too; the rows are still served.
    const other = await open('#/orders', false);
    await barOf(other).getByText('type "numerical" does not exist').waitFor();
    await other.getByRole('gridcell', { name: 'first' }).waitFor();
    await restore();
    await Promise.all([page, other].map((one) => barOf(one).waitFor({ state: 'hidden' })));
  });

  test('P12 a broken file is shown in a form that is open, and the form stays usable', async () => {
    const page = await open('#/orders');
    await page.getByRole('button', { name: 'Insert' }).click();
    const form = page.getByRole('dialog');
    const note = form.getByRole('textbox', { name: /^note/u });
    await note.fill('half a sen');
    await dev.save({ [ORDERS]: orders('total numerical, note text') });
    const alert = form.getByRole('alert');
    await alert.getByText('schema/orders.sql:3:9').waitFor();
    await alert.getByRole('button', { name: 'Copy schema/orders.sql:3' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await note.inputValue()).toBe('half a sen');
    await expectAccessible(page);
    await page.setViewportSize(NARROW);
    await expect.poll(() => form.getByRole('button', { name: 'Insert' }).isVisible()).toBe(true);
    await restore();
    await alert.waitFor({ state: 'detached' });
    expect(await note.inputValue()).toBe('half a sen');
  });

  test('P12 hints are shown, passwords are masked, and a narrow window has room', async () => {
    const page = await open('#/orders');
    await page.setViewportSize(NARROW);
    const sql = `alter role nobody password 'never-shown' valid until 'infinity'; -- ${'long '.repeat(30)}`;
    await dev.save({ 'schema/z.sql': sql });
    const alert = barOf(page).getByRole('alert');
    await alert.waitFor();
    const lines = await linesOf(alert);
    expect(lines.slice(0, 2)).toEqual([
      'A file of the project is broken.',
      'schema/z.sql:1:1 roles belong to the whole server, not to the schema',
    ]);
    expect(lines[2]).toContain(`1 | alter role nobody password '***********' valid until '********';`);
    expect(lines.slice(4)).toEqual([
      'HINT: Move this statement to roles.sql.',
      'Copy schema/z.sql:1',
      'The previous schema stays in use.',
    ]);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width);
    await dev.remove('schema/z.sql');
    await barOf(page).waitFor({ state: 'hidden' });
  });

  test('P10 a loss is asked with its counts on all pages; the answer of one counts for all', async () => {
    const [first, second, stranger] = [await open('#/orders'), await open('#/orders'), await open('#/orders', false)];
    await dev.save({ [ORDERS]: orders('total numeric') });
    for (const page of [first, second]) {
      const alert = barOf(page).getByRole('alert');
      await alert.waitFor();
      expect(await linesOf(alert)).toEqual([
        'The last save would lose data.',
        'column orders.note with 2 values',
        'Nothing of it is applied before you answer.',
        'Keep the data',
        'Apply and lose it',
      ]);
    }
    await barOf(stranger).getByText('Answer in the terminal, or open the link that rowhouse dev printed.').waitFor();
    expect(await barOf(stranger).getByRole('button').count()).toBe(0);
    await expectAccessible(first);
    await first.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(first);
    await second.getByRole('button', { name: 'Keep the data' }).press('Enter');
    for (const page of [first, second, stranger])
      await barOf(page).getByText('The last save was not applied.').waitFor();
    expect(await second.evaluate('document.activeElement.id')).toBe('main');
    expect((await dev.get('/orders?select=note&order=id')).text).toContain('"first"');
    expect(await barOf(stranger).getByRole('button').count()).toBe(0);
    await first.getByRole('button', { name: 'Ask again' }).press('Enter');
    await barOf(second).getByText('The last save would lose data.').waitFor();
    await second.getByRole('button', { name: 'Keep the data' }).press('Enter');
    await barOf(first).getByText('The last save was not applied.').waitFor();
    await restore();
    await barOf(first).waitFor({ state: 'hidden' });
    await dev.save({ [ORDERS]: orders('total numeric') });
    await first.getByRole('button', { name: 'Apply and lose it' }).click();
    await dev.printed('- column orders.note');
    for (const page of [first, second, stranger]) {
      await barOf(page).getByText('orders has changed.').waitFor();
      await expect.poll(() => barOf(page).getByText('lose data').count()).toBe(0);
    }
    expect((await dev.get('/orders?order=id&limit=1')).text).toBe('[{"id":1,"total":10}]');
    await restore();
    await fill();
  });

  test('P10 another save withdraws the question', async () => {
    const page = await open('#/orders');
    await dev.save({ [ORDERS]: orders('total numeric') });
    await barOf(page).getByText('would lose data').waitFor();
    await restore();
    await barOf(page).waitFor({ state: 'hidden' });
  });

  test('P10 an answer without a valid token is refused', async () => {
    const answer = (headers: Readonly<Record<string, string>>) =>
      sendRequest(
        { host: '127.0.0.1', port: dev.port, path: '/explorer/dev/answer' },
        { method: 'POST', headers, body: '{"id":"1","answer":true}' },
      );
    expect((await answer({})).status).toBe(401);
    expect((await answer({ Authorization: `Bearer ${keyOf()}` })).status).toBe(401);
    expect((await answer({ Origin: 'http://evil.example' })).status).toBe(403);
    const foreign = { headers: { Origin: 'http://evil.example' } };
    const news = await sendRequest({ host: '127.0.0.1', port: dev.port, path: '/explorer/dev/news' }, foreign);
    expect(news.status).toBe(403);
  });

  test('P11 a rename is asked, and the values stay under the new name', async () => {
    const page = await open('#/orders');
    await dev.save({ [ORDERS]: orders('total numeric, remark text') });
    const bar = barOf(page);
    await bar.getByText('Was the column orders.note renamed to remark?').waitFor();
    await bar.getByRole('button', { name: 'Yes, rename it' }).press('Enter');
    await dev.printed('~ column orders.note renamed to remark');
    await bar.getByText('Columns that are gone: note').waitFor();
    await bar.getByText('New columns: remark').waitFor();
    await expectAccessible(page);
    expect((await dev.get('/orders?select=remark&limit=1')).text).toBe('[{"remark":"first"}]');
    await bar.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('columnheader', { name: /^remark/u }).waitFor();
    await bar.waitFor({ state: 'hidden' });
    await dev.save({ [ORDERS]: orders('total numeric,\n  note text -- renamed from remark') });
    await restore();
  });

  test('P17 the description is read again after a save, and what is open stays', async () => {
    const page = await open('#/orders?note=eq.first');
    await page.getByRole('gridcell', { name: '10' }).waitFor();
    await focusEditor(page);
    await page.keyboard.press('End');
    await page.keyboard.insertText('&total=gt.5');
    await page.getByRole('button', { name: 'Insert' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: /^note/u }).fill('half a sen');
    await dev.save({ 'schema/items.sql': 'create table api.items (id int primary key);' });
    await page.locator('aside').getByText('items').waitFor({ state: 'attached' });
    expect(await form.getByRole('textbox', { name: /^note/u }).inputValue()).toBe('half a sen');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await shownUrl(page).textContent()).toMatch(/note=eq\.first.*total=gt\.5/u);
    expect(page.url()).toContain('note=eq.first');
    expect(await page.getByRole('gridcell', { name: '10' }).count()).toBe(1);
    await dev.remove('schema/items.sql');
    await page.locator('aside').getByText('items').waitFor({ state: 'detached' });
  });

  test('P17 a table that is gone while it is open is said plainly', async () => {
    await dev.save({ 'schema/items.sql': 'create table api.items (id int primary key);' });
    const page = await open('#/items');
    await page.getByText('200 OK').waitFor();
    await dev.remove('schema/items.sql');
    const bar = barOf(page);
    await bar.getByText('items is no longer in the API.').waitFor();
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await bar.waitFor({ state: 'hidden' });
    // Rows that were read before stay until another request.
    expect(await page.getByText('200 OK').count()).toBe(1);
  });

  test('P18 Ctrl-C ends the program while pages are open', async () => {
    const page = await open('#/orders');
    watches.at(-1)?.expectLost();
    writeFiles(folder, FILES);
    dev.program.signal('SIGINT');
    expect(await dev.program.ended()).toBe(0);
    await page.close();
  });
});
