// `rowhouse dev` with a login role that has no privileges of its own, as `init` creates it: without and with
// `--inspect-uri`.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { type Explorer, useExplorer } from './support/use-explorer.ts';

const SERVER = { 'server-workers': 1 };
/** A row that exists, and that demo_user sees only with a claim. The schema belongs to whoever owns the database. */
const SQL = `
  alter schema api owner to pg_database_owner;
  insert into api.notes (id, author_id, topic, title, body, is_public) overriding system value
    select 500, 1, topic, 'hidden', 'hidden', false from api.notes limit 1;`;

async function explain(explorer: Explorer, id: number): Promise<Page> {
  const { page } = await explorer.open(`#key=${explorer.devKey()}`);
  await page.getByText(/tables(?: and views)?, \d+ functions/u).waitFor();
  await page.evaluate(`location.hash = '#explain/notes?id=eq.${id}'`);
  await page.getByRole('combobox', { name: 'Role' }).selectOption('demo_user');
  await page.getByRole('button', { name: 'Explain' }).click();
  return page;
}

async function publish(explorer: Explorer): Promise<Page> {
  const { page } = await explorer.open(`#key=${explorer.devKey()}`);
  await page.getByRole('link', { name: 'SQL', exact: true }).click();
  await page.getByRole('textbox', { name: 'SQL' }).fill('select id, colour from api.houses');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Make it a view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('painted_houses');
  return page;
}

const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.textContent');

describeInBrowser('a login role without privileges', () => {
  const explorer = useExplorer({ isDev: true, login: 'authenticator', server: SERVER, sql: SQL });

  test('cannot tell whether a hidden row exists, and says so', async () => {
    for (const id of [500, 12_345]) {
      const page = await explain(explorer, id);
      await page.getByText('demo_user does not see this row, if it exists.').waitFor();
      await page.getByText('The role authenticator cannot tell: it does not see the row either.').waitFor();
      await page.getByText('start rowhouse dev with --inspect-uri').waitFor();
      await expectAccessible(page);
    }
  });

  test('cannot publish: the dialog says who can, offers the SQL to copy and keeps the focus', async () => {
    const page = await publish(explorer);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const dialog = page.getByRole('dialog', { name: 'Make it a view' });
    await dialog.getByText('authenticator runs this SQL:').waitFor();
    const create = dialog.getByRole('button', { name: 'Create the view' });
    await create.press('Enter');
    await dialog.getByText('permission denied for schema api').waitFor();
    await dialog
      .getByText(
        'The role authenticator may not create it. Copy the SQL and run it as postgres, the owner of the schema api',
      )
      .waitFor();
    expect(await focused(page)).toBe('Create the view');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Copy the SQL' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'CREATE VIEW api.painted_houses WITH (security_invoker = true) AS\nselect id, colour from api.houses;',
    );
    // A name was entered, so Escape asks.
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard what you entered?').waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('painted_houses');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await focused(page)).toBe('Make it a view');
  });
});

describeInBrowser('--inspect-uri', () => {
  const explorer = useExplorer({ isDev: true, isInspecting: true, login: 'authenticator', server: SERVER, sql: SQL });

  test('tells a hidden row from one that does not exist', async () => {
    const page = await explain(explorer, 500);
    await page.getByText('demo_user does not see this row.').waitFor();
    await page.getByText('None of the permissive policies allows it: keep_own, read_public.').waitFor();
    await page.getByText('The row exists: postgres can read it.').waitFor();
    // No other policy allows the row, so this one says no.
    await page.locator('.access-step-failed').getByText('Permissive policy read_public').waitFor();
    await page.getByLabel('Claims of the token').fill('{"resident_id": 1}');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('demo_user sees this row.').waitFor();
    await page.getByLabel('id', { exact: true }).fill('12345');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('There is no such row.').waitFor();
  });

  test('publishes as that role; API and page never get its connection', async () => {
    const page = await publish(explorer);
    const dialog = page.getByRole('dialog', { name: 'Make it a view' });
    await dialog.getByText('postgres runs this SQL:').waitFor();
    await dialog.getByRole('checkbox', { name: 'demo_anon', checked: true }).waitFor();
    expect(await dialog.getByLabel('postgres').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Create the view' }).click();
    await page.getByText('The view painted_houses was created.').waitFor();
    await page.getByRole('grid', { name: 'Rows of painted_houses' }).waitFor();
  });
});
