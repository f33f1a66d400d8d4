// The page around the request: sidebar, start page, tokens, help, shortcuts, and problems.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { runSql } from '../support/database.ts';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const ODD_NAME = '<img src=x onerror=alert(1)> "שלום" 😀 & co/50%';
const MANY_SQL = `
  create schema many;
  grant usage on schema many to demo_anon;
  do $$ begin for i in 1..2000 loop execute format('create table many.%I (id int)', 't' || i); end loop; end $$;
  create table many."${ODD_NAME.replaceAll('"', '""')}" (id int);
  grant select on all tables in schema many to demo_anon;
  create schema bare;
  grant usage on schema bare to demo_anon;
`;
const PHONE = { viewport: { width: 360, height: 740 } };

function listed(page: Page): Promise<readonly string[]> {
  return page.locator('.side-entry .ui-name').allTextContents();
}

describeInBrowser('the page around the request', () => {
  const explorer = useExplorer({ sql: MANY_SQL, server: { 'db-schemas': 'api,many,bare' } });

  test('the start page offers five requests, and each of them succeeds', async () => {
    const { page } = await explorer.open('#');
    const examples = page.locator('.start-example');
    await expect.poll(() => examples.count()).toBe(5);
    for (const link of await Promise.all((await examples.all()).map((example) => example.getAttribute('href')))) {
      await page.goto(`${explorer.origin()}/${link}`);
      await page.getByText('200 OK').waitFor();
    }
  });

  test('a relation is found by typing and opened by Enter; Back returns to the start page', async () => {
    const { page, address } = await explorer.open('#');
    await page.getByText('8 tables and views, 3 functions').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('rs');
    await expect.poll(() => listed(page)).toContain('resident_skills');
    expect((await listed(page))[0]).toBe('resident_skills');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/resident_skills?limit=50&order=resident_id,skill_id');
    await expect.poll(() => page.title()).toBe('resident_skills · Rowhouse');
    await page.goBack();
    await page.getByRole('heading', { name: 'Lantern Row' }).waitFor();
    await expect.poll(() => page.title()).toBe('Rowhouse');
  });

  test('the arrow keys move in the list and back to the search field', async () => {
    const { page, address } = await explorer.open('#');
    await page.getByText('8 tables and views, 3 functions').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('whoami');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/rpc/whoami');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search');
  });

  test('of 2,000 relations, only the visible ones are rendered, with names as plain text', async () => {
    const { page, address } = await explorer.open('#@many');
    await page.getByText('2001 tables').waitFor();
    expect((await listed(page)).length).toBeLessThan(60);
    await page.keyboard.press('/');
    await page.keyboard.type('onerror');
    await expect.poll(() => listed(page)).toEqual([ODD_NAME]);
    await page.keyboard.press('Enter');
    await page.getByText('200 OK').waitFor();
    expect(address()).toContain('many/<img');
    await expect.poll(() => page.title()).toBe(`${ODD_NAME} · Rowhouse`);
  });

  test('another schema can be chosen; an empty one has an explanation', async () => {
    const { page, address } = await explorer.open('#');
    await page.getByLabel('Schema').selectOption('bare');
    await page.getByText('Nothing is visible to this role').waitFor();
    await page.getByLabel('If it is empty, create a table.').getByText('create table bare.notes (').waitFor();
    expect(address()).toBe('@bare');
    await page.getByRole('button', { name: 'Enter a token' }).last().click();
    await page.getByRole('dialog', { name: 'Token' }).waitFor();
  });

  test('a token is decoded, used, kept for the tab, and removed', async () => {
    const { page } = await explorer.open('#', {});
    await page.getByRole('button', { name: /no token/u }).click();
    const field = page.getByLabel('JSON Web Token');
    await field.fill('nonsense');
    await page.getByText('A token has three parts').waitFor();
    expect(await page.getByRole('button', { name: 'Use this token' }).isDisabled()).toBe(true);
    const exp = Math.floor(Date.now() / 1000) + 7200;
    await field.fill(`Bearer ${explorer.token({ role: 'demo_user', resident_id: 1, exp })}`);
    await page.getByText(/^1 h 59 min left$/u).waitFor();
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByText('9 tables and views, 4 functions').waitFor();
    await page.reload();
    await page.getByText('9 tables and views, 4 functions').waitFor();
    await page.getByRole('button', { name: /demo_user/u }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('8 tables and views, 3 functions').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('an expired token and one of another server have different messages', async () => {
    const { page, watch } = await explorer.open('#/houses?limit=1', {});
    watch.expectStatus(401);
    const use = async (token: string): Promise<void> => {
      await page.locator('.token-button').click();
      await page.getByLabel('JSON Web Token').fill(token);
      await page.getByRole('button', { name: 'Use this token' }).click();
    };
    await use(explorer.token({ role: 'demo_user', exp: 1 }));
    await page.getByText('The token has expired.').waitFor();
    await use(`${explorer.token().split('.').slice(0, 2).join('.')}.c2lnbmF0dXJl`);
    await page.getByText('The server rejected the token.').waitFor();
    await page.locator('.ui-toast-danger').getByText('This token was not accepted.').first().waitFor();
    expect(await page.locator('.ui-toast-success').count()).toBe(0);
    await page.getByRole('button', { name: 'Continue without a token' }).click();
    await page.getByText('200 OK').waitFor();
  });

  test('an unreachable server is reported and can be retried', async () => {
    const { page } = await explorer.open('#', {});
    await page.getByRole('heading', { name: 'Lantern Row' }).waitFor();
    await page.addInitScript(`
      const fetchReally = window.fetch;
      window.fetch = (...args) =>
        sessionStorage.getItem('gone') === null ? fetchReally(...args) : Promise.reject(new TypeError('gone'));
    `);
    await page.evaluate('sessionStorage.setItem("gone", "")');
    await page.reload();
    await page.getByText('The server does not respond.').waitFor();
    await page.evaluate('sessionStorage.removeItem("gone")');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Lantern Row' }).waitFor();
  });

  test('an unexposed schema has a link to the default one', async () => {
    const { page, watch } = await explorer.open('#', {});
    watch.expectStatus(406);
    await page.goto(`${explorer.origin()}/#@nowhere`);
    await page.getByRole('button', { name: 'Go to the default schema' }).click();
    await page.getByRole('heading', { name: 'Lantern Row' }).waitFor();
  });

  test('the help uses names of the schema, describes writing and links to the documentation', async () => {
    const { page } = await explorer.open('#', {});
    await page.getByText('8 tables and views, 3 functions').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('tab', { name: 'URL syntax' }).click();
    const help = page.getByRole('dialog', { name: 'Help' });
    await help.getByText(/^\w+=cs\.\{item\}$/u).waitFor();
    await help.getByText('DELETE /notes?id=eq.1', { exact: true }).waitFor();
    const [reference] = await Promise.all([
      page.context().waitForEvent('page'),
      help.getByRole('link', { name: 'reading' }).click(),
    ]);
    await reference.getByRole('heading', { level: 1, name: 'Query language' }).waitFor();
    await reference.close();
    await page.keyboard.press('Escape');
    await page.getByLabel('Schema').selectOption('many');
    await page.getByText('2,001 tables').or(page.getByText('2001 tables')).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('tab', { name: 'URL syntax' }).click();
    await help.getByText('id=gt.100 · gte · lt · lte').waitFor();
    expect(await help.getByText('tags').count()).toBe(0);
  });

  test('privileges are written out in the list', async () => {
    const { page } = await explorer.openAs('#', explorer.token());
    const entry = (name: string): Locator =>
      page.locator('.side-entry').filter({ has: page.getByText(name, { exact: true }) });
    await expect.poll(() => entry('loans').innerText()).toContain('insert');
    expect(await entry('loans').locator('.side-rights').getAttribute('title')).toMatch(/^You may insert/u);
    expect(await entry('streets').locator('.side-rights').count()).toBe(0);
  });

  test('changes of the schema appear on return to the page, and with the refresh button', async () => {
    const { page } = await explorer.open('#', {});
    await page.getByText('8 tables and views, 3 functions').waitFor();
    const create = (name: string): Promise<void> =>
      runSql(
        explorer.database().uri,
        `create table api.${name} (id int primary key); grant select on api.${name} to demo_anon;
         notify svc, 'reload schema'`,
      );
    await create('fresh');
    await expect
      .poll(async () => {
        await page.evaluate('dispatchEvent(new Event("focus"))');
        return await listed(page);
      })
      .toContain('fresh');
    await create('fresher');
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh the list' }).click();
        return await listed(page);
      })
      .toContain('fresher');
    await page.getByText('The schema was updated.').waitFor();
    await runSql(explorer.database().uri, `drop table api.fresh, api.fresher; notify svc, 'reload schema'`);
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh the list' }).click();
        return await listed(page);
      })
      .not.toContain('fresh');
  });

  test('shortcuts are listed, and work outside of inputs', async () => {
    const { page, address } = await explorer.open('#/houses?limit=1');
    await page.getByText('200 OK').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).getByText('Search tables and functions').waitFor();
    await page.getByRole('tab', { name: 'URL syntax' }).click();
    await page.getByText('Embed related tables').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('b');
    await page.getByRole('complementary', { name: 'Builder' }).waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    await expect.poll(address).toBe('map');
  });

  test('the theme can be chosen and is kept', async () => {
    const { page } = await explorer.open('#', {});
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(() => page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
    await page.reload();
    await page.getByRole('heading', { name: 'Lantern Row' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  test('on a phone, both sides are drawers, and nothing is wider than the screen', async () => {
    const { page, address } = await explorer.open('#', PHONE);
    await page.getByText('Open the menu at the top to choose a table').waitFor();
    await page.getByRole('button', { name: 'Tables and functions' }).click();
    await page.getByRole('link', { name: /^table houses/u }).click();
    await expect.poll(address).toBe('/houses?limit=50&order=id');
    await page.getByText('200 OK').waitFor();
    await page.getByRole('button', { name: 'Builder' }).click();
    await page.getByRole('dialog', { name: 'Builder' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test.each(['light', 'dark'] as const)('the page is accessible in %s mode', async (colorScheme) => {
    const { page } = await explorer.open('#', { colorScheme });
    await page.getByRole('heading', { name: 'Lantern Row' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.locator('.token-button').click();
    await page.getByLabel('JSON Web Token').fill(explorer.token());
    await expectAccessible(page);
  });
});
