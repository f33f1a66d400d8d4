// Writes that are collected and sent as one batch.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create table api.things (id int primary key, name text not null unique, price numeric(30,2));
  insert into api.things values (1, 'First', 1.50);
  grant select, insert, update, delete on api.things to demo_user;
`;
describeInBrowser('basket', () => {
  const explorer = useExplorer({ sql: SQL, server: { 'db-tx-end': 'commit-allow-override' } });

  async function addInsert(page: Page, id: string, name: string, price = ''): Promise<void> {
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'id' }).fill(id);
    await form.getByRole('textbox', { name: 'name' }).fill(name);
    if (price !== '') await form.getByRole('textbox', { name: 'price' }).fill(price);
    await form.getByRole('button', { name: 'Add to batch' }).click();
    await form.waitFor({ state: 'detached' });
  }

  test('writes are collected, ordered, removed, run dry and sent as one batch', async () => {
    const { page, watch } = await explorer.openAs('#/things', explorer.token());
    const headers = { Authorization: `Bearer ${explorer.token()}` };
    const names = async (): Promise<unknown> =>
      await (await page.request.get(`${explorer.origin()}/things?select=name&order=id`, { headers })).json();
    await addInsert(page, '3', 'First');
    await addInsert(page, '2', 'Second', '12345678901234567890.10');
    await addInsert(page, '4', 'Fourth');
    expect(await names()).toEqual([{ name: 'First' }]);
    await page.getByText('3 requests to send as one batch').waitFor();
    await page.getByRole('button', { name: 'Review and send' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send as one batch' });
    await dialog.getByRole('listitem').nth(2).getByRole('button', { name: 'Move up' }).click();
    await expect.poll(async () => await dialog.getByRole('listitem').nth(1).innerText()).toContain('Fourth');
    await expectAccessible(page);
    watch.expectStatus(409);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('Failed', { exact: true }).waitFor();
    await dialog.getByText(/duplicate key value/u).waitFor();
    expect(await names()).toEqual([{ name: 'First' }]);
    await dialog.getByRole('listitem').first().getByRole('button', { name: 'Remove' }).click();
    await expect.poll(async () => await dialog.getByRole('listitem').count()).toBe(2);
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('The dry run succeeded. Nothing was changed.').waitFor();
    expect(await names()).toEqual([{ name: 'First' }]);
    await dialog.getByRole('button', { name: 'Send' }).click();
    const sent = page.getByRole('dialog', { name: 'Responses of the batch' });
    await sent.getByText('All requests succeeded.').waitFor();
    expect(await sent.getByLabel('Response').allInnerTexts()).toEqual([
      expect.stringContaining('"Fourth"'),
      expect.stringContaining('12345678901234567890.10'),
    ]);
    await expectAccessible(page);
    await sent.getByRole('button', { name: 'Close' }).click();
    expect(await names()).toEqual([{ name: 'First' }, { name: 'Second' }, { name: 'Fourth' }]);
    await page.getByRole('main').getByText('Fourth').waitFor();
    expect(await page.getByText('to send as one batch').count()).toBe(0);
    await page.getByRole('button', { name: 'Row' }).first().click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'name' }).fill('Changed');
    await form.getByRole('button', { name: 'Add to batch' }).click();
    await page.getByRole('button', { name: 'Review and send' }).click();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await sent.getByText('All requests succeeded.').waitFor();
    expect(await names()).toEqual([{ name: 'Changed' }, { name: 'Second' }, { name: 'Fourth' }]);
  });
});
