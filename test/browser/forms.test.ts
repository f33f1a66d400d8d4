// Writing: forms for rows, files and functions, each with its request, rehearsed and sent.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { runSql } from '../support/database.ts';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const HOSTILE = '<img src=x onerror="alert(1)"> "שלום" 🏠';

const SQL = `
  create type api.mood as enum ('good', 'bad');
  create table api.things (
    id int generated always as identity primary key,
    name text not null,
    code varchar(5) unique,
    price numeric(12,2) default 9.50,
    mood api.mood,
    tags text[],
    data jsonb,
    day date,
    owner int references api.residents,
    "${HOSTILE.replaceAll('"', '""')}" text
  );
  insert into api.things (name, code, tags, data) values ('First', 'one', '{a,b}', '{"n": 1.50}');
  create table api.readable (id int primary key, name text);
  insert into api.readable values (1, 'Seen');
  create function api.add_thing(name text, tags text[] default '{}') returns int language sql
    begin atomic insert into api.things (name, tags) values (name, tags) returning id; end;
  create function api.days(first date, last date) returns table (day date) language sql stable
    begin atomic select generate_series(first, last, interval '1 day')::date; end;
  create table api.wide (${Array.from({ length: 1600 }, (_, index) => `c${index} int`).join(', ')});
  grant select, insert, update, delete on api.things, api.wide to demo_user;
  revoke all on api.readable from demo_user;
  grant select on api.readable to demo_user;
`;

