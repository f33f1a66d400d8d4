// The answer as table, JSON and CSV: what one sees, what a click does, and that much or strange data does no harm.
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const HOSTILE = `"><img src=x onerror=alert(1)> שלום 🏡 'q'`;

const SQL = `
  create view api.many as select n as id, 'row ' || n as name from generate_series(1, 100000) n;
  create table api.hostile (id int primary key, "${HOSTILE.replaceAll('"', '""')}" text);
  insert into api.hostile values (1, '<script>alert(1)</script>'), (2, E'\\u202Eright to left');
  create function api.slow() returns text language sql stable as $$ select pg_sleep(9)::text $$;
  grant select on api.many, api.hostile to demo_anon;
`;

describeInBrowser('the result', () => {
  const explorer = useExplorer({ sql: SQL });

  test('a click on the head orders, a second one the other way', async () => {
    const { page, address } = await explorer.open('#/streets?select=name,laid_out');
    const head = page.getByRole('columnheader', { name: 'laid_out' });
    await head.getByRole('button').click();
    await expect.poll(address).toBe('/streets?select=name,laid_out&order=laid_out.asc');
    await head.getByRole('button').click();
    await expect.poll(address).toBe('/streets?select=name,laid_out&order=laid_out.desc');
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
  });

  test('a foreign key is a link to its row', async () => {
    const { page, address } = await explorer.open('#/houses?select=id,street_id&id=eq.9');
    await page.getByRole('gridcell').getByRole('link', { name: '2', exact: true }).click();
    await expect.poll(address).toBe('/streets?id=eq.2');
    await page.getByRole('gridcell', { name: 'Kettle Lane' }).waitFor();
  });

  test('embedded rows fold out', async () => {
    const { page } = await explorer.open('#/streets?select=name,houses(number,built)&id=eq.1');
    await page.getByRole('gridcell').getByRole('button', { name: '8 rows' }).click();
    const nested = page.getByRole('region', { name: 'Embedded rows' });
    await nested.getByRole('cell', { name: '1921' }).waitFor();
    expect(await nested.getByRole('row').count()).toBe(9);
    await page.getByRole('button', { name: 'Close' }).click();
    await nested.waitFor({ state: 'detached' });
  });

  test('the arrow keys move in the table, and Enter folds out', async () => {
    const { page } = await explorer.open('#/streets?select=name,houses(number)&id=eq.1');
    await page.getByRole('gridcell', { name: 'Lantern Row' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Embedded rows' }).waitFor();
  });

  test('JSON folds, CSV is text, and the address has the view', async () => {
    const { page, address } = await explorer.open('#/streets?select=name&order=id&limit=2');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await expect.poll(address).toBe('json/streets?select=name&order=id&limit=2');
    await page.getByRole('button', { name: 'Fold all', exact: true }).click();
    await page.getByRole('button', { name: 'Unfold line 2' }).waitFor();
    await page.getByRole('tab', { name: 'CSV' }).click();
    await expect.poll(address).toBe('csv/streets?select=name&order=id&limit=2');
    await page.getByRole('tabpanel').getByText('Kettle Lane').waitFor();
  });

  test('status, rows and headers are told', async () => {
    const { page } = await explorer.open('#/streets');
    const status = page.locator('.result-status');
    await status.getByText('200 OK').waitFor();
    await status.getByText('5 rows').waitFor();
    await status.getByRole('button', { name: 'Headers' }).click();
    await page.getByRole('definition').filter({ hasText: '0-4/*' }).waitFor();
  });

  test('100,000 rows are scrolled to the last one', async () => {
    const { page } = await explorer.open('#/many?order=id');
    const grid = page.getByRole('grid');
    await page.getByRole('gridcell', { name: 'row 1', exact: true }).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('100001');
    expect(await grid.getByRole('row').count()).toBeLessThan(100);
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.getByRole('gridcell', { name: 'row 100000', exact: true }).waitFor();
  });

  test('names and values with markup are text', async () => {
    const { page } = await explorer.open('#/hostile?order=id');
    await page.getByRole('columnheader', { name: HOSTILE }).waitFor();
    await page.getByRole('gridcell', { name: '<script>alert(1)</script>' }).waitFor();
    await page.getByRole('checkbox', { name: HOSTILE }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  });

  test('a slow request is cancelled', async () => {
    const { page } = await explorer.open('#/rpc/slow');
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await page.getByText('The request was cancelled.').waitFor();
  });

  test('an error of the server is told with what to do', async () => {
    const { page, watch, address } = await explorer.open('#/houses?built=gt.1&offset=5000');
    watch.expectStatus(400);
    await page.getByRole('button', { name: 'To the first page' }).click();
    await expect.poll(address).toBe('/houses?built=gt.1');
    await page.evaluate(`location.hash = '#/houses?built=eq.old'`);
    await page.getByRole('tabpanel').getByText('invalid input syntax for type smallint: "old"').waitFor();
  });

  test('the accessibility check finds nothing serious', async () => {
    const { page } = await explorer.open('#/streets?select=*,houses(number)&limit=3');
    await page.getByRole('gridcell', { name: 'Lantern Row' }).waitFor();
    await expectAccessible(page, '.result');
  });
});
