// The response as table, JSON, CSV and plan; pages, links and errors; slow, failed and large requests.
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create view api.many as
    select i as id, 9007199254740993 + i as large, 'row ' || i as name, array['a', 'b'] as tags,
      jsonb_build_object('n', i, 'words', array['x', 'y']) as details
    from generate_series(1, 100000) i;
  create table api.wide (${Array.from({ length: 1_600 }, (_, index) => `c${index} int default ${index}`).join(', ')});
  insert into api.wide default values;
  create table api."odd <b> ""name"" 'x' ‮rtl" (id int primary key, "<img src=x onerror=alert(1)>" text);
  insert into api."odd <b> ""name"" 'x' ‮rtl" values (1, '<script>alert(1)</script> ‮abc 🚤');
  create function api.slow() returns void stable language sql as 'select pg_sleep(9)';
  grant select on api.many, api.wide, api."odd <b> ""name"" 'x' ‮rtl" to demo_anon;
`;

function grid(page: Page) {
  return page.getByRole('grid');
}

/** Chooses an item of the menu of downloads. */
async function save(page: Page, item: string): Promise<Download> {
  await page.getByRole('button', { name: 'Download' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item }).click(),
  ]);
  return download;
}

async function textOf(download: Download): Promise<string> {
  return await readFile(await download.path(), 'utf8');
}

async function textsOfRow(page: Page, row: number): Promise<readonly string[]> {
  return await page.locator(`[aria-rowindex="${row + 1}"] [role=gridcell]`).allInnerTexts();
}

describeInBrowser('the response', () => {
  const explorer = useExplorer({ sql: SQL });

  test('rows are shown as a table with typed columns, status, time and size', async () => {
    const { page } = await explorer.open('#/streets?select=id,name,laid_out&order=id&limit=2');
    await grid(page).getByText('Lantern Row').waitFor();
    await expect
      .poll(() => page.getByRole('columnheader').allInnerTexts())
      .toEqual(['id\ninteger', 'name\ntext', 'laid_out\nsmallint']);
    expect((await textsOfRow(page, 1))[1]).toBe('Lantern Row');
    const status = await page.locator('.result-status').innerText();
    expect(status).toMatch(/200 OK\s+2 rows[\s\S]*\d m?s\s+\d+ B/u);
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.getByText('content-range').waitFor();
    await expectAccessible(page, '.result');
  });

  test('clicking a column head sorts ascending, descending, then by the key again', async () => {
    const { page, address } = await explorer.open('#/houses?select=id,built&limit=3');
    const built = page.getByRole('columnheader', { name: 'built' });
    for (const [url, sort] of [
      ['/houses?select=id,built&order=built.asc&limit=3', 'ascending'],
      ['/houses?select=id,built&order=built.desc&limit=3', 'descending'],
      ['/houses?select=id,built&limit=3&order=id', 'none'],
    ] as const) {
      await built.getByRole('button').first().click();
      await expect.poll(address).toBe(url);
      await expect.poll(() => built.getAttribute('aria-sort')).toBe(sort);
    }
  });

  test('embedded rows expand, and foreign and primary keys link to their rows', async () => {
    const { page, address } = await explorer.open('#/houses?select=id,street_id,residents(id,name)&order=id&limit=5');
    await page.locator('[aria-rowindex="2"]').getByRole('button', { name: 'rows' }).click();
    await page.getByRole('group', { name: 'Embedded rows' }).getByText('Mira Okonkwo').waitFor();
    await expectAccessible(page, '.result');
    await page.locator('[aria-rowindex="2"] [aria-colindex="2"] a').click();
    await expect.poll(address).toBe('record/streets?id=eq.1');
    await page.goBack();
    await page.locator('[aria-rowindex="4"] [aria-colindex="1"] a').click();
    await expect.poll(address).toBe('record/houses?id=eq.3');
  });

  test('foreign keys have a label, the key stays in view, and the menu of a row opens its page', async () => {
    const narrow = { viewport: { width: 1000, height: 900 } };
    const { page, address } = await explorer.openAs('#/notes?limit=5&order=id', explorer.token(), narrow);
    await page.locator('[aria-rowindex="2"] .result-label').first().waitFor();
    const key = page.locator('[aria-rowindex="2"] .result-cell-pinned');
    const before = await key.boundingBox();
    await grid(page).focus();
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate('document.querySelector("[role=grid]").scrollLeft')).toBeGreaterThan(0);
    expect((await key.boundingBox())?.x).toBe(before?.x);
    await page.locator('[aria-rowindex="2"]').getByRole('button', { name: 'Row', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Open' }).click();
    await expect.poll(address).toMatch(/^record\/notes\?id=eq\.\d+$/u);
  });

  test('the summary of a related row at the end takes the free space of the row', async () => {
    const { page } = await explorer.open('#/residents?select=name,houses(*)&order=id&limit=3');
    const isCutNow = `(() => {
      const value = document.querySelector('[aria-rowindex="2"] [aria-colindex="2"] .result-value');
      return value.scrollWidth > value.clientWidth;
    })()`;
    await page.locator('[aria-rowindex="2"] [aria-colindex="2"] .result-value').waitFor();
    for (const [width, isCut] of [
      [1600, false],
      [700, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(isCutNow)).toBe(isCut);
    }
  });

  test('the keyboard moves between cells, opens and sorts', async () => {
    const { page, address } = await explorer.open('#/tools?select=id,name,details&order=id&limit=3');
    await grid(page).focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.locator('.result-open').getByText('watts').waitFor();
    for (const key of ['ArrowUp', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await expect.poll(address).toBe('/tools?select=id,name,details&order=name.asc&limit=3');
  });

  test('pages are turned and all rows counted', async () => {
    const { page, address } = await explorer.open('#/houses?select=id&order=id&limit=10');
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(address).toBe('/houses?select=id&order=id&limit=10&offset=10');
    await page.getByText('rows 11–20', { exact: true }).waitFor();
    await result.getByRole('button', { name: 'Count all' }).click();
    await page.getByText(/^rows 11–20 of \d+$/u).waitFor();
    await result.getByRole('button', { name: 'Previous page' }).click();
    await expect.poll(address).toBe('/houses?select=id&order=id&limit=10');
  });

  test('pages by token are turned by the links of the response', async () => {
    const sent = await fetch(`${explorer.origin()}/residents?select=name&order=name&limit=2`, {
      headers: { Prefer: 'paging=cursor' },
    });
    const next = /<(\?[^>]*)>; rel="next"/u.exec(sent.headers.get('link') ?? '')?.[1] ?? '';
    const { page, address } = await explorer.open(`#/residents${next}`);
    await page.locator('[aria-rowindex="2"] [role=gridcell]').first().waitFor();
    const before = await textsOfRow(page, 1);
    await page.locator('.result').getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => textsOfRow(page, 1)).not.toEqual(before);
    await page.locator('.result').getByRole('button', { name: 'Previous page' }).click();
    await expect.poll(() => textsOfRow(page, 1)).toEqual(before);
    expect(address()).toContain('&before=');
    await page.getByRole('region', { name: 'Other parameters' }).getByText('before=').waitFor();
  });

  test('JSON folds, and keeps the digits of numbers', async () => {
    const { page } = await explorer.open('#json/many?id=eq.1&select=large,details');
    await page.getByText('9007199254740994').waitFor();
    await page.getByRole('button', { name: 'Fold line 2' }).click();
    await expect.poll(() => page.getByText('9007199254740994').count()).toBe(0);
    await page.getByRole('button', { name: 'Unfold all' }).click();
    await page.getByText('9007199254740994').waitFor();
    await expectAccessible(page, '.result');
  });

  test('CSV is shown as the server renders it, and can be saved', async () => {
    const { page } = await explorer.open('#/streets?select=id,name&order=id&limit=7');
    await page.getByRole('tab', { name: 'CSV' }).click();
    await page.getByText('1,"Lantern Row"').waitFor();
    const download = await save(page, 'As CSV');
    expect(download.suggestedFilename()).toBe('streets.csv');
    await page.getByText('Saved 5 rows in streets.csv.').waitFor();
  });

  test('a download says which rows it has, and can have all of them', async () => {
    const { page } = await explorer.open('#/streets?select=id&order=id&limit=2&offset=1');
    await page.getByText('rows 2–3', { exact: true }).waitFor();
    expect(await textOf(await save(page, 'Rows 2–3 as CSV'))).toBe('id\n2\n3');
    await page.getByText('Saved 2 rows in streets.csv.').waitFor();
    expect(await textOf(await save(page, 'All rows as CSV'))).toBe('id\n1\n2\n3\n4\n5');
    await page.getByText('Saved 5 rows in streets.csv.').waitFor();
    await page.goto(`${explorer.origin()}/#/streets?select=id&order=id&limit=2`);
    expect(JSON.parse(await textOf(await save(page, 'All rows as JSON')))).toHaveLength(5);
    await page.getByRole('button', { name: 'Download' }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'First 2 rows as CSV\ncsv',
      'First 2 rows as JSON\njson',
      'All rows as CSV\ncsv',
      'All rows as JSON\njson',
    ]);
  });

  test('without live rows, Watch says how to get them', async () => {
    const { page } = await explorer.open('#/streets');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByText('Its operator turns them on with live-publication.').waitFor();
    const link = page.getByRole('link', { name: 'How to set it up' });
    expect(await link.getAttribute('href')).toBe('./explorer/docs/live#set-it-up');
  });

  test('the plan is shown, and measured on demand', async () => {
    const { page } = await explorer.open('#plan/houses?select=*,residents(*)');
    await page.getByText('most costly').waitFor();
    await page.getByRole('button', { name: 'Run and measure' }).click();
    await page.getByText('slowest').waitFor();
    await page.getByText(/Executed in [\d.]+ ms/u).waitFor();
    await expectAccessible(page, '.result');
  });

  test('a request is copied in each language exactly as shown', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await explorer.open('#/houses?built=lt.1900&order=id&limit=3', { permissions });
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: 'curl' }).click();
    const dialog = page.getByRole('dialog');
    const url = `${explorer.origin()}/houses?built=lt.1900&order=id&limit=3`;
    for (const [language, text] of [
      ['URL', url],
      ['curl', `curl '${url}'`],
      ['fetch', `const response = await fetch('${url}');`],
      ['postgrest-js', ".from('houses')\n  .select()\n  .lt('built', 1900)\n  .order('id')\n  .limit(3);"],
      ['Python', '    .from_("houses")\n    .select("*")\n    .lt("built", 1900)\n    .order("id")\n    .limit(3)'],
      ['HTTPie', `http '${url}'`],
    ] as const) {
      await dialog.getByRole('tab', { name: language, exact: true }).click();
      const shown = dialog.locator('.copy-text');
      await expect.poll(() => shown.textContent()).toContain(text);
      await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(await shown.textContent());
    }
    await expectAccessible(page, 'dialog');
  });

  test('an empty result has a suggestion', async () => {
    const { page, address } = await explorer.open('#/houses?built=lt.1000&limit=3');
    await page.getByText('No rows match the filters.').waitFor();
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await expect.poll(address).toBe('/houses?order=id&limit=3');
  });

  test('an unknown relation has a suggestion', async () => {
    const { page, watch, address } = await explorer.open('#/');
    watch.expectStatus(404);
    await page.goto(`${explorer.origin()}/#/housses?limit=1`);
    await page.getByRole('button', { name: 'Use houses' }).click();
    await expect.poll(address).toBe('/houses?limit=1&order=id');
    await grid(page).waitFor();
  });

  test('the hint of an error is applied by a click', async () => {
    const { page, watch, unordered } = await explorer.open('#/');
    watch.expectStatus(400);
    await page.goto(`${explorer.origin()}/#/houses?select=id&colour=mint&limit=1`);
    await page.getByRole('button', { name: 'Use colour=eq.mint' }).click();
    await expect.poll(unordered).toBe('/houses?select=id&colour=eq.mint&limit=1');
    await page.getByText('200 OK').waitFor();
    await page.goto(`${explorer.origin()}/#/houses?select=id,bilt&limit=1`);
    await page.getByRole('button', { name: 'Use built' }).click();
    await expect.poll(unordered).toBe('/houses?select=id,built&limit=1');
    await page.getByText('200 OK').waitFor();
  });

  test('a slow request can be cancelled', async () => {
    const { page } = await explorer.open('#/rpc/slow');
    await page.locator('.result-running').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The request was cancelled.').waitFor();
  });

  test('of 100,000 rows, one key press shows the last', async () => {
    const { page } = await explorer.open('#/many');
    await grid(page).focus();
    await page.keyboard.press('Control+End');
    await page.locator('[aria-rowindex="100001"]').getByText('row 100000').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    expect((await textsOfRow(page, 100_000))[1]).toBe('9007199254840993');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByText(/^\d[\d,]+ lines$/u).waitFor();
    expect(await page.locator('.result-line').count()).toBeLessThan(120);
  });

  test('of 1,600 columns, only the visible ones are rendered', async () => {
    const { page } = await explorer.open('#/wide');
    await grid(page).focus();
    await page.keyboard.press('End');
    await page.locator('[aria-rowindex="2"] [aria-colindex="1600"]').getByText('1599').waitFor();
    expect(await page.getByRole('columnheader').count()).toBeLessThan(40);
  });

  test('names and values are always shown as plain text', async () => {
    const name = `odd <b> "name" 'x' ‮rtl`;
    const { page } = await explorer.open(`#/${encodeURIComponent(name)}`);
    await grid(page).getByText('<script>alert(1)</script> ‮abc 🚤').waitFor();
    await page.getByRole('columnheader', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  });
});