describeInBrowser('forms', () => {
  const explorer = useExplorer({ sql: SQL, server: { 'db-tx-end': 'commit-allow-override' } });

  async function openAs(
    hash: string,
  ): Promise<{ readonly page: Page; readonly expectStatus: (status: number) => void }> {
    const { page, watch } = await explorer.openAs(hash, explorer.token());
    return { page, expectStatus: (status) => watch.expectStatus(status) };
  }

  async function rowsOf(page: Page, query: string): Promise<unknown> {
    const headers = { Authorization: `Bearer ${explorer.token()}` };
    return await (await page.request.get(`${explorer.origin()}${query}`, { headers })).json();
  }

  test('a row is inserted: what is missing is told, the request shown, rehearsed and sent', async () => {
    const { page } = await openAs('#/things');
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByText('Made by the database: id').waitFor();
    await form.getByRole('button', { name: 'Insert' }).click();
    await form.getByText('A value is needed here.').waitFor();
    await form.getByRole('textbox', { name: 'name' }).fill('Lamp');
    await form.getByRole('textbox', { name: 'price' }).fill('9007199254.10');
    await form.getByRole('combobox', { name: 'mood' }).selectOption('bad');
    await form.getByRole('textbox', { name: 'tags' }).fill('old\nwith, comma');
    await form.getByRole('textbox', { name: 'data' }).fill('{"n": 1.50}');
    await form.getByLabel('day').last().fill('2026-02-03');
    await form.getByRole('combobox', { name: /Value, or search in residents/u }).fill('Ott');
    await form.getByRole('option', { name: /Ottilie Brandt/u }).click();
    await form.getByRole('textbox', { name: HOSTILE }).fill(HOSTILE);
    const request = form.getByLabel('The request that will be sent');
    expect(await request.innerText()).toContain('POST /things\nContent-Type: application/json\n');
    expect(await request.innerText()).toContain('"price": 9007199254.10,');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Rehearse' }).click();
    await form.getByText('It works. Nothing was kept.').waitFor();
    expect(await rowsOf(page, '/things?select=name&name=eq.Lamp')).toEqual([]);
    await form.getByRole('button', { name: 'Insert' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await rowsOf(page, '/things?select=*&id=gt.1')).toEqual([
      {
        id: expect.any(Number) as number,
        name: 'Lamp',
        code: null,
        price: 9_007_199_254.1,
        mood: 'bad',
        tags: ['old', 'with, comma'],
        data: { n: 1.5 },
        day: '2026-02-03',
        owner: 3,
        [HOSTILE]: HOSTILE,
      },
    ]);
    await page.getByRole('gridcell', { name: 'Lamp' }).waitFor();
  });

  test('a row is changed in place: only what is other than before is sent', async () => {
    const { page, expectStatus } = await openAs('#/things?id=eq.1');
    await page.getByRole('button', { name: 'Row', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    const name = form.getByRole('textbox', { name: 'name' });
    await expect.poll(() => name.inputValue()).toBe('First');
    expect(await form.getByRole('textbox', { name: 'tags' }).inputValue()).toBe('a\nb');
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Set price to null' }).click();
    await form.getByRole('textbox', { name: 'code' }).fill('toolong');
    await form.getByText('This has more than 5 characters.').waitFor();
    expectStatus(400);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('value too long for type character varying(5)').waitFor();
    await form.getByRole('button', { name: 'Undo code' }).click();
    const request = await form.getByLabel('The request that will be sent').innerText();
    expect(request).toMatch(/^PATCH \/things\?id=eq\.1\n/u);
    expect(request).toMatch(/\n\n\{\n {2}"price": null\n\}$/u);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await rowsOf(page, '/things?select=name,code,price&id=eq.1')).toEqual([
      { name: 'First', code: 'one', price: null },
    ]);
  });

  test('a refused value is told at its field', async () => {
    const { page, expectStatus } = await openAs('#/things');
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'name' }).fill('Twin');
    await form.getByRole('textbox', { name: 'code' }).fill('one');
    expectStatus(409);
    await page.keyboard.press('Enter');
    await form.getByRole('group', { name: 'code' }).getByText('duplicate key value violates').waitFor();
    expect(await form.getByRole('textbox', { name: 'code' }).getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  test('a row is deleted after a question, and one that is gone is told as such', async () => {
    await runSql(explorer.database().uri, `insert into api.things (name) overriding system value values ('Doomed')`);
    const { page, expectStatus } = await openAs('#/things?name=eq.Doomed');
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Row', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText('"name": "Doomed"').waitFor();
    };
    await open();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await rowsOf(page, '/things?select=name&name=eq.Doomed')).toHaveLength(1);
    await open();
    await runSql(explorer.database().uri, `update api.things set id = default where name = 'Doomed'`);
    expectStatus(406);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No row was met.').waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await open();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rowsOf(page, '/things?select=name&name=eq.Doomed')).toEqual([]);
  });

  test('a CSV file is shown, compared with the columns, and inserted', async () => {
    const { page } = await openAs('#/things');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const form = page.getByRole('dialog');
    const choose = (text: string): Promise<void> =>
      form.getByLabel(/CSV file/u).setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('nope\n"unclosed');
    await form.getByText('A quoted field of the CSV does not end').waitFor();
    await choose('name,nope\nA,1\n');
    await form.getByText('No column to write to: nope').waitFor();
    await choose('name,price\n"Cup, blue",1.5\nPlate,2\n');
    await form.getByRole('cell', { name: 'Cup, blue' }).waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Rehearse' }).click();
    await form.getByText('It works. Nothing was kept.').waitFor();
    expect(await rowsOf(page, '/things?select=name&name=in.("Cup, blue",Plate)')).toEqual([]);
    await form.getByRole('button', { name: 'Insert the rows' }).click();
    await page.getByText('Inserted 2 rows into things').waitFor();
    expect(await rowsOf(page, '/things?select=name,price&name=in.("Cup, blue",Plate)&order=id')).toEqual([
      { name: 'Cup, blue', price: 1.5 },
      { name: 'Plate', price: 2 },
    ]);
  });

  test('a function that reads is called by its place, and one that writes by its form', async () => {
    const { page } = await openAs('#/rpc/days');
    await page.getByRole('form', { name: 'Call days' }).getByRole('button', { name: 'Run' }).click();
    await page.getByText('A value is needed here.').first().waitFor();
    await page.getByLabel('first').last().fill('2026-01-01');
    await page.getByLabel('last').last().fill('2026-01-02');
    await page.getByRole('form', { name: 'Call days' }).getByRole('button', { name: 'Run' }).click();
    await page.getByRole('gridcell', { name: '2026-01-02' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/rpc/days?first=2026-01-01&last=2026-01-02');
    await expectAccessible(page);

    await page.goto(`${explorer.origin()}/#/rpc/add_thing`);
    const form = page.getByRole('form', { name: 'Call add_thing' });
    await form.getByRole('textbox', { name: 'name' }).fill('Called');
    await form.getByRole('button', { name: 'Rehearse' }).click();
    await form.getByText('It works. Nothing was kept.').waitFor();
    expect(await rowsOf(page, '/things?select=name&name=eq.Called')).toEqual([]);
    await form.getByRole('button', { name: 'Run' }).click();
    await form.getByRole('region', { name: 'What it gave back' }).waitFor();
    expect(await rowsOf(page, '/things?select=name&name=eq.Called')).toEqual([{ name: 'Called' }]);
  });

  test('what the role may not do is not offered', async () => {
    const { page } = await openAs('#/readable');
    await page.getByRole('gridcell', { name: 'Seen' }).waitFor();
    expect(await page.getByRole('button', { name: 'Insert', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Row', exact: true }).count()).toBe(0);
  });

  test('a form of 1,600 columns is searched', async () => {
    const { page } = await openAs('#/wide');
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Show 60 more of 1540' }).waitFor();
    await form.getByRole('searchbox', { name: 'Find a field' }).fill('c1599');
    await form.getByRole('textbox', { name: 'c1599' }).fill('7');
    await form.getByRole('button', { name: 'Insert', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    expect(await rowsOf(page, '/wide?select=c1599')).toEqual([{ c1599: 7 }]);
  });
});
