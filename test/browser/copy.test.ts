// "Copy as" for the requests of forms, and HTTP files.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

async function copiedAs(page: Page, format: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Copy as' });
  await dialog.getByRole('tab', { name: format, exact: true }).click();
  return await dialog.getByRole('tabpanel').innerText();
}

describeInBrowser('"Copy as" of a write', () => {
  const explorer = useExplorer();

  test('shows the request of a form in each format, without the token', async () => {
    const token = explorer.token();
    const { page } = await explorer.openAs('#/notes?limit=1', token);
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Insert into notes' });
    await form.getByRole('textbox', { name: 'title' }).fill("It's new");
    await form.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: '.http' }).click();
    const url = `${explorer.origin()}/notes`;
    expect(await copiedAs(page, '.http')).toContain(
      `POST ${url}\nContent-Type: application/json\nAccept: application/vnd.svc.object+json\n`,
    );
    expect(await copiedAs(page, '.http')).toContain('Authorization: Bearer {{TOKEN}}\n\n{\n  "title": "It\'s new"\n}');
    expect(await copiedAs(page, 'curl')).toContain(`curl -X POST '${url}'`);
    expect(await copiedAs(page, 'fetch')).toContain("method: 'POST'");
    expect(await copiedAs(page, 'Python')).toContain('import httpx');
    expect(await copiedAs(page, 'postgrest-js')).toContain(
      `  .from('notes')\n  .insert({ title: 'It\\'s new' })\n  .select()\n  .single();`,
    );
    expect(await page.getByRole('tab', { name: 'URL', exact: true }).count()).toBe(0);
    expect(await page.locator('body').innerText()).not.toContain(token);
    await expectAccessible(page);
  });

  test('shows the call of a function and its body', async () => {
    const { page } = await explorer.openAs('#/rpc/borrow_tool', explorer.token());
    await page.getByRole('textbox', { name: 'tool_id' }).fill('7');
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: 'postgrest-js' }).click();
    expect(await copiedAs(page, 'postgrest-js')).toContain(`  .rpc('borrow_tool', { tool_id: 7 });`);
    expect(await copiedAs(page, 'Python')).toContain(`.rpc("borrow_tool", {"tool_id": 7})`);
  });

  test('offers HTTP files for reads too', async () => {
    const { page } = await explorer.open('#/houses?built=lt.1900&limit=3');
    await page.getByText('200 OK').waitFor();
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: '.http' }).click();
    expect(await copiedAs(page, '.http')).toBe(`GET ${explorer.origin()}/houses?built=lt.1900&limit=3&order=id\n`);
  });
});
