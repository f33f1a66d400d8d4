// The reference pages of tables and functions: structure, examples that work, links and printing.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

describeInBrowser('the reference', () => {
  const explorer = useExplorer();

  test('shows columns with types, keys, defaults and comments, and relationships', async () => {
    const { page, address } = await explorer.openAs('#reference/notes', explorer.token());
    const columns = page.getByRole('group', { name: 'Columns' });
    await columns
      .getByRole('row', { name: /^author_id integer.*→ residents\.id.*You, unless said otherwise/u })
      .waitFor();
    await columns.getByRole('row', { name: /^id integer.*primary key/u }).waitFor();
    await columns.getByRole('row', { name: /^topic api\.topic.*offer, wanted, party, lost, found/u }).waitFor();
    await columns.getByRole('row', { name: /^pinned_at .*now\(\)/u }).waitFor();
    await page.getByText('Your role can read, insert, update, and delete rows.').waitFor();
    await page.getByRole('group', { name: 'Relationships' }).getByRole('link', { name: 'residents' }).click();
    await expect.poll(address).toBe('reference/residents');
    await expect.poll(() => page.title()).toBe('Reference: residents · Rowhouse');
    await page.goBack();
    await columns.waitFor();
    await expectAccessible(page, 'main');
  });

  test('has examples for what the role may do, with values of the first row, that work as shown', async () => {
    const { page } = await explorer.openAs('#reference/notes', explorer.token());
    const example = (title: string) => page.getByRole('region', { name: title, exact: true }).locator('pre');
    await expect.poll(() => example('Read one row').innerText()).toMatch(/notes\?id=eq\.\d+'/u);
    const { title } = await firstNote();
    const quoted = JSON.stringify(title).replaceAll("'", String.raw`'\''`);
    await expect.poll(() => example('Insert a row').innerText()).toContain(`"title": ${quoted}`);
    for (const name of ['Update a row', 'Insert a row, or update it if its key exists', 'Delete a row']) {
      await example(name).waitFor();
    }
    const command = await example('Insert a row').innerText();
    const output = execFileSync('bash', ['-c', command.replace(/^curl/u, 'curl -s')], {
      env: { ...process.env, TOKEN: explorer.token() },
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toMatchObject([{ title }]);
    await page.getByRole('tab', { name: 'postgrest-js' }).click();
    await expect.poll(() => example('Delete a row').innerText()).toMatch(/\.delete\(\)\n {2}\.eq\('id', \d+\)/u);
    await page.goto(`${explorer.origin()}/#reference/streets`);
    await expect.poll(() => example('Read one row').innerText()).toContain('/streets?id=eq.1');
    expect(await page.getByRole('region', { name: 'Insert a row' }).count()).toBe(0);
  });

  async function firstNote(): Promise<{ readonly title: string }> {
    const headers = { Authorization: `Bearer ${explorer.token()}` };
    const response = await fetch(`${explorer.origin()}/notes?select=title&limit=1`, { headers });
    const [first] = (await response.json()) as readonly { readonly title: string }[];
    return first ?? { title: '' };
  }

  test('describes a function and its call', async () => {
    const { page } = await explorer.open('#reference/rpc/walk_minutes');
    await page.getByText('Reads only: GET and POST call it. It returns integer.').waitFor();
    await page.getByRole('row', { name: 'from_house integer yes' }).waitFor();
    const call = page.getByRole('region', { name: 'Call by GET' }).locator('pre');
    expect(await call.innerText()).toContain('/rpc/walk_minutes?from_house=1&to_house=1');
    await expectAccessible(page, 'main');
  });

  test('is linked from the list and the map', async () => {
    const { page, address } = await explorer.open('#/tools?limit=1');
    await page.getByRole('link', { name: 'Reference of tools' }).click();
    await expect.poll(address).toBe('reference/tools');
    await page.getByRole('link', { name: /^table houses/u }).hover();
    await page.getByRole('link', { name: 'Reference of houses' }).click();
    await expect.poll(address).toBe('reference/houses');
    await page.goto(`${explorer.origin()}/#map/residents`);
    await page.getByRole('toolbar', { name: 'Map' }).getByRole('link', { name: 'Reference' }).click();
    await expect.poll(address).toBe('reference/residents');
  });

  test('prints as a whole, without the rest of the page', async () => {
    const { page } = await explorer.open('#reference/residents', { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Examples' }).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('searchbox', { name: 'Search tables and functions' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).overflow")).toBe('visible');
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    const end = await page.locator('.reference-example').last().boundingBox();
    expect(height).toBeGreaterThanOrEqual(Math.floor((end?.y ?? 0) + (end?.height ?? 0)));
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
  });
});
