// How tables, forms, charts and the map present a schema, also on a phone.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create table api.visits (
    id int generated always as identity primary key, house_id int references api.houses, title varchar(160) not null,
    started timestamptz, ended timestamptz, note text, tags text[], meta jsonb[], kind varchar(20), guests int,
    paid boolean, cost numeric(8, 2), source text
  );
  insert into api.visits (house_id, title, started, note)
    select 1 + i % 5, 'Visit number ' || i, '2026-03-01 09:30+00', repeat('A long note. ', 20)
    from generate_series(1, 20) as i;
  update api.visits set source = 'A long sentence about where it comes from, which needs more than one line' where id = 2;
  grant select, insert, update on api.visits to demo_anon;
  create table api.staff (
    id int primary key, title text, "LastName" text, "FirstName" text, reports_to int references api.staff, rate numeric(10, 2)
  );
  insert into api.staff values (1, 'Agent', 'Adams', 'Andrew', null, 1), (2, 'Agent', 'Edwards', 'Nancy', 1, 2);
  grant select on api.staff to demo_anon;
`;
const PHONE = { viewport: { width: 390, height: 844 } };

/** Lists visible texts below 11 px and controls below 24 px, apart from links within sentences. */
const SMALL = `(() => {
  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  };
  const name = (element) => element.tagName + '.' + element.className + ' ' + element.textContent.trim().slice(0, 20);
  const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  const texts = [...document.querySelectorAll('#app *')].filter((element) => hasText(element) && isVisible(element));
  const controls = [...document.querySelectorAll('button, input, select, textarea, summary, a[href]')]
    .filter((element) => isVisible(element) && getComputedStyle(element).display !== 'inline')
    .map((element) => element.closest('label') ?? element);
  const sideOf = (element) => { const { width, height } = element.getBoundingClientRect(); return Math.min(width, height); };
  return [
    ...texts.filter((element) => parseFloat(getComputedStyle(element).fontSize) < 11),
    ...controls.filter((element) => sideOf(element) < 24),
  ].map(name);
})()`;

/** Lists the names of tables and columns that a map draws below 11 px. */
const SMALL_NAMES = `[...document.querySelectorAll('.map-title, .map-column')]
  .filter((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a < 11)
  .map((text) => text.textContent)`;

async function isWithin(inner: Locator, outer: Locator): Promise<boolean> {
  const [small, large] = [await inner.boundingBox(), await outer.boundingBox()];
  if (small === null || large === null) return false;
  return small.x >= large.x && small.x + small.width <= large.x + large.width;
}

describeInBrowser('the look of the explorer', () => {
  const explorer = useExplorer({ sql: SQL });

  test('columns fit their content, and types are short', async () => {
    const { page } = await explorer.open('#/visits?limit=30');
    await page.getByText('20 rows').waitFor();
    const types = await page.locator('.result-head-type').allTextContents();
    expect(types.slice(0, 4)).toEqual(['integer', 'integer', 'varchar(160)', 'timestamptz']);
    const table = await page.getByRole('grid').boundingBox();
    const boxes = await Promise.all((await page.getByRole('columnheader').all()).map((head) => head.boundingBox()));
    const right = (table?.x ?? 0) + (table?.width ?? 0);
    // Besides the column of the check boxes.
    expect(boxes.filter((box) => box !== null && box.x + box.width <= right).length - 1).toBeGreaterThan(4);
  });

  test('page buttons are off where there is no page', async () => {
    const { page } = await explorer.open('#/visits?limit=30');
    await page.getByText('20 rows').waitFor();
    const builder = page.locator('.builder-pages');
    await expect.poll(() => builder.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    expect(await builder.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true);
    await page.goto(`${explorer.origin()}/#/visits?limit=10`);
    await expect.poll(() => builder.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(false);
  });

  test('a form shows dates as tables do, and the format of arrays', async () => {
    const { page } = await explorer.open('#/visits?limit=1');
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog');
    const field = (name: string): ReturnType<Page['getByRole']> => form.getByRole('group', { name, exact: true });
    await field('started').getByRole('textbox').fill('2026-03-01T09:30:00');
    await field('started')
      .getByText(/^2026-03-01 09:30/u)
      .waitFor();
    await field('tags').getByText('One element per line.').waitFor();
    await field('meta').getByText('A JSON array, such as').waitFor();
    await expectAccessible(page);
  });

  test('entries of the list keep one height, whether or not those found have comments', async () => {
    const { page } = await explorer.open('#');
    const heightOf = async (name: RegExp): Promise<number | undefined> =>
      (await page.locator('.side-list').getByRole('link', { name }).first().boundingBox())?.height;
    const before = await heightOf(/^table visits/u);
    expect(await heightOf(/^table houses/u)).toBe(before);
    await page.getByRole('searchbox', { name: 'Search tables and functions' }).fill('visits');
    await page.getByText(/^1 of \d+$/u).waitFor();
    expect(await heightOf(/^table visits/u)).toBe(before);
  });

  test('the labels of a chart are the names of referenced rows', async () => {
    const { page } = await explorer.open('#chart/houses?select=street_id,count()&order=street_id');
    await page.locator('.chart-name', { hasText: 'Lantern Row' }).waitFor();
    await page.getByText('Data of the chart').click();
    await page.getByRole('row', { name: /^Kettle Lane/u }).waitFor();
  });

  test('on a phone, the role is visible and opens the dialog of the token', async () => {
    const { page } = await explorer.open('#/visits?limit=1', PHONE);
    await page.getByRole('button', { name: 'demo_anon', exact: true }).click();
    await page.getByRole('dialog', { name: 'Token' }).waitFor();
    await expectAccessible(page);
  });

  test('on a phone, no text is smaller than 11 px, and no control than 24 px', async () => {
    const touch = { ...PHONE, hasTouch: true, isMobile: true };
    const { page } = await explorer.openAs('#/notes?limit=3', explorer.token(), touch);
    await page.getByText('200 OK').waitFor();
    expect(await page.evaluate(SMALL)).toEqual([]);
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'title' }).waitFor();
    expect(await page.evaluate(SMALL)).toEqual([]);
    await page.goto(`${explorer.origin()}/#json/notes?limit=3`);
    await page.getByRole('button', { name: 'Fold line 2', exact: true }).waitFor();
    expect(await page.evaluate(SMALL)).toEqual([]);
    await page.goto(`${explorer.origin()}/#record/residents?id=eq.1`);
    await page
      .getByText(/^\d rows$/u)
      .first()
      .waitFor();
    expect(await page.evaluate(SMALL)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('on a phone, at most three bars are above the rows', async () => {
    const { page } = await explorer.openAs('#/notes?limit=3', explorer.token(), {
      ...PHONE,
      hasTouch: true,
      isMobile: true,
    });
    await page.getByText('200 OK').waitFor();
    const bars = ['.shell-top', '.result-bar', '.result-status'];
    const heights = await Promise.all(bars.map(async (bar) => (await page.locator(bar).boundingBox())?.height ?? 0));
    const head = await page.locator('.result-head').boundingBox();
    expect(Math.max(...heights)).toBeLessThan(60);
    expect(head?.y).toBeLessThanOrEqual(heights.reduce((sum, height) => sum + height, 0) + 1);
    await page.getByRole('button', { name: 'Builder' }).click();
    await page.getByRole('dialog', { name: 'Builder' }).waitFor();
  });

  test('on a phone, the fields of a record leave room for their names', async () => {
    const { page } = await explorer.open('#record/visits?id=eq.2', PHONE);
    const name = page.getByRole('rowheader', { name: /^source/u });
    await name.waitFor();
    expect((await name.boundingBox())?.width).toBeGreaterThan(100);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('on a phone, the button of a column does not cover its type', async () => {
    const { page } = await explorer.open('#/staff', { ...PHONE, hasTouch: true, isMobile: true });
    const head = page.getByRole('columnheader', { name: /^rate/u });
    await head.waitFor();
    const button = await head.getByRole('button', { name: 'Values of rate' }).boundingBox();
    const type: number = await page.evaluate(`(() => {
      const heads = [...document.querySelectorAll('[role=columnheader]')];
      const type = heads.find(({ textContent }) => textContent.startsWith('rate')).querySelector('.result-head-type');
      return type.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(type).paddingLeft);
    })()`);
    expect(type).toBeGreaterThanOrEqual((button?.x ?? 0) + (button?.width ?? 0) - 6);
  });

  test('a person is recognized by both names, not by a title', async () => {
    const { page } = await explorer.open('#/staff');
    await page.getByText('Andrew Adams').waitFor();
    await page.goto(`${explorer.origin()}/#record/staff?id=eq.2`);
    await page.getByRole('heading', { name: 'Nancy Edwards' }).waitFor();
    await page.getByRole('link', { name: 'Andrew Adams' }).waitFor();
  });

  test('the role comes with the claims of the token', async () => {
    const claims = { role: 'demo_user', resident_id: 7, sub: 'someone' };
    const { page } = await explorer.openAs('#/visits?limit=1', explorer.token(claims));
    await page.getByRole('button', { name: /^demo_user .*resident_id: 7, sub: someone$/u }).waitFor();
  });

  test('on a phone, the map opens with readable names around the most linked table, and Fit shows all of it', async () => {
    const { page } = await explorer.open('#map', PHONE);
    const canvas = page.locator('.map-canvas');
    const hub = canvas.locator('.map-table').filter({ has: page.locator('title', { hasText: /^residents,/u }) });
    await expect.poll(() => isWithin(hub, canvas)).toBe(true);
    expect(await page.evaluate(SMALL_NAMES)).toEqual([]);
    await page.getByRole('button', { name: 'Fit' }).click();
    for (const table of await canvas.locator('.map-table').all())
      await expect.poll(() => isWithin(table, canvas)).toBe(true);
  });
});
