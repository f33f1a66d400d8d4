// The map: drawing, panning, search, opening by click or key, the list, and saving.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const STRANGE_NAME = '<img src=x onerror=alert(1)> "مرحبا" 🏠';
const QUOTED_NAME = `"${STRANGE_NAME.replaceAll('"', '""')}"`;
const STRANGE_SQL = `
  create table api.${QUOTED_NAME} (id int primary key);
  grant select on api.${QUOTED_NAME} to demo_anon;
  create schema geo;
  create table geo.places (id int primary key, street_id int);
  create function api.places_of(api.streets) returns setof geo.places stable language sql
    begin atomic select * from geo.places where street_id = $1.id; end;
  grant usage on schema geo to demo_anon;
  create view geo.place_counts as select street_id, count(*) as places from geo.places group by street_id;
  grant select on geo.places, geo.place_counts to demo_anon;
`;

/** Creates 300 tables, each referencing up to two earlier ones. */
const LARGE_SQL = `
  do $$ begin
    for i in 0..299 loop
      execute format('create table api.large_%s (id int primary key)', i);
      if i > 0 then
        execute format('alter table api.large_%s add a int references api.large_%s', i, i * i / 300);
        execute format('alter table api.large_%s add b int references api.large_%s', i, i / 2);
      end if;
    end loop;
  end $$;
  grant select on all tables in schema api to demo_anon;
`;

function table(page: Page, name: string): Locator {
  return page.locator('.map-table').filter({ has: page.locator('title', { hasText: new RegExp(`^${name}, `, 'u') }) });
}

async function readZoom(page: Page): Promise<number> {
  const transform = await page.locator('.map-canvas > g').getAttribute('transform');
  return Number(/scale\(([\d.]+)\)/u.exec(transform ?? '')?.[1]);
}

async function isInMiddle(page: Page, found: Locator): Promise<boolean> {
  const [canvas, box] = [await page.locator('.map-canvas').boundingBox(), await found.boundingBox()];
  if (canvas === null || box === null) return false;
  const [x, y] = [box.x + box.width / 2 - canvas.x, box.y + box.height / 2 - canvas.y];
  return Math.abs(x - canvas.width / 2) < 3 && Math.abs(y - canvas.height / 2) < 3;
}

