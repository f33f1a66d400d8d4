// Results of functions: rows, a value, an image, a file; called by GET and by POST.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

/** One pixel. */
const PNG =
  '89504e470d0a1a0a0000000d494844520000000100000001080600000' +
  '01f15c4890000000d49444154789c63f8cf50cf00000382018080d1f6000000000049454e44ae426082';

const SQL = `
  create table api.orders (id int generated always as identity primary key, item text not null, tool_id int references api.tools);
  create function api.place_orders(items text[]) returns setof api.orders volatile language sql
    begin atomic insert into api.orders (item, tool_id) select unnest(items), 1 returning *; end;
  create function api.count_up() returns int volatile language sql as 'select 41 + 1';
  create domain api."image/png" as bytea;
  create domain api."image/svg+xml" as text;
  create domain api."application/pdf" as bytea;
  create function api.badge() returns api."image/png" stable language sql as $$ select '\\x${PNG}'::bytea $$;
  create function api.broken() returns api."image/png" stable language sql as $$ select '\\x00ff00ff'::bytea $$;
  create function api.drawing() returns api."image/svg+xml" stable language sql as
    $$ select '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><script>alert(1)</script></svg>' $$;
  create function api.paper() returns api."application/pdf" stable language sql as $$ select '\\x255044462d00ff'::bytea $$;
  grant select, insert on api.orders to demo_anon;
`;

describeInBrowser('functions', () => {
  const explorer = useExplorer({ sql: SQL });

  test('rows of a function that writes are shown as a table without sorting, or as JSON', async () => {
    const { page } = await explorer.open('#/rpc/place_orders?select=id,item,tool_id,tools(name)');
    const form = page.getByRole('form', { name: 'Call place_orders' });
    await form.getByRole('textbox', { name: 'items' }).fill('Rope\nNails');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    const answer = form.getByRole('region', { name: 'Result of the function' });
    await answer.getByText('2 rows').waitFor();
    await answer.getByRole('gridcell', { name: 'Nails' }).waitFor();
    await expect
      .poll(() => answer.getByRole('columnheader').allInnerTexts())
      .toEqual(['id\ninteger', 'item\ntext', 'tool_id\ninteger', 'tools\nembed']);
    expect(await answer.getByRole('columnheader').getByRole('button').count()).toBe(0);
    await expectAccessible(page);
    await answer.getByRole('tab', { name: 'JSON' }).click();
    await answer.getByText('"Rope"').waitFor();
    const rows = await (await fetch(`${explorer.origin()}/orders?select=item&order=id`)).json();
    expect(rows).toEqual([{ item: 'Rope' }, { item: 'Nails' }]);
    await answer.getByRole('tab', { name: 'Table' }).click();
    await answer.locator('[aria-rowindex="2"] [aria-colindex="3"] a').click();
    await page.getByText('Row of tools', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe('#record/tools?id=eq.1');
  });

  test('a single value is shown', async () => {
    const { page } = await explorer.open('#/rpc/count_up');
    await page.getByRole('form', { name: 'Call count_up' }).getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Result of the function' }).getByText('42', { exact: true }).waitFor();
  });

  test.each([
    ['badge', 'image/png', 'badge.png'],
    ['drawing', 'image/svg+xml', 'drawing.svg'],
  ])('an image returned by %s is shown, copied with its type, and saved', async (name, type, file) => {
    const { page } = await explorer.open(`#/rpc/${name}`);
    const image = page.getByRole('img', { name: `Response of type ${type}` });
    await expect.poll(() => image.evaluate((shown) => 'naturalWidth' in shown && shown.naturalWidth)).toBeTruthy();
    await expectAccessible(page, '.result');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(file);
    const saved = await readFile(await download.path());
    const answered = await fetch(`${explorer.origin()}/rpc/${name}`, { headers: { Accept: type } });
    expect(saved.equals(Buffer.from(await answered.arrayBuffer()))).toBe(true);
    await page.locator('.result').getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: 'fetch' }).click();
    await expect.poll(() => page.locator('.copy-text').innerText()).toContain(`headers: { Accept: '${type}' }`);
    expect(await page.locator('.copy-text').innerText()).toContain('await response.blob()');
  });

  test('other bytes and invalid images can be saved', async () => {
    const { page } = await explorer.open('#/rpc/broken');
    await page.getByText('Its type is image/png. Save it as a file').waitFor();
    await page.goto(`${explorer.origin()}/#/rpc/paper`);
    await page.getByText('Its type is application/pdf').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('paper.pdf');
    expect((await readFile(await download.path())).toString('hex')).toBe('255044462d00ff');
  });
});
