// Every view passes the accessibility check on a phone, is no wider than the screen there and on a desktop, and its text has
// enough contrast in dark mode, too. In its long form (`ROWHOUSE_LONG=1`), the test checks all of it on a desktop as well;
// other runs check every third view.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isLong } from '../support/long-form.ts';
import { expectAccessible, expectContrast } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const EMBEDS = 'select=name,laid_out,houses(number,built,residents(name))&order=laid_out&limit=5';

interface View {
  readonly hash: string;
  readonly reach: (page: Page) => Promise<void>;
  readonly status?: number;
}

const answered = (page: Page): Promise<void> => page.getByText('200 OK').waitFor();

const VIEWS: Readonly<Record<string, View>> = {
  start: { hash: '#', reach: (page) => page.locator('.start-example').first().waitFor() },
  table: { hash: '#/houses?built=lt.1900&or=(number.eq.1,colour.is.null)&order=built&limit=9', reach: answered },
  unfolded: {
    hash: `#/streets?${EMBEDS}`,
    async reach(page) {
      await page.locator('[aria-rowindex="2"]').getByRole('button', { name: 'rows' }).click();
      await page.getByRole('group', { name: 'Embedded rows' }).getByRole('button').first().click();
    },
  },
  values: {
    hash: '#/houses?select=built,colour',
    async reach(page) {
      await page.locator('[aria-rowindex="2"] [aria-colindex="1"]').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Values and ranges…' }).click();
      await page.getByText('Counts of all rows.').waitFor();
    },
  },
  bars: { hash: '#chart/houses?select=colour,count()', reach: (page) => page.locator('.chart-bar').first().waitFor() },
  line: {
    hash: '#chart/residents?select=moved_in,count()&order=moved_in',
    reach: (page) => page.locator('.chart-line').waitFor(),
  },
  json: { hash: '#json/tools?limit=9', reach: answered },
  csv: { hash: '#csv/tools?limit=9', reach: answered },
  plan: { hash: '#plan/houses?select=*,residents(*)', reach: (page) => page.getByText('most costly').waitFor() },
  empty: { hash: '#/houses?built=lt.1000', reach: (page) => page.getByText('No rows match the filters.').waitFor() },
  error: { hash: '#/houses?select=id,bilt', reach: (page) => page.getByText('42703').waitFor(), status: 400 },
  function: { hash: '#/rpc/find_tools?query=saw', reach: answered },
  call: { hash: '#/rpc/borrow_tool', reach: (page) => page.getByRole('form', { name: 'Call borrow_tool' }).waitFor() },
  form: {
    hash: '#/notes?limit=3',
    async reach(page) {
      await page.getByRole('button', { name: 'Insert', exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'title' }).waitFor();
    },
  },
  copy: {
    hash: '#/houses?limit=1',
    async reach(page) {
      await page.getByRole('button', { name: 'Copy as' }).click();
      await page.getByRole('menuitem', { name: 'curl' }).click();
    },
  },
  record: {
    hash: '#record/residents?id=eq.1',
    reach: (page) =>
      page
        .getByText(/^\d rows$/u)
        .first()
        .waitFor(),
  },
  reference: { hash: '#reference/notes', reach: (page) => page.getByText('Delete a row').waitFor() },
  referenceOfFunction: {
    hash: '#reference/rpc/borrow_tool',
    reach: (page) => page.getByText('Call by POST').waitFor(),
  },
  history: {
    hash: '#/houses?limit=1',
    async reach(page) {
      await answered(page);
      await page.evaluate("location.hash = '#history'");
      await page.getByRole('link', { name: '/houses?limit=1' }).waitFor();
    },
  },
  map: { hash: '#map', reach: (page) => page.locator('.map-table').first().waitFor() },
  list: {
    hash: '#map',
    async reach(page) {
      await page.getByRole('tab', { name: 'List' }).click();
      await page.getByRole('listitem').first().waitFor();
    },
  },
  help: {
    hash: '#',
    async reach(page) {
      await page.locator('.start-example').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Help' }).waitFor();
    },
  },
};

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

describeInBrowser('every view', () => {
  const explorer = useExplorer();

  async function expectFits(page: Page, { width, height }: typeof DESK): Promise<void> {
    await page.setViewportSize({ width, height });
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }

  const tried = Object.keys(VIEWS).filter((_, index) => isLong || index % 3 === 0);

  test.each(tried)('%s is accessible on a desktop, in dark, and on a phone', async (name) => {
    const { hash, reach, status } = VIEWS[name] as View;
    const { page, watch } = await explorer.openAs(hash, explorer.token());
    if (status !== undefined) watch.expectStatus(status);
    await reach(page);
    await expectFits(page, DESK);
    if (isLong) await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectFits(page, PHONE);
    await expectAccessible(page);
  });
});