describeInBrowser('the map', () => {
  const explorer = useExplorer({ sql: STRANGE_SQL, server: { 'db-schemas': 'api,geo' } });

  test('all tables and views are drawn with their references, and a click opens one', async () => {
    const { page, unordered: address } = await explorer.open('#map');
    await expect.poll(() => page.locator('.map-table').count()).toBe(9);
    expect(await table(page, 'resident_skills').locator('title').textContent()).toBe(
      'resident_skills, junction table, references residents and skills',
    );
    expect(await page.locator('.map-reference').count()).toBe(7);
    await page.getByRole('link', { name: 'available_tools, view' }).waitFor();
    await table(page, 'houses').click();
    await expect.poll(address).toBe('/houses');
    await page.goBack();
    await expect.poll(address).toBe('map');
  });

  test('tables of other schemas are counted and listed, and a click opens one', async () => {
    const { page, unordered: address } = await explorer.open('#map');
    await page.getByText('1 table of other schemas: see the list').waitFor();
    await page.getByRole('tab', { name: 'List' }).click();
    await page.getByRole('link', { name: 'geo.places' }).click();
    await expect.poll(address).toBe('@geo/places');
    await page.getByText('No rows.').waitFor();
    await page.goto(`${explorer.origin()}/#/streets?select=*,places_of(*)&limit=1`);
    await page.getByText('It is in the schema geo').waitFor();
  });

  test('names are shown as plain text', async () => {
    const { page } = await explorer.open('#map');
    await page.getByRole('link', { name: `${STRANGE_NAME}, table` }).waitFor();
    expect(await page.locator('.map img').count()).toBe(0);
  });

  test('a found table is centered and its neighbors are highlighted', async () => {
    const { page, unordered: address } = await explorer.open('#map');
    await page.getByRole('searchbox', { name: 'Find a table' }).fill('hous');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('map/houses');
    await expect.poll(() => isInMiddle(page, table(page, 'houses'))).toBe(true);
    const near = await page
      .locator('.map-table.map-near')
      .evaluateAll((found) => found.map((each) => each.querySelector('title')?.textContent));
    expect(new Set(near.map((label) => label?.split(',')[0]))).toEqual(new Set(['houses', 'residents', 'streets']));
    expect(near).toHaveLength(3);
    await page.getByRole('checkbox', { name: 'Neighbors only' }).check();
    await expect.poll(() => page.locator('.map-table').count()).toBe(3);
  });

  test('wheel, buttons and keys zoom; a drag pans without opening a table', async () => {
    const { page, unordered: address } = await explorer.open('#map');
    await table(page, 'houses').waitFor();
    const first = await readZoom(page);
    const { x, y, width, height } = (await table(page, 'houses').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.wheel(0, -200);
    await expect.poll(() => readZoom(page)).toBeGreaterThan(first);
    await page.getByRole('button', { name: 'Fit' }).click();
    await expect.poll(() => readZoom(page)).toBeCloseTo(first);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => readZoom(page)).toBeLessThan(first);
    await table(page, 'houses').focus();
    await page.keyboard.press('0');
    await expect.poll(() => readZoom(page)).toBeCloseTo(first);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 80, y + height / 2 + 40, { steps: 4 });
    await page.mouse.up();
    const moved = (await table(page, 'houses').boundingBox())!;
    // A hovered table has a wider border.
    expect(Math.abs(moved.x - x - 80) + Math.abs(moved.y - y - 40)).toBeLessThan(4);
    expect(address()).toBe('map');
  });

  test('a pinch zooms', async () => {
    const { page } = await explorer.open('#map', { hasTouch: true });
    await table(page, 'houses').waitFor();
    const first = await readZoom(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', xs: readonly number[]): Promise<unknown> =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 500, id })) });
    await touch('touchStart', [600, 700]);
    await touch('touchMove', [550, 750]);
    await touch('touchMove', [500, 800]);
    await touch('touchEnd', []);
    await expect.poll(() => readZoom(page)).toBeGreaterThan(first * 2);
  });

  test('arrow keys move between tables, and Enter opens one', async () => {
    const { page, unordered: address } = await explorer.open('#map/streets');
    await table(page, 'streets').focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.querySelector("title").textContent'))
      .toMatch(/^houses, table/u);
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/houses');
  });

  test('a view without a key shows its first columns', async () => {
    const { page } = await explorer.open('#map@geo');
    await table(page, 'place_counts').getByText('street_id', { exact: true }).waitFor();
    await table(page, 'place_counts').getByText('bigint', { exact: true }).waitFor();
  });

  test('columns are listed on demand', async () => {
    const { page } = await explorer.open('#map');
    await table(page, 'houses').getByText('street_id').waitFor();
    expect(await table(page, 'houses').getByText('colour').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'All columns' }).check();
    await table(page, 'houses').getByText('colour').waitFor();
  });

  test('the list contains the same information', async () => {
    const { page, unordered: address } = await explorer.open('#map');
    await page.getByRole('tab', { name: 'List' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: /^houses/u });
    await expect.poll(() => entry.innerText()).toMatch(/^houses\s+references\s+streets\s+referenced by\s+residents$/u);
    await expectAccessible(page, '.map');
    await entry.getByRole('button', { name: 'streets' }).click();
    await expect.poll(address).toBe('/streets');
  });

  test('the saved file is self-contained', async () => {
    const { page } = await explorer.open('#map');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('api.svg');
    const text = await readFile(await download.path(), 'utf8');
    expect(text).not.toMatch(/class=|style=|href|var\(|<img/u);
    const drawn = await page.evaluate(`(() => {
      const { documentElement } = new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml');
      return [documentElement.nodeName, documentElement.querySelectorAll('g').length];
    })()`);
    expect(drawn).toEqual(['svg', 9]);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('it is accessible, %s, %i pixels wide', async (colorScheme, width) => {
    const { page } = await explorer.open('#map', { colorScheme, viewport: { width, height: 800 } });
    await table(page, 'houses').waitFor();
    await expectAccessible(page, '.map');
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});

describeInBrowser('the map of 300 tables', () => {
  const explorer = useExplorer({ sql: LARGE_SQL });

  test('a map of 300 tables can be drawn, searched and zoomed', async () => {
    const { page } = await explorer.open('#map');
    await expect.poll(() => page.locator('.map-table').count(), { timeout: 20_000 }).toBe(309);
    await page.getByRole('searchbox', { name: 'Find a table' }).fill('large_217');
    await page.keyboard.press('Enter');
    await expect.poll(() => isInMiddle(page, table(page, 'large_217'))).toBe(true);
    const before = await readZoom(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => readZoom(page)).toBeGreaterThan(before);
  });
});
