// The map of rows with GeoJSON geometries.
import { expect, test } from 'vitest';
import { expectAccessible, expectContrast } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create table api.places (id int primary key, name text, shape jsonb, area json);
  insert into api.places values
    (1, 'Fountain', '{"type": "Point", "coordinates": [13.4, 52.5]}', null),
    (2, 'Path', '{"type": "LineString", "coordinates": [[13.39, 52.49], [13.41, 52.51]]}', null),
    (3, 'Park', '{"type": "Polygon", "coordinates": [[[13.41, 52.49], [13.43, 52.49], [13.42, 52.51], [13.41, 52.49]]]}',
      '{"type": "Point", "coordinates": [500000, 5800000]}'),
    (4, 'Nowhere', null, null);
  grant select on api.places to demo_anon;
`;

describeInBrowser('the map of rows', () => {
  const explorer = useExplorer({ sql: SQL });

  test('draws the geometries of a page with a graticule, and links each to its row', async () => {
    const { page, unordered } = await explorer.open('#/places');
    await page.getByRole('tab', { name: 'Map' }).click();
    await page.getByText('3 rows drawn · 1 without a geometry · Degrees, in Mercator projection.').waitFor();
    await expect.poll(() => page.locator('.geo-row').count()).toBe(3);
    expect(await page.locator('.geo-texts').textContent()).toMatch(/13\.40\d*° E.*52\.50\d*° N/u);
    // The middle of the path is at the fountain, whose name takes the place.
    await expect.poll(() => page.locator('.geo-name').allTextContents()).toEqual(['Fountain', 'Park']);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page);
    await page.getByRole('link', { name: 'Park' }).hover();
    await page.locator('.geo-hint').getByText('Park').waitFor();
    await page.getByRole('link', { name: 'Park' }).click();
    await expect.poll(unordered).toBe('record/places?id=eq.3');
  });

  test('zooms and moves by buttons, keys and wheel, and shows everything again', async () => {
    const { page } = await explorer.open('#geo/places');
    const drawing = page.locator('.geo-canvas > svg > g[transform]');
    const transform = (): Promise<string | null> => drawing.getAttribute('transform');
    const initial = await transform();
    const scale = async (): Promise<number> => Number(/scale\(([\d.]+)/u.exec((await transform()) ?? '')?.[1]);
    const before = await scale();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(scale).toBeCloseTo(before * 1.5, 5);
    await page.getByRole('group', { name: /^Map of 3 rows by shape/u }).focus();
    await page.keyboard.press('-');
    await expect.poll(scale).toBeCloseTo(before, 5);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(transform).not.toBe(initial);
    await page.keyboard.press('0');
    await expect.poll(transform).toBe(initial);
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, -300);
    await expect.poll(scale).toBeGreaterThan(before);
  });

  test('offers every column with geometries, and draws other coordinates as a plane', async () => {
    const { page } = await explorer.open('#geo/places');
    await page.getByLabel('Geometry', { exact: true }).selectOption('area');
    await page.getByText('1 row drawn · 3 without a geometry · Not in degrees: drawn as plane coordinates.').waitFor();
  });

  test('is not offered without geometries', async () => {
    const { page } = await explorer.open('#/streets');
    await page.getByRole('grid').waitFor();
    expect(await page.getByRole('tab', { name: 'Map' }).count()).toBe(0);
  });
});
