// Problems with the network, the server, privileges and sizes. Each state explains the problem and the remedy, and the
// offered actions work.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRoleSql, runSql } from '../support/database.ts';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create table api.locked (id int);
  revoke all on api.locked from demo_anon, demo_user;
  create view api.heavy as
    select 1 as id, 'short' as name, jsonb_agg(jsonb_build_object('n', i, 'words', repeat('word ', 18))) as document
    from generate_series(1, 90000) i;
  grant select on api.heavy to demo_anon;
`;

/** Waits for a notice with this title and hint. */
async function expectNotice(page: Page, title: string, hint: string): Promise<Locator> {
  const notice = page.locator('.ui-notice').filter({ hasText: title });
  await notice.getByText(hint).waitFor();
  expect(await page.locator('.ui-notice').count()).toBe(1);
  return notice;
}

describeInBrowser('problems', () => {
  const explorer = useExplorer({ sql: SQL });
  const nobody = (): string => `${explorer.database().name}_nobody`;

  beforeAll(() => runRoleSql(explorer.database().uri, `create role ${nobody()}`));
  afterAll(() => runRoleSql(explorer.database().uri, `drop owned by ${nobody()}; drop role ${nobody()}`));

  test('a missing network is reported, and the request is sent again once it is back', async () => {
    const { page, watch } = await explorer.open('#/houses?limit=1', {});
    await page.getByText('200 OK').waitFor();
    watch.expectLost();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const notice = await expectNotice(page, 'The server does not respond.', 'this computer can connect to it');
    await page.context().setOffline(false);
    await notice.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('200 OK').waitFor();
  });

  test('without a token, the page shows the message of the server once and where to enter a token', async () => {
    const { page, watch } = await explorer.open('#/', {});
    watch.expectStatus(401);
    await page.goto(`${explorer.origin()}/#/locked?limit=1`);
    const notice = await expectNotice(page, 'This requires a token.', 'you have the anonymous role');
    await notice.getByText('42501').waitFor();
    expect(await page.getByText('permission denied for table locked').count()).toBe(1);
    await expectAccessible(page);
    await notice.getByRole('button', { name: 'Enter a token' }).click();
    await page.getByLabel('JSON Web Token').fill(explorer.token({ role: 'postgres' }));
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByText('No rows.').waitFor();
  });

  test('with a token of a role without the privilege, the page shows once what is missing', async () => {
    const { page, watch } = await explorer.openAs('#', explorer.token());
    watch.expectStatus(403);
    await page.goto(`${explorer.origin()}/#/locked?limit=1`);
    const notice = await expectNotice(page, 'Your role lacks the privilege for this.', 'or grant the privilege');
    expect(await page.getByText('permission denied for table locked').count()).toBe(1);
    await page.getByText('403 Forbidden').waitFor();
    await notice.getByRole('button', { name: 'Enter a token' }).click();
    await page.getByRole('dialog', { name: 'Token' }).waitFor();
  });

  test('a role without access sees its name, what to grant, and a way to reload', async () => {
    const { page } = await explorer.openAs('#', explorer.token({ role: nobody() }));
    await page.getByText('Nothing is visible to this role').waitFor();
    await page.getByText(`grant select on all tables in schema api to ${nobody()}`).waitFor();
    await page.getByRole('button', { name: 'Enter another token' }).waitFor();
    await expectAccessible(page);
    const role = nobody();
    await runSql(
      explorer.database().uri,
      `grant usage on schema api to ${role}; grant select on api.streets to ${role}`,
    );
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await page.getByText('1 table, 3 functions').waitFor();
    await runSql(explorer.database().uri, `revoke select on api.streets from ${role}`);
    await page.goto(`${explorer.origin()}/#map`);
    await page.reload();
    await page.getByText('No tables to draw').waitFor();
  });

  test('10 MB of JSON are one line of the table, or folded lines of JSON', async () => {
    const { page } = await explorer.open('#/heavy');
    await page.getByRole('gridcell', { name: 'short' }).waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator('.result-status').innerText()).toMatch(/\b1[01] MB\b/u);
    const nodes = (): Promise<number> => page.evaluate<number>('document.querySelectorAll("*").length');
    await page.locator('[aria-rowindex="2"]').getByRole('button', { name: '[{"n":1,' }).click();
    await page.getByText('and 89,800 more').waitFor();
    expect(await nodes()).toBeLessThan(4000);
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByText(/^360,00\d lines$/u).waitFor();
    expect(await nodes()).toBeLessThan(2000);
  });

  test('an invalid value and an unknown column are explained and marked in the URL', async () => {
    const { page, watch } = await explorer.open('#/', {});
    watch.expectStatus(400);
    await page.goto(`${explorer.origin()}/#/houses?built=eq.old`);
    await expectNotice(page, 'invalid input syntax for type smallint: "old"', 'A value does not match the type');
    await expect.poll(() => page.locator('.url-problem').allTextContents()).toEqual(['old']);
  });
});

describeInBrowser('a stopped server', () => {
  const explorer = useExplorer();

  test('rows, schema and forms recover when the server comes back', async () => {
    const { page, watch } = await explorer.openAs('#/streets?id=eq.1', explorer.token({ role: 'postgres' }));
    await page.getByRole('gridcell', { name: 'Lantern Row' }).waitFor();
    await page.getByRole('button', { name: 'Row', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'name' }).fill('Lantern Alley');
    watch.expectLost();
    await explorer.stop();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Check that it is running, then send the request again.').waitFor();
    await explorer.start();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'Lantern Alley' }).waitFor();

    await explorer.stop();
    await page.locator('.token-button').click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const notice = await expectNotice(page, 'The server does not respond.', 'Your request is kept in the address');
    await explorer.start();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('gridcell', { name: 'Lantern Alley' }).waitFor();
    await page.getByText('200 OK').waitFor();
  });
});
