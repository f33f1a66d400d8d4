// What the browser fetches until the start page is idle, and the plain field of the URL that saves it the editor.
// cspell:ignore networkidle
import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from './support/chromium.ts';
import { editorOf, shownUrl } from './support/request-editor.ts';
import { useExplorer } from './support/use-explorer.ts';

const MAX_FIRST_BYTES = 130_000;
const EDITOR = /\/editor-[\w-]+\.js$/u;
const LONG = `#/houses?select=id&limit=1&${Array.from({ length: 30 }, (_, index) => `number=neq.${index + 100}`).join('&')}`;

interface Holding {
  readonly page: Page;
  readonly address: () => string;
  /** Lets the editor be loaded. */
  readonly release: () => void;
}

/** Asks again for the description of the schema, because browsers do not hand out bodies read as a stream. */
async function sizeOf(page: Page, response: Response): Promise<number> {
  const body = await response.body();
  if (body.length > 0) return brotliCompressSync(body).length;
  const { accept = '' } = response.request().headers();
  const again = await page.request.get(response.url(), { headers: { accept } });
  return brotliCompressSync(await again.body()).length;
}

describeInBrowser('the first load', () => {
  const explorer = useExplorer();

  /** Opens a page whose editor does not arrive until it is released. */
  async function openWithout(hash: string): Promise<Holding> {
    const { page, unordered: address } = await explorer.open('', {});
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(EDITOR, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${explorer.origin()}/${hash}`);
    await editorOf(page).waitFor();
    return { page, address, release };
  }

  test('everything the start page loads takes less than 130 kB, compressed with Brotli', async () => {
    const { page } = await explorer.open('', {});
    await page.waitForLoadState('networkidle');
    // Routed requests bypass the cache.
    await page.route('**/*', (route) => route.continue());
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('main').getByRole('heading').first().waitFor();
    const loaded = await Promise.all(responses.map(async (one) => [one.url(), await sizeOf(page, one)] as const));
    const total = loaded.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(loaded.length).toBeGreaterThan(4);
    expect(loaded.filter(([url]) => EDITOR.test(url))).toEqual([]);
    expect(total, JSON.stringify(loaded)).toBeLessThan(MAX_FIRST_BYTES);
  });

  test('the plain field sends what is typed before the editor is loaded', async () => {
    const { page, address } = await openWithout('#/houses?limit=1');
    await editorOf(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('/streets?limit=2\n&name=not.is.null');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/streets?limit=2&name=not.is.null');
    expect(await page.locator('.cm-content').count()).toBe(0);
  });

  test('text, selection and focus survive the exchange, and what was typed is completed', async () => {
    const { page, release } = await openWithout('#/houses?limit=1');
    await editorOf(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('/houses?select=streetXX');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    release();
    await page.locator('.cm-content').waitFor();
    await expect.poll(() => shownUrl(page).textContent()).toBe('/houses?select=streetXX');
    await page.keyboard.type('_i');
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^street_id/u })
      .waitFor();
    await expect.poll(() => shownUrl(page).textContent()).toBe('/houses?select=street_i');
  });

  test('the exchange moves nothing, and waits for the pointer', async () => {
    const { page, release } = await openWithout(LONG);
    await page.getByRole('region', { name: 'Result' }).getByRole('columnheader').first().waitFor();
    const boxes = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.request-bar, .request-bar-url, .result')].map((element) =>
        JSON.stringify(element.getBoundingClientRect()))`);
    await editorOf(page).hover();
    await page.mouse.down();
    const before = await boxes();
    const arrived = page.waitForResponse(EDITOR);
    release();
    await (await arrived).finished();
    expect(await page.locator('.request-bar-plain').count()).toBe(1);
    await page.mouse.up();
    await page.locator('.cm-content').waitFor();
    await page.locator('.request-bar-plain').waitFor({ state: 'detached' });
    expect(await boxes()).toEqual(before);
  });
});
