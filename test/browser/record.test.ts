// The page about one row: fields, references, related rows, and the history if there is one.
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create table api.tools_history (
    id integer generated always as identity primary key,
    tool_id integer not null references api.tools,
    changed_at timestamptz not null,
    changed_by text not null,
    condition text
  );
  insert into api.tools_history (tool_id, changed_at, changed_by, condition) values
    (1, '2024-02-01 10:00Z', 'Mira', 'new'), (1, '2025-06-01 12:30Z', 'Anna', 'good'), (2, '2025-01-01Z', 'Ada', 'worn');
  create table api.settings (name text, value text);
  insert into api.settings values ('a', 'b'), ('a', 'c');
  insert into api.notes (id, author_id, title) values (900, 1, 'To be changed');
  do $$ begin execute 'create table api.wide (id int primary key, ' ||
    (select string_agg(format('column_%s int default %s', n, n), ', ') from generate_series(1, 1500) n) || ')'; end $$;
  insert into api.wide (id) values (1);
  create table api.documents (id int primary key, content jsonb);
  insert into api.documents select 1, json_object_agg('key ' || n, n) from generate_series(1, 10000) n;
  grant select on api.tools_history, api.settings, api.wide, api.documents to demo_anon, demo_user;
`;

describeInBrowser('the page of a row', () => {
  const explorer = useExplorer({ sql: SQL });

  test('shows the fields with types and comments, and the referenced row as a link with its label', async () => {
    const { page, address } = await explorer.open('#record/houses?id=eq.3');
    const fields = page.getByRole('region', { name: 'Fields' });
    const built = fields.getByRole('row', { name: /^built/u });
    await built.waitFor();
    expect(await built.innerText()).toMatch(/smallint[\s\S]*\d{4}[\s\S]*Year in which the first family moved in/u);
    await fields.getByRole('row', { name: /^address/u }).waitFor();
    await page.getByRole('link', { name: 'Lantern Row' }).click();
    await expect.poll(address).toBe('record/streets?id=eq.1');
    await page.getByRole('heading', { name: 'Lantern Row' }).waitFor();
    await expect.poll(() => page.title()).toBe('Row of streets · Rowhouse');
    await page.goBack();
    await built.waitFor();
    expect(address()).toBe('record/houses?id=eq.3');
    await expectAccessible(page, 'main');
  });

  test('shows a row of 1,501 columns, and some of the 10,000 keys of a value', async () => {
    const { page } = await explorer.open('#record/wide?id=eq.1');
    const fields = page.getByRole('region', { name: 'Fields' });
    await fields.getByText('column_1500', { exact: true }).waitFor();
    await page.goto(`${explorer.origin()}/#record/documents?id=eq.1`);
    await fields.getByText('and 9,800 more').waitFor();
    expect(await fields.locator('dt').count()).toBe(200);
  });

  test('shows the names of referenced rows beside their keys, with the same request', async () => {
    const { page } = await explorer.open('#record/notes?id=eq.900', {});
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${explorer.origin()}/#record/houses?id=eq.3`);
    const street = page.getByRole('region', { name: 'Fields' }).getByRole('row', { name: /^street_id/u });
    await expect.poll(() => street.getByRole('cell').innerText()).toBe('1 · Lantern Row');
    await street.getByRole('link', { name: '1', exact: true }).waitFor();
    expect(requests.filter((url) => url.includes('/streets'))).toEqual([]);
    await page.goto(`${explorer.origin()}/#record/tools?id=eq.1`);
    const owner = page.getByRole('region', { name: 'Fields' }).getByRole('row', { name: /^owner_id/u });
    await expect.poll(() => owner.getByRole('cell').innerText()).toMatch(/^\d+ · \p{L}/u);
    await page.goto(`${explorer.origin()}/#record/skills?id=eq.1`);
    const skilled = page.getByRole('region', { name: 'Related rows: resident_skills by skill_id' });
    await expect.poll(() => skilled.getByRole('cell').first().innerText()).toMatch(/^\d+ \p{L}/u);
    const residents = page.getByRole('region', { name: /^Related rows: residents through/u });
    const house = residents
      .getByRole('row')
      .nth(1)
      .locator('td', { has: page.locator('a[href*="houses"]') });
    await expect.poll(() => house.innerText()).toMatch(/^\d+ \S/u);
    expect(await page.getByText('label_0').count()).toBe(0);
    await page.goto(`${explorer.origin()}/#record/streets?id=eq.1`);
    const key = page.getByRole('region', { name: 'Fields' }).getByRole('row', { name: /^id/u });
    await expect.poll(() => key.getByRole('cell').innerText()).toBe('1');
  });

  test('shows related rows with their number, behind foreign keys, junctions and functions, and all on demand', async () => {
    const { page, address } = await explorer.open('#record/residents?id=eq.1');
    const tools = page.getByRole('region', { name: 'Related rows: tools by owner_id', exact: true });
    const skills = page.getByRole('region', { name: 'Related rows: skills through resident_skills' });
    const neighbors = page.getByRole('region', { name: 'Related rows: neighbours' });
    const counted = async (url: string): Promise<string> => {
      const body: unknown = await (await fetch(`${explorer.origin()}${url}`)).json();
      const rows = (body as readonly { readonly neighbours?: readonly unknown[] }[]).flatMap(
        (row) => row.neighbours ?? [row],
      );
      return rows.length === 1 ? '1 row' : `${rows.length} rows`;
    };
    const badge = (region: typeof tools): Promise<string | null> => region.locator('.ui-badge').textContent();
    await expect.poll(() => badge(tools)).toBe(await counted('/tools?owner_id=eq.1'));
    await expect.poll(() => badge(skills)).toBe(await counted('/resident_skills?resident_id=eq.1'));
    await expect.poll(() => badge(neighbors)).toBe(await counted('/residents?id=eq.1&select=neighbours(id)'));
    await tools.getByRole('link', { name: 'All' }).click();
    await expect.poll(address).toBe('/tools?owner_id=eq.1&limit=50&order=id');
    await page.goBack();
    await tools.getByRole('cell').first().getByRole('link').click();
    await expect.poll(address).toMatch(/^record\/tools\?id=eq\.\d+$/u);
  });

  test('shows the history of the table first, as a timeline with the latest change on top', async () => {
    const { page } = await explorer.open('#record/tools?id=eq.1');
    const history = page.getByRole('region', { name: 'History' });
    await expect
      .poll(() => history.getByRole('time').allTextContents())
      .toEqual(['2025-06-01 12:30:00 UTC', '2024-02-01 10:00:00 UTC']);
    await history.getByText('Anna').waitFor();
    await expect.poll(() => page.locator('main article > section').first().getAttribute('aria-label')).toBe('History');
    expect(await page.getByRole('region', { name: /^Related rows: tools_history/u }).count()).toBe(0);
    await expectAccessible(page, 'main');
    await page.goto(`${explorer.origin()}/#record/houses?id=eq.3`);
    await page.getByRole('region', { name: 'Fields' }).waitFor();
    expect(await history.count()).toBe(0);
  });

  test('a row can be edited, and the page shows the change and its undo', async () => {
    const { page } = await explorer.openAs('#record/notes?id=eq.900', explorer.token());
    await page.getByRole('button', { name: 'Edit' }).click();
    const before = await page.getByRole('heading', { level: 1 }).innerText();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'title' }).fill('Changed on its page');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Changed on its page' }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(before);
  });

  test('can be duplicated without its key, and a related row can be added', async () => {
    const { page, address } = await explorer.openAs('#record/notes?id=eq.900', explorer.token());
    await page.getByRole('button', { name: 'Duplicate' }).click();
    const dialog = page.getByRole('dialog');
    const title = dialog.getByRole('textbox', { name: 'title' });
    await title.waitFor();
    expect(await title.inputValue()).toBe('To be changed');
    await expectAccessible(page);
    await title.fill('A copy');
    await dialog.getByRole('button', { name: 'Insert', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(address()).toBe('record/notes?id=eq.900');
    await page.goto(`${explorer.origin()}/#record/residents?id=eq.1`);
    const notes = page.getByRole('region', { name: 'Related rows: notes by author_id' });
    await notes.getByText('A copy').waitFor();
    await notes.getByRole('button', { name: 'Add to notes by author_id' }).click();
    expect(await dialog.getByRole('combobox', { name: /search residents/u }).inputValue()).toBe('1');
    await title.fill('An added note');
    await dialog.getByRole('button', { name: 'Insert', exact: true }).click();
    await notes.getByText('An added note').waitFor();
  });

  test('reports a row that does not exist, and an address of several rows', async () => {
    const { page, watch } = await explorer.open('#record/houses?id=eq.999999');
    await page.getByText('No such row.').waitFor();
    await page.goto(`${explorer.origin()}/#record/settings?name=eq.a`);
    await page.getByText('Several rows have this address.').waitFor();
    await expectAccessible(page, 'main');
    watch.expectStatus(400);
    await page.goto(`${explorer.origin()}/#record/houses?id=eq.x`);
    await page.getByText('22P02').waitFor();
  });
});
