// Charts of grouped rows: bars and lines, with their data as a table.
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

describeInBrowser('charts', () => {
  const explorer = useExplorer();

  test('grouped rows have a chart, in the address, with the same data as a table', async () => {
    const { page, address } = await explorer.open('#/houses?select=colour,count(),built.min()&order=colour');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await expect.poll(address).toBe('chart/houses?select=colour,count(),built.min()&order=colour');
    const rows = (await (
      await fetch(`${explorer.origin()}/houses?select=colour,count(),built.min()&order=colour`)
    ).json()) as readonly {
      readonly colour: string;
      readonly count: number;
      readonly min: number;
    }[];
    await page.getByRole('img', { name: /^count by colour: \d+ groups, from 1 to/u }).waitFor();
    expect(await page.locator('.chart-bar').count()).toBe(rows.length);
    const widths = await Promise.all(
      (await page.locator('.chart-bar').all()).map(async (bar) => Number(await bar.getAttribute('width'))),
    );
    const perRow = (widths[0] ?? 0) / (rows[0]?.count ?? 1);
    expect(widths).toEqual(rows.map(({ count }) => expect.closeTo(count * perRow, 3) as number));
    await page.getByText('Data of the chart').click();
    const shown = await page.locator('.chart-data tbody tr').allInnerTexts();
    expect(shown.map((text) => text.split(/\t/u))).toEqual(rows.map(({ colour, count }) => [colour, String(count)]));
    await page.getByRole('combobox', { name: 'Value' }).selectOption('min');
    await page.getByRole('img', { name: /^min by colour/u }).waitFor();
    await expectAccessible(page, '.result');
    await page.goBack();
    await page.getByRole('grid').waitFor();
  });

  test('dates are drawn as a line over time', async () => {
    const { page } = await explorer.open('#chart/residents?select=moved_in,count()&order=moved_in.desc');
    await page.getByRole('img', { name: /^count by moved_in/u }).waitFor();
    const path = (await page.locator('.chart-line').getAttribute('d')) ?? '';
    const positions = [...path.matchAll(/[ML]([\d.]+) /gu)].map(([, x]) => Number(x));
    expect(positions.length).toBeGreaterThan(5);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    await page.getByRole('tab', { name: 'Bars' }).click();
    await page.locator('.chart-bar').first().waitFor();
  });

  test('rows without groups have no chart, and its address explains why', async () => {
    const { page } = await explorer.open('#/houses?limit=1');
    await page.getByText('200 OK').waitFor();
    expect(await page.getByRole('tab', { name: 'Chart' }).count()).toBe(0);
    await page.goto(`${explorer.origin()}/#chart/houses?limit=1`);
    await page.getByText('These rows are not grouped.').waitFor();
    await expectAccessible(page, '.result');
  });
});
