// Filters from cells and column heads: values with counts, and ranges.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

async function chooseAt(page: Page, cell: string, item: string): Promise<void> {
  await page.locator(cell).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

const BUILT = '[aria-rowindex="2"] [aria-colindex="2"]';

describeInBrowser('filters from the table', () => {
  const explorer = useExplorer();

  test('a cell offers its value, others, greater and less ones, and null', async () => {
    const { page, address } = await explorer.open('#/houses?select=id,built,colour&order=id');
    await page.locator(BUILT).waitFor();
    const value = await page.locator(BUILT).innerText();
    const rows = (): Promise<string> => page.getByRole('grid').innerText();
    const all = await rows();
    for (const [item, filter] of [
      ['Only this value', `eq.${value}`],
      ['Not this value', `not.eq.${value}`],
      ['Greater than this', `gt.${value}`],
      ['Less than this', `lt.${value}`],
    ] as const) {
      await chooseAt(page, BUILT, item);
      await expect.poll(address).toBe(`/houses?select=id,built,colour&built=${filter}&order=id`);
      await page.goBack();
      await expect.poll(address).toBe('/houses?select=id,built,colour&order=id');
      // The address changes before the table, whose first row may stay the same.
      await expect.poll(rows).toBe(all);
    }
    await page.goto(`${explorer.origin()}/#/residents?select=id,invited_by&order=id`);
    await page.locator(BUILT).getByText('null').waitFor();
    await chooseAt(page, BUILT, 'Only null');
    await expect.poll(address).toBe('/residents?select=id,invited_by&invited_by=is.null&order=id');
    await chooseAt(page, '[role=columnheader][aria-colindex="2"]', 'Is not null');
    await expect.poll(address).toContain('invited_by=not.is.null');
  });

  test('the menu works by keyboard, and Escape returns to the table', async () => {
    const { page, address } = await explorer.open('#/houses?select=id,built&order=id');
    await page.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'Shift+F10']) await page.keyboard.press(key);
    const menu = page.getByRole('menu', { name: 'Filter by built' });
    await menu.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('grid');
    await page.keyboard.press('Shift+F10');
    await menu.waitFor();
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect.poll(address).toMatch(/built=not\.eq\./u);
  });

  test('check boxes keep several values of a column, also null', async () => {
    const { page, unordered } = await explorer.open('#/tools?select=id,condition');
    const open = async (column: string): Promise<void> => {
      await page.getByRole('columnheader', { name: column }).hover();
      await page.getByRole('button', { name: `Values of ${column}` }).click();
    };
    await open('condition');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Include good').check();
    await dialog.getByLabel('Include worn').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Show 2 values' }).click();
    await expect.poll(unordered).toBe('/tools?select=id,condition&condition=in.(good,worn)');
    await open('condition');
    await dialog.getByLabel('Include good').uncheck();
    expect(await dialog.getByLabel('Include worn').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Show 1 value' }).click();
    await expect.poll(unordered).toBe('/tools?select=id,condition&condition=eq.worn');
    await open('condition');
    await dialog.getByLabel('Include worn').uncheck();
    await dialog.getByRole('button', { name: 'Show all values' }).click();
    await expect.poll(unordered).toBe('/tools?select=id,condition');
    await page.goto(`${explorer.origin()}/#/residents?select=id,invited_by`);
    await open('invited_by');
    await dialog.getByLabel('Include null').check();
    await dialog.getByLabel(/^Include 1 · /u).check();
    await dialog.getByRole('button', { name: 'Show 2 values' }).click();
    await expect.poll(unordered).toBe('/residents?select=id,invited_by&or=(invited_by.is.null,invited_by.eq.1)');
    await open('invited_by');
    expect(await dialog.getByLabel('Include null').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  test('a column head shows the values of all rows with their number; one of them filters', async () => {
    const { page, address } = await explorer.open('#/tools?select=id,condition&condition=eq.good&limit=2');
    await page.getByRole('columnheader', { name: 'condition' }).hover();
    await page.getByRole('button', { name: 'Values of condition' }).click();
    const panel = page.getByRole('dialog', { name: 'Values of condition' });
    await panel.getByText('Counts of all rows.').waitFor();
    const rows = (await (await fetch(`${explorer.origin()}/tools?select=condition,count()`)).json()) as readonly {
      readonly condition: string;
      readonly count: number;
    }[];
    const expected = rows.map(({ condition, count }) => `${condition} ${count}`).toSorted();
    const shown = await panel.getByRole('listitem').getByRole('button').allInnerTexts();
    expect(shown.map((text) => text.replaceAll(/\s+(?=\d+$)/gu, ' ')).toSorted()).toEqual(expected);
    await expectAccessible(page);
    await panel.getByRole('button', { name: /^worn/u }).click();
    await expect.poll(address).toBe('/tools?select=id,condition&condition=eq.worn&order=id&limit=2');
  });

  test('the values of a foreign key have the names of the referenced rows', async () => {
    const { page, unordered } = await explorer.open('#/houses?select=id,street_id');
    await page.getByRole('columnheader', { name: 'street_id' }).hover();
    await page.getByRole('button', { name: 'Values of street_id' }).click();
    const panel = page.getByRole('dialog', { name: 'Values of street_id' });
    await panel.getByRole('button', { name: /^1 Lantern Row/u }).waitFor();
    await panel.getByLabel('Include 1 · Lantern Row').check();
    await panel.getByRole('button', { name: 'Show 1 value' }).click();
    await expect.poll(unordered).toBe('/houses?select=id,street_id&street_id=eq.1');
  });

  test('numbers and dates can be limited to a range', async () => {
    const { page, address } = await explorer.open('#/houses?select=id,built&built=gte.1850&limit=5');
    await page.getByRole('columnheader', { name: 'built' }).hover();
    await page.getByRole('button', { name: 'Values of built' }).click();
    const range = page.getByRole('form', { name: 'Range' });
    await range.getByText(/^\d{4} to \d{4}$/u).waitFor();
    await range.getByRole('textbox', { name: 'From' }).fill('1880');
    await range.getByRole('textbox', { name: 'To' }).fill('1900');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/houses?select=id,built&built=gte.1880&built=lte.1900&order=id&limit=5');
    await page.goto(`${explorer.origin()}/#/residents?select=id,moved_in`);
    await page.getByRole('columnheader', { name: 'moved_in' }).hover();
    await page.getByRole('button', { name: 'Values of moved_in' }).click();
    await range.getByLabel('From').fill('2015-01-01');
    await range.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(address).toBe('/residents?select=id,moved_in&moved_in=gte.2015-01-01&order=id');
  });
});

describeInBrowser('filters from the table of a server without aggregates', () => {
  const explorer = useExplorer({ server: { 'db-aggregates-enabled': false } });

  test('values are counted on the page', async () => {
    const { page, address } = await explorer.open('#/houses?select=id,street_id&order=id&limit=6');
    await page.getByRole('columnheader', { name: 'street_id' }).hover();
    await page.getByRole('button', { name: 'Values of street_id' }).click();
    const panel = page.getByRole('dialog', { name: 'Values of street_id' });
    await panel.getByText('Counts of the 6 rows on this page.').waitFor();
    const counts = await panel.locator('.facet-count').allInnerTexts();
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(6);
    await panel.getByRole('listitem').first().getByRole('button').click();
    await expect.poll(address).toMatch(/^\/houses\?select=id,street_id&street_id=eq\.\d&order=id&limit=6$/u);
  });
});
