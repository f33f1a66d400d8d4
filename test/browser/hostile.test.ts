// Hostile or odd databases with names and values of every kind, manipulated addresses, and fast navigation.
import { readFile } from 'node:fs/promises';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const HTML = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
const TABLES = ['a/b?', '50%25', '#a&b=c', HTML, 'שלום left\u202Eright', '😀', '__proto__', 'a.b,c(d)', ' "blank" '];

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const COLUMNS = ['__proto__', 'constructor', 'toString', 'order', 'select', 'and', 'limit', 'a.b', 'x->>y', 'é"ü'];

const SQL = `
  ${TABLES.map((name) => `create table api.${quote(name)} (id int primary key, ${quote(HTML)} text); insert into api.${quote(name)} values (1, 'found');`).join('\n')}
  ${TABLES.map((name) => `comment on table api.${quote(name)} is '${HTML}';`).join('\n')}
  create table api.columns (id int generated always as identity primary key, ${COLUMNS.map((name) => `${quote(name)} text`).join(', ')});
  comment on column api.columns."constructor" is '${HTML}';
  create type api.mood as enum ('${HTML.slice(0, 40)}', 'a,b', '=1+1', ' ', 'null');
  create type api.pair as (a int, b text);
  create table api.kinds (
    id int primary key, mood api.mood, html text default '${HTML}', link text, formula text, rtl text, empty text, missing text,
    large bigint, exact numeric, infinite timestamptz, never date, range int4range, pairs api.pair[], nested jsonb, list int[][]);
  insert into api.kinds values (1, 'a,b', '${HTML}', 'javascript:alert(1)', '=HYPERLINK("http://evil.example","x")', E'abc\\u202Edef', '', null,
    9007199254740993, 12345678901234567890.123456789, 'infinity', '-infinity', '[1,5)', array[row(1, '${HTML}'), row(2, null)]::api.pair[],
    '{"__proto__": {"x": 1}, "constructor": 2}', '{{1,2},{3,4}}');
  create table api.large (id int primary key, long text, deep jsonb);
  insert into api.large values (1, repeat('x', 1000000), (repeat('[', 5000) || repeat(']', 5000))::jsonb);
  create table api.two_keys (a text, b int, note text, primary key (a, b));
  insert into api.two_keys values ('x&y', 1, 'one'), ('x&y', 2, 'two'), ('', 1, 'empty');
  create table api.no_key (name text);
  insert into api.no_key values ('same'), ('same');
  create view api.seen as select a, note from api.two_keys;
  grant select, insert, update, delete on all tables in schema api to demo_user;
`;

