// The builder: every edit updates the URL.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const WIDE_SQL = `
  create table api.wide (${Array.from({ length: 1_600 }, (_, index) => `c${index} int`).join(', ')});
  grant select on api.wide to demo_anon;
`;

function newFilter(within: Page | Locator): Locator {
  return within.getByRole('group', { name: 'New filter' });
}

async function addFilter(within: Page | Locator, column: string): Promise<Locator> {
  await within.getByRole('button', { name: 'Filter', exact: true }).last().click();
  const filter = newFilter(within);
  await filter.getByLabel('Column').selectOption({ label: column });
  return filter;
}

describeInBrowser('the builder', () => {
  const explorer = useExplorer({ sql: WIDE_SQL });

  test('a column is deselected, renamed and cast', async () => {
    const { page, unordered: address } = await explorer.open('#/skills');
    await page.getByRole('checkbox', { name: 'kind' }).uncheck();
    await expect.poll(address).toBe('/skills?select=id,name');
    await page.getByRole('button', { name: 'Name and type of name' }).click();
    await page.getByLabel('Alias').fill('skill');
    await page.getByLabel('Cast to type').fill('varchar');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/skills?select=id,skill:name::varchar');
    await page.getByRole('checkbox', { name: 'All columns' }).check();
    await expect.poll(address).toBe('/skills?select=*,skill:name::varchar');
  });

  test('rows are grouped, by one column if all are selected', async () => {
    const { page, unordered: address } = await explorer.open('#/tools?select=condition');
    await page.getByRole('button', { name: 'Add a value' }).click();
    await page.getByRole('menuitem', { name: 'Group by condition' }).click();
    await expect.poll(address).toBe('/tools?select=condition,count()');
    await page.getByRole('button', { name: 'Add a value' }).click();
    await page.getByRole('menuitem', { name: 'Aggregate of a column' }).click();
    await page.getByLabel('Aggregate').selectOption('max');
    await expect.poll(address).toBe('/tools?select=condition,count(),id.max()');
    await page.goto(`${explorer.origin()}/#/tools`);
    await page.getByRole('button', { name: 'Add a value' }).click();
    await page.getByRole('menuitem', { name: 'Group by condition' }).click();
    await expect.poll(address).toBe('/tools?select=condition,count()');
    await page.getByRole('checkbox', { name: 'owner_id' }).check();
    await page.getByRole('checkbox', { name: 'name' }).check();
    await page.getByRole('button', { name: 'Add a value' }).click();
    await page.getByRole('menuitem', { name: 'Group by 3 columns' }).waitFor();
  });

  test('a filter is applied once it has a value, and Back removes it', async () => {
    const { page, unordered: address } = await explorer.open('#/houses');
    const filter = await addFilter(page, 'colour');
    await filter.getByText('Enter a value to apply this filter.').waitFor();
    await expect.poll(address).toBe('/houses');
    await filter.getByLabel('Value').fill('red');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/houses?colour=ilike.*red*');
    await page.getByRole('checkbox', { name: 'not' }).check();
    await expect.poll(address).toBe('/houses?colour=not.ilike.*red*');
    await page.goBack();
    await page.goBack();
    await expect.poll(address).toBe('/houses');
    await page.getByRole('group', { name: 'Filter by colour' }).waitFor({ state: 'detached' });
  });

  test('the input keeps the focus while the filter is applied', async () => {
    const { page, unordered: address } = await explorer.open('#/houses?or=(built.lt.1900)');
    const filter = await addFilter(page, 'number');
    await filter.getByLabel('Value').pressSequentially('1');
    await expect.poll(address).toBe('/houses?number=eq.1&or=(built.lt.1900)');
    await page.keyboard.type('2');
    await expect.poll(address).toBe('/houses?number=eq.12&or=(built.lt.1900)');
    await page.goBack();
    await expect.poll(address).toBe('/houses?or=(built.lt.1900)');
  });

  test('a new group starts with a filter', async () => {
    const { page, unordered: address } = await explorer.open('#/houses');
    await page.getByRole('button', { name: 'Any-of group' }).click();
    const filter = newFilter(page);
    await filter.getByLabel('Column').selectOption({ label: 'number' });
    await filter.getByLabel('Value').pressSequentially('1');
    await expect.poll(address).toBe('/houses?or=(number.eq.1)');
    await page.keyboard.type('2');
    await expect.poll(address).toBe('/houses?or=(number.eq.12)');
    await page.getByRole('button', { name: 'Remove this group' }).click();
    await expect.poll(address).toBe('/houses');
  });

  test.each([
    ['notes', 'topic', 'select', 'party', 'topic=eq.party'],
    ['notes', 'pinned_at', 'input', '2024-02-29T10:00:30', 'pinned_at=eq.2024-02-29T10:00:30'],
    ['residents', 'moved_in', 'input', '1999-12-31', 'moved_in=eq.1999-12-31'],
    ['notes', 'is_public', 'select', 'not_null', 'is_public=is.not_null'],
  ])('%s are filtered by %s with an input for its type', async (relation, column, element, value, parameter) => {
    const { page, unordered: address } = await explorer.open(`#/${relation}`);
    await addFilter(page, column);
    const input = page.getByRole('group', { name: /filter/iu }).getByLabel('Value', { exact: true });
    if (element === 'select') await input.selectOption(value);
    else await input.fill(value);
    await page.keyboard.press('Tab');
    await expect.poll(address).toBe(`/${relation}?${parameter}`);
  });

  test('values of a list are added and removed', async () => {
    const { page, unordered: address } = await explorer.open('#/houses?number=in.(1,2)');
    const filter = page.getByRole('group', { name: 'Filter by number' });
    await filter.getByLabel('Add a value').fill('5');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/houses?number=in.(1,2,5)');
    await filter.getByRole('button', { name: 'Remove 2' }).click();
    await expect.poll(address).toBe('/houses?number=in.(1,5)');
    await filter.getByLabel('Operator').selectOption('gt(any)');
    await expect.poll(address).toBe('/houses?number=gt(any).{1,5}');
  });

  test('a referenced row is searched by text with the keyboard', async () => {
    const { page, unordered: address } = await explorer.open('#/houses');
    const filter = await addFilter(page, 'street_id');
    await filter.getByRole('combobox', { name: /search streets/u }).pressSequentially('ropewalk');
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /Upper Ropewalk/u })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/houses?street_id=eq.5');
    await page.getByRole('group', { name: 'Filter by street_id' }).getByText('Upper Ropewalk').waitFor();
  });

  test('groups are nested, negated and ungrouped', async () => {
    const { page, unordered: address } = await explorer.open('#/houses?built=lt.1900');
    await page.getByRole('group', { name: 'Filter by built' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /any of/u }).click();
    await expect.poll(address).toBe('/houses?or=(built.lt.1900)');
    const group = page.getByRole('group', { name: 'Group of filters' });
    const filter = await addFilter(group, 'number');
    await filter.getByLabel('Value').fill('7');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/houses?or=(built.lt.1900,number.eq.7)');
    await group.getByLabel('Rows match').selectOption('not and');
    await expect.poll(address).toBe('/houses?not.and=(built.lt.1900,number.eq.7)');
    await group.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Ungroup' }).click();
    await expect.poll(address).toBe('/houses?built=lt.1900&number=eq.7');
  });

  test('relationships are embedded to any depth, each with its own panel', async () => {
    const { page, unordered: address } = await explorer.open('#/streets');
    await page.getByRole('button', { name: 'Embed houses' }).click();
    await expect.poll(address).toBe('/streets?select=*,houses(*)');
    const houses = page.getByRole('group', { name: 'Related rows: houses' });
    await houses.getByText('Related rows', { exact: true }).click();
    await houses.getByRole('button', { name: 'Embed residents' }).click();
    await expect.poll(address).toBe('/streets?select=*,houses(*,residents(*))');
    const residents = page.getByRole('group', { name: 'Related rows: residents' });
    await residents.getByLabel('Rows without it').selectOption('inner');
    await residents.getByText('Rows', { exact: true }).click();
    await residents.getByLabel('Limit').fill('2');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/streets?select=*,houses(*,residents!inner(*))&houses.residents.limit=2');
    await houses.getByRole('button', { name: 'Remove houses' }).click();
    await expect.poll(address).toBe('/streets');
  });

  test('rows are ordered by own and related columns', async () => {
    const { page, unordered: address } = await explorer.open('#/houses?select=*,streets(name)&order=built');
    await page.getByLabel('Order by another column').selectOption({ label: 'streets: name' });
    await expect.poll(address).toBe('/houses?select=*,streets(name)&order=built,streets(name).asc');
    await page.getByRole('button', { name: 'Move name up' }).click();
    await page.getByRole('group', { name: 'Order by built' }).getByLabel('Direction').selectOption('desc');
    await page.getByRole('group', { name: 'Order by built' }).getByLabel('Position of nulls').selectOption('nullslast');
    await expect.poll(address).toBe('/houses?select=*,streets(name)&order=streets(name).asc,built.desc.nullslast');
  });

  test('rows are ordered by the names of embedded columns', async () => {
    const { page, unordered: address } = await explorer.open('#/houses?select=id,...streets(street:name)&limit=2');
    const choice = page.getByLabel('Order by another column');
    await page.getByText('Order', { exact: true }).last().click();
    expect(await choice.locator('option').allInnerTexts()).toContain('streets: street');
    expect(await choice.locator('option').allInnerTexts()).not.toContain('streets: name');
    await choice.selectOption({ label: 'streets: street' });
    await expect.poll(address).toBe('/houses?select=id,...streets(street:name)&order=streets(street).asc&limit=2');
    await page.getByText('200 OK').waitFor();
  });

  test('the pages and the row count work', async () => {
    const { page, unordered: address } = await explorer.open('#/streets');
    await page.getByRole('button', { name: '3 rows', exact: true }).click();
    await page.getByRole('button', { name: 'Next page' }).last().click();
    await expect.poll(address).toBe('/streets?limit=3&offset=3');
    await page.getByRole('button', { name: 'Count rows' }).click();
    await page.getByText('5 rows match.').waitFor();
  });

  test('parameters without inputs stay in the URL', async () => {
    const { page, watch, unordered: address } = await explorer.open('#/houses?gardens.size=eq.1&built=lt.1900');
    watch.expectStatus(400);
    await page.getByRole('region', { name: 'Other parameters' }).getByText('gardens.size=eq.1').waitFor();
    await page.getByRole('checkbox', { name: 'not' }).check();
    await expect.poll(address).toBe('/houses?gardens.size=eq.1&built=not.lt.1900');
  });

  test('an invalid URL is reported with a way back to the last valid one', async () => {
    const { page, watch, unordered: address } = await explorer.open('#/houses?built=lt.1900');
    watch.expectStatus(400);
    await page.getByRole('group', { name: 'Filter by built' }).waitFor();
    await page.evaluate(`location.hash = '#/houses?built=less.1900'`);
    await page.getByText('The builder cannot show this URL').waitFor();
    await page.getByRole('button', { name: /last valid/u }).click();
    await expect.poll(address).toBe('/houses?built=lt.1900');
  });

  test('of 1,600 columns, only the visible ones are rendered', async () => {
    const { page, unordered: address } = await explorer.open('#/wide?select=c0');
    const columns = page.getByRole('group', { name: 'Columns to show' });
    await columns.getByRole('checkbox', { name: 'c1', exact: true }).waitFor();
    expect(await columns.getByRole('checkbox').count()).toBeLessThan(60);
    await columns.getByLabel('Search columns').fill('c1599');
    await columns.getByRole('checkbox', { name: 'c1599' }).check();
    await expect.poll(address).toBe('/wide?select=c0,c1599');
  });

  test('the accessibility check finds no serious problem', async () => {
    const query = 'select=number,owners:residents(*)&built=lt.1900&or=(number.in.(1,2),colour.is.null)&order=built';
    const { page } = await explorer.open(`#/houses?${query}`);
    await page.getByRole('group', { name: 'Related rows: owners' }).waitFor();
    await expectAccessible(page, '.builder');
  });
});
