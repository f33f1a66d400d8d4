// The SQL page, which exists only under `rowhouse dev`.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectContrast } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { type ExplorerPage, useExplorer } from './support/use-explorer.ts';

describeInBrowser('SQL under rowhouse dev', () => {
  const explorer = useExplorer({ isDev: true, server: { 'server-workers': 1 } });

  async function openSql(): Promise<ExplorerPage> {
    const opened = await explorer.open(`#key=${explorer.devKey()}`);
    await opened.page.getByRole('link', { name: 'SQL', exact: true }).click();
    await opened.page.getByRole('textbox', { name: 'SQL' }).waitFor();
    return opened;
  }

  const editor = (page: Page): ReturnType<Page['getByRole']> => page.getByRole('textbox', { name: 'SQL' });
  async function type(page: Page, text: string): Promise<void> {
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Escape');
  }
  const textOf = (page: Page): Promise<string> => editor(page).innerText();
  const run = (page: Page): Promise<void> => page.getByRole('button', { name: 'Run', exact: true }).click();

  test('runs a query as the role of the session, and shows which role that is', async () => {
    const { page } = await openSql();
    await type(page, 'select id, colour, to_jsonb(features) as features, built, built from houses');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('grid', { name: 'Rows of the result' }).waitFor();
    await expect
      .poll(() => page.locator('.sql-status').textContent())
      .toMatch(/^SELECT \d+ · \d+ rows · [\d.]+ m?sRan as demo_anon$/u);
    await expectAccessible(page);
    await page.getByLabel('Run as').selectOption('login');
    await run(page);
    await page.getByText('superuser', { exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page);
  });

  test('begins with an example on request, and says what the page is for until the first run', async () => {
    const { page } = await openSql();
    await page.getByText('No result yet.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Insert an example' }).click();
    await expect.poll(() => textOf(page)).toMatch(/^select \*\nfrom api\.\w+\nlimit 20;$/u);
    await page.getByRole('button', { name: 'Insert an example' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('grid', { name: 'Rows of the result' }).waitFor();
    expect(await page.getByText('No result yet.').count()).toBe(0);
  });

  test('marks the place of an error, and runs a selected part', async () => {
    const { page } = await openSql();
    await type(page, 'select 1;\nselect nosuch\nfrom houses');
    await run(page);
    await page.getByText('column "nosuch" does not exist').waitFor();
    expect(await page.locator('.sql-place mark').textContent()).toBe('nosuch');
    expect(await page.locator('.sql-line').textContent()).toBe('2');
    expect(await page.locator('.url-problem').allTextContents()).toEqual(['nosuch']);
    await expectAccessible(page);
    // The caret is at the error.
    await page.keyboard.insertText('-- ');
    expect(await textOf(page)).toBe('select 1;\nselect -- nosuch\nfrom houses');
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Shift+End');
    await run(page);
    await page.getByText('SELECT 1 · 1 row', { exact: false }).waitFor();
  });

  test('highlights SQL, and completes names of relations, columns of an alias, and keywords', async () => {
    const { page } = await openSql();
    const option = (name: RegExp): ReturnType<Page['getByRole']> =>
      page.getByRole('listbox').getByRole('option', { name });
    await editor(page).click();
    await page.keyboard.type('select h. from hou');
    await option(/^houses/u).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => textOf(page)).toBe('select h. from houses');
    await page.keyboard.type(" h where h.colour = 'red' -- all");
    await page.keyboard.press('Home');
    for (let presses = 0; presses < 'select h.'.length; presses++) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('col');
    await option(/^colour/u).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => textOf(page)).toBe("select h.colour from houses h where h.colour = 'red' -- all");
    expect(await page.locator('.url-keyword').allTextContents()).toEqual(['select', 'from', 'where']);
    expect(await page.locator('.url-string').allTextContents()).toEqual(["'red'"]);
    expect(await page.locator('.url-constant').allTextContents()).toEqual(['-- all']);
  });

  test('suggests the name that was meant, and replaces it', async () => {
    const { page } = await openSql();
    await type(page, 'select 1; select id from api.huoses');
    await run(page);
    const mistake = page.getByRole('alert');
    await mistake.getByText('Did you mean houses?').waitFor();
    await expectAccessible(page);
    await mistake.getByRole('button', { name: 'Replace' }).click();
    await expect.poll(() => textOf(page)).toBe('select 1; select id from api.houses');
    await run(page);
    await page.getByText('SELECT 1, SELECT', { exact: false }).waitFor();
  });

  test('changes nothing unless that is allowed', async () => {
    const { page } = await openSql();
    await page.getByLabel('Run as').selectOption('login');
    await type(page, 'create table api.memos (id int primary key, text text)');
    await run(page);
    await page.getByText('Without "Allow changes", only').waitFor();
    await page.getByLabel('Allow changes').check();
    await run(page);
    await page.getByText('CREATE TABLE').waitFor();
    await page.getByText('The run is committed if every statement succeeds.').waitFor();
  });

  test('shows the plan of a query, and measures it on demand', async () => {
    const { page } = await openSql();
    await type(page, 'select * from houses order by id');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Estimates of the planner.').waitFor();
    expect(await page.locator('.plan-step').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Run and measure' }).click();
    await page.getByText(/Executed in/u).waitFor();
  });

  test('makes a query a view of the API: shows the exact SQL, runs it, and opens the view', async () => {
    const { page, unordered } = await openSql();
    const view = page.getByRole('button', { name: 'Make it a view' });
    expect(await view.isDisabled()).toBe(true);
    await type(page, 'select id, colour from houses where id < 3;');
    await run(page);
    await view.click();
    const dialog = page.getByRole('dialog', { name: 'Make it a view' });
    await dialog.getByLabel('Name').fill('few_houses');
    // Both have privileges by default.
    await dialog.getByRole('checkbox', { name: 'demo_user', checked: true }).uncheck();
    const sql = [
      'CREATE VIEW api.few_houses WITH (security_invoker = true) AS',
      'select id, colour from houses where id < 3;',
      'REVOKE ALL ON api.few_houses FROM demo_user;',
      'GRANT SELECT ON api.few_houses TO demo_anon;',
    ].join('\n');
    expect(await dialog.getByLabel('SQL to run').textContent()).toBe(sql);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create the view' }).click();
    await page.getByText('The view few_houses was created.').waitFor();
    await expect.poll(unordered).toBe('/few_houses');
    await page.getByRole('grid', { name: 'Rows of few_houses' }).waitFor();
  });

  test('makes a query a function with arguments, and shows an error of the SQL', async () => {
    const { page, address } = await openSql();
    await type(page, 'select id, colour from houses');
    await run(page);
    await page.getByRole('button', { name: 'Make it a function' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make it a function' });
    await dialog.getByLabel('Name').fill('list_houses');
    await dialog.getByLabel('Arguments (SQL)').fill('wrong nosuchtype');
    await dialog.getByLabel('demo_anon').check();
    await dialog.getByRole('button', { name: 'Create the function' }).click();
    await dialog.getByText('type nosuchtype does not exist').waitFor();
    await dialog.getByLabel('Arguments (SQL)').fill('');
    expect(await dialog.getByLabel('SQL to run').textContent()).toContain(
      'LANGUAGE sql STABLE SECURITY INVOKER\nAS $sql$\nselect id, colour from houses\n$sql$;\nREVOKE ALL ON FUNCTION api.list_houses FROM PUBLIC;',
    );
    await dialog.getByRole('button', { name: 'Create the function' }).click();
    await expect.poll(address).toBe('/rpc/list_houses');
    await page.getByRole('grid').waitFor();
  });

  test('asks for the link of the banner in a tab without the key, and never takes SQL from an address', async () => {
    const { page } = await explorer.open('#sql/select+1?sql=select+1');
    await page.getByText('This tab does not have the key of the server.').waitFor();
  });

  test('says that a key is that of another server', async () => {
    const { page, watch } = await explorer.open('#sql', {});
    await page.evaluate("sessionStorage.setItem('rowhouse.key', 'wrong-key')");
    await page.reload();
    watch.expectStatus(404);
    await type(page, 'select 1');
    await run(page);
    await page.getByText('Open the link that rowhouse dev prints.').waitFor();
  });
});
