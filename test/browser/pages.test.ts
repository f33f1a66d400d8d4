// Every page can be reached from every other one, and a page that fails leaves the others usable.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ACCESS_PATHS } from '../../src/contract/access-document.ts';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { type ExplorerPage, useExplorer } from './support/use-explorer.ts';

/** Places, and what only their pages contain. */
const PAGES: readonly (readonly [hash: string, selector: string])[] = [
  ['', '#start-grammar'],
  ['/houses', '[role=grid]'],
  ['chart/houses?select=colour,count()', '.chart'],
  ['/rpc/find_tools', 'form[aria-label="Call find_tools"]'],
  ['map', '.map-canvas'],
  ['sql', 'section[aria-label=SQL]'],
  ['history', '.ui-page-title:has-text("History")'],
  ['record/houses?id=eq.3', '.record'],
  ['reference/houses', '.ui-page-title:has-text("houses")'],
  ['access', '.access-table'],
  ['explain/houses?id=eq.3', '.ui-page-title:has-text("Can a role see this row?")'],
];

/** A walk that takes each ordered pair of different items. */
function walk<T>(items: readonly T[]): readonly T[] {
  return items.flatMap((item, index) => [item, ...items.slice(index + 1).flatMap((other) => [other, item])]);
}

describeInBrowser('the pages', () => {
  const explorer = useExplorer({ isDev: true, server: { 'server-workers': 1 } });

  async function openWithKey(): Promise<ExplorerPage> {
    const opened = await explorer.open(`#key=${explorer.devKey()}`, {});
    await opened.page.locator('#start-grammar').waitFor();
    return opened;
  }

  const follow = (page: Page, hash: string): Promise<unknown> =>
    page.evaluate(`location.hash = ${JSON.stringify(`#${hash}`)}`);

  test('each is shown after each other one, without loading the page again', async () => {
    const { page } = await openWithKey();
    await page.evaluate('window.isFirstLoad = true');
    let before = '';
    for (const [hash, selector] of walk(PAGES)) {
      await follow(page, hash);
      await page
        .locator(`#main :is(${selector})`)
        .first()
        .waitFor({ timeout: 20_000 })
        .catch(() => expect.fail(`#${hash} shows nothing after #${before}`));
      before = hash;
    }
    expect(await page.evaluate('window.isFirstLoad')).toBe(true);
  });

  test('one that throws says so, can be tried again, and leaves the others usable', async () => {
    const { page, watch } = await openWithKey();
    watch.expectError('TypeError');
    const breakMatrix = (): Promise<unknown> =>
      page.route(`**${ACCESS_PATHS.matrix}`, (route) => route.fulfill({ json: {} }));
    await breakMatrix();
    await follow(page, 'access');
    const notice = page.getByRole('alert').filter({ hasText: 'because of an error in the explorer' });
    await notice.getByText('Cannot read properties of undefined').waitFor();
    await expectAccessible(page);
    // The start page reads the matrix too.
    await page.unroute(`**${ACCESS_PATHS.matrix}`);
    await notice.getByRole('link', { name: 'Go to the start page' }).click();
    await page.locator('#start-grammar').waitFor();
    expect(await notice.count()).toBe(0);
    await breakMatrix();
    await page.goBack();
    await notice.waitFor();
    await page.unroute(`**${ACCESS_PATHS.matrix}`);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.access-table').waitFor();
    expect(await notice.count()).toBe(0);
  });
});
