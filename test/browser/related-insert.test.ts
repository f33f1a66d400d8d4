// The form of a new row with its related rows, written by one request.
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create table api.purchase (id int generated always as identity primary key, note text);
  create table api.purchase_item (
    id int generated always as identity primary key, purchase_id int not null references api.purchase,
    product text not null, quantity int not null default 1
  );
  grant select, insert on api.purchase, api.purchase_item to demo_user;
`;

describeInBrowser('related rows of a new row', () => {
  const explorer = useExplorer({ sql: SQL });

  test('are entered in a table and inserted by the same request', async () => {
    const { page } = await explorer.openAs('#/purchase', explorer.token());
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'note' }).fill('For the shop');
    await form.getByRole('button', { name: 'Add related rows' }).click();
    const add = form.getByRole('button', { name: 'Add row to purchase_item' });
    await add.click();
    await form.getByText('purchase_item, row 1, product: A value is required.').waitFor();
    await add.click();
    await form.getByRole('textbox', { name: 'product of row 1' }).fill('Lantern');
    await form.getByRole('textbox', { name: 'quantity of row 1' }).fill('2');
    await form.getByRole('textbox', { name: 'product of row 2' }).fill('Oil');
    await form.getByText('purchase_item, row 2, quantity: A value is required.').waitFor();
    await form.getByRole('textbox', { name: 'quantity of row 2' }).fill('5');
    expect(await form.getByRole('columnheader').allTextContents()).toEqual(['product', 'quantity']);
    const request = await form.getByLabel('Request to send').innerText();
    expect(request).toContain('Prefer: nested=write, return=representation');
    expect(request).toContain('"purchase_item": [');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Insert' }).click();
    await form.waitFor({ state: 'detached' });
    const url = `${explorer.origin()}/purchase?select=note,purchase_item(product,quantity)&purchase_item.order=id`;
    const rows = await page.request.get(url, { headers: { Authorization: `Bearer ${explorer.token()}` } });
    expect(await rows.json()).toEqual([
      {
        note: 'For the shop',
        purchase_item: [
          { product: 'Lantern', quantity: 2 },
          { product: 'Oil', quantity: 5 },
        ],
      },
    ]);
  });
});