async function query(uri: string, sql: string): Promise<unknown> {
  return await withConnection(uri, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
}

/** Returns the PATCH and DELETE requests of the page, decoded. */
function watchWrites(page: Page): readonly string[] {
  const writes: string[] = [];
  page.on('request', (request: Request) => {
    if (request.method() !== 'GET')
      writes.push(
        `${request.method()} ${decodeURIComponent(new URL(request.url()).pathname + new URL(request.url()).search)}`,
      );
  });
  return writes;
}

const TAMPERED: readonly string[] = [
  '#@__proto__/constructor',
  '#/__proto__?select=__proto__,constructor',
  '#json@@@/x',
  '#%',
  '#/%E0%A4%A',
  '#map/%E0%A4%A',
  '#plan',
  '#/rpc/',
  '#/rpc/__proto__',
  '#/houses?select=(((((((',
  '#/houses?or=(((((((and(',
  '#/houses?limit=-1&offset=99999999999999999999',
  '#/houses?limit=1&limit=2&order=&select=',
  `#/houses?id=eq.${'9'.repeat(20_000)}`,
  `#/houses?select=${'a('.repeat(2_000)}`,
  `#${'x'.repeat(100_000)}`,
  '#//evil.example/x',
  '#/\\evil.example',
  '#/../../etc',
  '#javascript:alert(1)',
  '#/houses?select=<script>alert(1)</script>',
];

describeInBrowser('a hostile database', () => {
  const explorer = useExplorer({ sql: SQL, server: { 'db-tx-end': 'commit-allow-override' } });

  test.each(TABLES)(
    'a relation named %j is found, shown in every view, copied, and links to its rows',
    async (name) => {
      const { page } = await explorer.openAs('#', explorer.token());
      await page.getByText(/^\d+ tables/u).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type(name.trim());
      await page
        .locator('.side-entry')
        .filter({ has: page.getByText(name, { exact: true }) })
        .first()
        .click();
      await page.getByRole('gridcell', { name: 'found' }).waitFor();
      for (const view of ['JSON', 'CSV']) {
        await page.getByRole('tab', { name: view }).click();
        await page.getByText(view === 'CSV' ? '1,found' : '"found"').waitFor();
      }
      await page.getByRole('tab', { name: 'Plan' }).click();
      await page.getByText('most costly').waitFor();
      await page.getByRole('tab', { name: 'Table' }).click();
      await page.locator('[aria-rowindex="2"] a').first().click();
      await expect.poll(() => page.url()).toMatch(/#record\/.*id=eq\.1$/u);
      await page.getByRole('cell', { name: 'found' }).waitFor();
      await page.reload();
      await page.getByRole('cell', { name: 'found' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Reference' }).click();
      await page.getByRole('region', { name: 'Read one row' }).getByText('id=eq.1').first().waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Open' }).click();
      await page.getByRole('gridcell', { name: 'found' }).waitFor();
    },
  );

  test('columns named like words of the grammar or JavaScript can be sorted, filtered, inserted and updated', async () => {
    const { page } = await explorer.openAs('#/columns', explorer.token());
    const writes = watchWrites(page);
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog');
    for (const name of COLUMNS) await form.getByRole('textbox', { name, exact: true }).fill(`value of ${name}`);
    await form.getByRole('button', { name: 'Insert', exact: true }).dblclick();
    await form.waitFor({ state: 'detached' });
    expect(writes).toEqual(['POST /columns']);
    await page.getByRole('gridcell', { name: 'value of __proto__' }).waitFor();
    for (const name of COLUMNS) {
      const head = page.getByRole('columnheader', { name }).locator('.result-head-text');
      await head.scrollIntoViewIfNeeded();
      await head.click();
      await expect.poll(() => head.locator('..').getAttribute('aria-sort')).toBe('ascending');
    }
    await page.getByRole('button', { name: 'Row', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await form.getByRole('textbox', { name: '__proto__', exact: true }).fill('changed');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const rows = await query(explorer.database().uri, 'select * from api.columns');
    const expected = COLUMNS.map((name) => [name, name === '__proto__' ? 'changed' : `value of ${name}`] as const);
    expect(rows).toEqual([Object.fromEntries([['id', 1], ...expected])]);
    expect(writes.slice(1)).toEqual(['PATCH /columns?id=eq.1']);
  });

  test('values are shown as plain text without links or changes, and keep all digits', async () => {
    const { page } = await explorer.openAs('#/kinds', explorer.token());
    await page.getByRole('gridcell', { name: 'javascript:alert(1)' }).waitFor();
    const hrefs = await page.locator('main a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(hrefs.filter((href) => href?.startsWith('#') !== true)).toEqual([]);
    await page.getByRole('tab', { name: 'JSON' }).click();
    for (const text of ['9007199254740993', '12345678901234567890.123456789', '"infinity"', '"-infinity"'])
      await page.getByText(text).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: 'Download' })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'As CSV' }).click()),
    ]);
    const headers = { Accept: 'text/csv', Authorization: `Bearer ${explorer.token()}` };
    const served = await (await fetch(`${explorer.origin()}/kinds`, { headers })).text();
    expect(await readFile(await download.path(), 'utf8')).toBe(served);
  });

  test('every kind of value survives a form that does not touch it, and one that sets it', async () => {
    const { page } = await explorer.openAs('#/kinds?id=eq.1', explorer.token());
    const before = await query(explorer.database().uri, 'select * from api.kinds');
    const writes = watchWrites(page);
    await page.getByRole('button', { name: 'Row', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await expect.poll(() => form.getByRole('textbox', { name: 'large' }).inputValue()).toBe('9007199254740993');
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await form.getByRole('textbox', { name: 'missing' }).fill('now');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(writes).toEqual(['PATCH /kinds?id=eq.1']);
    const after = await query(explorer.database().uri, 'select * from api.kinds');
    expect(after).toEqual([{ ...(before as readonly object[])[0], missing: 'now' }]);
  });

  test('a value of 1 MB and JSON with 5,000 levels are shown in every view', async () => {
    const { page } = await explorer.openAs('#/large', explorer.token());
    const folds = page.locator('[aria-rowindex="2"] .result-fold');
    await folds.first().click();
    await page.getByText('950,000 more characters').waitFor();
    await folds.first().click();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByText(/^[\d,]+ lines$/u).waitFor();
    await page.getByRole('tab', { name: 'CSV' }).click();
    await page.getByText('id,long,deep').waitFor();
    await page.goto(`${explorer.origin()}/#/large?select=id,deep`);
    await folds.first().click();
    await page
      .locator('.result-open')
      .getByText(/^\[\[\[/u)
      .first()
      .waitFor();
  });

  test('a row with a composite key is updated alone; without a key, no form is offered', async () => {
    const { page } = await explorer.openAs('#/two_keys?order=b&a=neq.', explorer.token());
    const writes = watchWrites(page);
    await page.getByRole('button', { name: 'Row', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('"note": "one"').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).dblclick();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(writes).toEqual(['DELETE /two_keys?a=eq.x&y&b=eq.1']);
    expect(await query(explorer.database().uri, 'select note from api.two_keys order by note')).toEqual([
      { note: 'empty' },
      { note: 'two' },
    ]);
    for (const hash of ['#/no_key', '#/seen', '#/two_keys?select=a,note', '#/two_keys?select=a,b:b::text,note']) {
      await page.goto(`${explorer.origin()}/${hash}`);
      await page.getByText('200 OK').waitFor();
      await page.getByRole('gridcell').first().waitFor();
      expect(await page.getByRole('button', { name: 'Row', exact: true }).count()).toBe(0);
    }
  });

  test('the token is in no address and only in the storage of the tab', async () => {
    const { page } = await explorer.openAs('#/kinds', explorer.token());
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.getByText('200 OK').waitFor();
    for (const view of ['JSON', 'CSV', 'Plan', 'Table']) await page.getByRole('tab', { name: view }).click();
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: 'curl' }).click();
    expect(await page.locator('.copy-text').innerText()).not.toContain(explorer.token());
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await expect.poll(() => page.url()).toMatch(/#map$/u);
    expect([...urls, page.url()].filter((url) => url.includes(explorer.token()))).toEqual([]);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, document.cookie])')).not.toContain(
      explorer.token(),
    );
    const other = await page.context().newPage();
    await other.goto(`${explorer.origin()}/#/kinds`);
    expect(await other.evaluate('sessionStorage.length')).toBe(0);
    await other.close();
  });

  test('a manipulated address leads to a page with a message', async () => {
    const { page, watch } = await explorer.open('', {});
    for (const status of [400, 401, 404, 406, 414, 416, 431]) watch.expectStatus(status);
    const urls: string[] = [];
    page.on('request', (request) => urls.push(new URL(request.url()).pathname));
    for (const hash of TAMPERED) {
      await page.goto(`${explorer.origin()}/${hash}`);
      await page.reload();
      await page.locator('.ui-notice, .ui-empty, .start h1, .map, .result-status, form').first().waitFor();
      await page.getByRole('link', { name: 'Start' }).waitFor();
    }
    expect(urls.filter((url) => url.includes('etc'))).toEqual([]);
  });

  test('with Back and Forward faster than the responses, the last place wins', async () => {
    const { page, address } = await explorer.open('#/streets?limit=1', {});
    for (const limit of [2, 3, 4, 5]) await page.evaluate(`location.hash = '#/streets?limit=${limit}'`);
    for (const step of ['back', 'back', 'forward', 'back', 'forward', 'forward'])
      await page.evaluate(`history.${step}()`);
    const rows = (): Promise<number> => page.locator('[aria-rowindex] [aria-colindex="1"][role=gridcell]').count();
    await expect.poll(async () => address() === `/streets?limit=${await rows()}&order=id`).toBe(true);
    await page.getByText('200 OK').waitFor();
  });
});
