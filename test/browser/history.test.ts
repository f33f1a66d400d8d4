// Recent and saved requests: kept in the browser, searched, renamed, deleted, exported and imported.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

function textsIn(page: Page, list: 'Saved' | 'Recent'): Promise<readonly string[]> {
  return page.getByRole('region', { name: list }).locator('.history-link').allInnerTexts();
}

async function choose(page: Page, entry: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${entry}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function importFile(page: Page, text: string): Promise<void> {
  const file = { name: 'requests.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

describeInBrowser('the history', () => {
  const explorer = useExplorer();

  test('keeps requests beyond a reload, latest first, but no secrets and no bodies', async () => {
    const { page, address, watch } = await explorer.openAs('#/houses?limit=2', explorer.token());
    await page.getByText('200 OK').waitFor();
    await page.goto(`${explorer.origin()}/#/tools?limit=1`);
    await page.getByText('1 row', { exact: true }).waitFor();
    watch.expectStatus(400);
    await page.goto(`${explorer.origin()}/#/tools?password=eq.1`);
    await page.getByText('42703').waitFor();
    await page.goto(`${explorer.origin()}/#/notes?limit=1`);
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'title' }).fill('not to be kept');
    await page.getByRole('dialog').getByRole('button', { name: 'Insert' }).click();
    await page.getByText('Inserted into notes').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'History' }).click();
    await expect.poll(address).toBe('history');
    await expect.poll(() => page.title()).toBe('History · Rowhouse');
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('History');
    await expect
      .poll(() => textsIn(page, 'Recent'))
      .toEqual(['/notes?limit=1&order=id', '/notes', '/tools?limit=1&order=id', '/houses?limit=2&order=id']);
    const stored = String(await page.evaluate('JSON.stringify(localStorage)'));
    for (const secret of ['password', 'not to be kept', 'eyJ']) expect(stored).not.toContain(secret);
    await page.getByRole('link', { name: '/houses?limit=2' }).click();
    await expect.poll(address).toBe('/houses?limit=2&order=id');
    await page.goBack();
    await expectAccessible(page, 'main');
  });

  test('saves, finds, renames and deletes requests', async () => {
    const { page } = await explorer.open('#/houses?built=lt.1900&order=id', {});
    await page.getByRole('button', { name: 'Save request' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Old houses');
    await page.keyboard.press('Enter');
    await page.getByText('Saved in this browser.').waitFor();
    await page.goto(`${explorer.origin()}/#/tools?limit=1`);
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await expect.poll(() => textsIn(page, 'Saved')).toEqual(['Old houses\n/houses?built=lt.1900&order=id']);
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('tools');
    await expect.poll(() => textsIn(page, 'Saved')).toEqual([]);
    await expect.poll(() => textsIn(page, 'Recent')).toEqual(['/tools?limit=1&order=id']);
    await choose(page, '/tools?limit=1', 'Save');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('One of the tools');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('');
    await choose(page, 'Old houses', 'Rename');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Before 1900');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => textsIn(page, 'Saved'))
      .toEqual(['Before 1900\n/houses?built=lt.1900&order=id', 'One of the tools\n/tools?limit=1&order=id']);
    await choose(page, 'One of the tools', 'Delete');
    await expect.poll(() => textsIn(page, 'Saved')).toEqual(['Before 1900\n/houses?built=lt.1900&order=id']);
    await page.getByRole('button', { name: 'Delete recent' }).click();
    await expect.poll(() => textsIn(page, 'Recent')).toEqual([]);
  });

  test('exports a file, imports it in another browser, and rejects an invalid one with a reason', async () => {
    const { page } = await explorer.open('#/streets?limit=1', {});
    await page.getByRole('button', { name: 'Save request' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('A street');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'History' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const exported = readFileSync(await download.path(), 'utf8');
    const other = await explorer.open('#history', {});
    await other.page.getByText('No requests yet.').waitFor();
    await importFile(other.page, exported);
    await expect.poll(() => textsIn(other.page, 'Saved')).toEqual(['A street\n/streets?limit=1&order=id']);
    await importFile(other.page, exported.replace('"/streets', '"/../streets'));
    await other.page
      .getByRole('alert')
      .getByText(/^requests\[\d\]\.url must be the path of a request/u)
      .waitFor();
    await expectAccessible(other.page, 'main');
    expect(await textsIn(other.page, 'Saved')).toEqual(['A street\n/streets?limit=1&order=id']);
  });
});
