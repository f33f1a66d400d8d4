// View as: a token signed in the page with the key of the server.
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { SECRET, useExplorer } from './support/use-explorer.ts';

describeInBrowser('view as', () => {
  const explorer = useExplorer();

  test('shows the API as a role with claims sees it, with a key that stays in the tab', async () => {
    const { page } = await explorer.open('#', {});
    await page.getByText('8 tables and views, 3 functions').waitFor();
    await page.locator('.token-button').click();
    await page.getByRole('button', { name: 'View as …' }).click();
    const dialog = page.getByRole('dialog', { name: 'View as' });
    const submit = dialog.getByRole('button', { name: /^View as/u });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Role', { exact: true }).fill('demo_user');
    await dialog.getByLabel('Further claims').fill('{"resident_id": 1');
    await dialog.getByLabel('Key').fill(SECRET);
    await dialog.getByText('This is not valid JSON.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Further claims').fill('{"resident_id": 1}');
    await expectAccessible(page);
    await submit.click();
    await page.getByText('9 tables and views, 4 functions').waitFor();
    // The key is known: the next click leads to the next role, and from there to the token.
    await page.locator('.token-button').click();
    await dialog.getByRole('button', { name: 'Enter or remove a token' }).click();
    await page.getByText('HS256').waitFor();
    await page
      .getByText(/^59 min \d+ s left$/u)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'View as …' }).click();
    expect(await dialog.getByLabel('Key').inputValue()).toBe(SECRET);
  });

  test('says in the dialog why a role is rejected, and keeps the current token', async () => {
    const { page, watch } = await explorer.open('#', {});
    watch.expectStatus(401);
    await page.locator('.token-button').click();
    await page.getByRole('button', { name: 'View as …' }).click();
    const dialog = page.getByRole('dialog', { name: 'View as' });
    await dialog.getByLabel('Role', { exact: true }).fill('demo_usr');
    await dialog.getByLabel('Key').fill(SECRET);
    await dialog.getByRole('button', { name: 'View as demo_usr' }).click();
    await dialog.getByText('role "demo_usr" does not exist').waitFor();
    await dialog.getByText('Check the spelling of the role.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Role', { exact: true }).fill('demo_user');
    await dialog.getByRole('button', { name: 'View as demo_user' }).click();
    await page.getByText('9 tables and views, 4 functions').waitFor();
  });

  test('leads to the dialog for tokens and back', async () => {
    const { page } = await explorer.open('#', {});
    await page.evaluate("sessionStorage.setItem('rowhouse.key', 'some-key')");
    await page.reload();
    await page.locator('.token-button').click();
    await page.getByRole('dialog', { name: 'View as' }).getByRole('button', { name: 'Enter a token' }).click();
    await page.getByRole('dialog', { name: 'Token' }).getByRole('button', { name: 'View as …' }).click();
    await page.getByRole('dialog', { name: 'View as' }).waitFor();
  });

  test('says what is wrong with claims', async () => {
    const { page } = await explorer.open('#', {});
    await page.locator('.token-button').click();
    await page.getByRole('button', { name: 'View as …' }).click();
    await page.getByLabel('Further claims').fill('[1]');
    await page.getByText('Claims are a JSON object, such as {"sub": "1"}.').waitFor();
  });

  test('a server that is not under `rowhouse dev` has no page for SQL, and no path', async () => {
    const { page } = await explorer.open('#sql');
    await page.getByText('This server runs no SQL.').waitFor();
    expect(await page.getByRole('link', { name: 'SQL', exact: true }).count()).toBe(0);
    const send = async (path: string): Promise<readonly unknown[]> => {
      const answer = await fetch(explorer.origin() + path, {
        method: 'POST',
        headers: { 'Console-Key': SECRET },
        body: '{}',
      });
      return [answer.status, (await answer.text()).replace('sqx', 'sql')];
    };
    expect(await send('/explorer/sql')).toEqual(await send('/explorer/sqx'));
    expect(await send('/explorer/sql')).toEqual([404, expect.stringContaining('SVC125')]);
  });
});
