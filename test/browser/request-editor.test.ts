// The editor of the request URL: keys, pasted text, error marks, and slow requests.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from './support/chromium.ts';
import { editorOf, focusEditor, replaceText, shownUrl } from './support/request-editor.ts';
import { useExplorer } from './support/use-explorer.ts';

const SLOW_SQL = `
  create function api.slow() returns int language sql stable as 'select 1 from pg_sleep(60)';
  alter role demo_anon reset statement_timeout;
`;

function textOf(page: Page): Promise<string | null> {
  return shownUrl(page).textContent();
}

describeInBrowser('the request editor', () => {
  const explorer = useExplorer({ sql: SLOW_SQL });

  test('Enter sends, unless the arrow keys selected an option', async () => {
    const { page, unordered: address } = await explorer.open('#/houses');
    await replaceText(page, '/houses?select=str');
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^street_id/u })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(page)).toBe('/houses?select=streets()');
    await page.keyboard.type('nam');
    await page.getByRole('listbox').getByRole('option', { name: /^name/u }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => textOf(page)).toBe('/houses?select=streets(name)');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/houses?select=streets(name)');
  });

  test('Tab accepts an option that is still pending', async () => {
    const { page } = await explorer.open('#/houses');
    await replaceText(page, '/houses?select=streets()');
    await page.keyboard.press('Escape');
    await focusEditor(page);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    // In the same task, so that there cannot be an option yet when the key is pressed.
    await page.evaluate(`(() => {
      document.execCommand('insertText', false, 'nam');
      const editor = document.querySelector('.request-bar-editor').shadowRoot.querySelector('.cm-content');
      editor.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }));
    })()`);
    await expect.poll(() => textOf(page)).toBe('/houses?select=streets(name)');
  });

  test('text typed before the schema is loaded is completed afterwards', async () => {
    const { page } = await explorer.open('#/houses');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/*', async (route) => {
      if (route.request().headers()['accept']?.includes('schema+json')) await held;
      await route.continue();
    });
    await page.reload();
    await replaceText(page, '/houses?select=str');
    // Longer than the completion delay of the editor.
    await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve, 300)));
    expect(await page.getByRole('listbox').count()).toBe(0);
    release();
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^street_id/u })
      .waitFor();
  });

  test('a pasted address with line breaks and origin becomes a request', async () => {
    const { page, unordered: address } = await explorer.open('#/houses');
    await replaceText(page, 'http://example.org/streets\n  ?name=eq.Upper Ropewalk\n  &limit=1');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/streets?name=eq.Upper Ropewalk&limit=1');
    await expect.poll(() => textOf(page)).toBe('/streets?name=eq.Upper%20Ropewalk&limit=1&order=id');
  });

  test('selected text can be replaced repeatedly, and undone', async () => {
    const { page } = await explorer.open('#/houses?select=id,"number"&limit=1');
    await focusEditor(page);
    for (const key of ['ControlOrMeta+a', 'Delete', '/', 'x', 'Shift+ArrowLeft', 'y', 'Shift+Home', 'z'])
      await page.keyboard.press(key);
    await expect.poll(() => textOf(page)).toBe('z');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => textOf(page)).not.toBe('z');
  });

  test('the part of the URL that the server rejects is marked', async () => {
    const { page, watch } = await explorer.open('#/houses?select=id,bilt&limit=1');
    watch.expectStatus(400);
    await page.locator('.result').getByText('column houses.bilt does not exist').waitFor();
    await expect.poll(() => page.locator('.url-problem').allTextContents()).toEqual(['bilt']);
    expect(await page.getByText('column houses.bilt does not exist').count()).toBe(1);
    await replaceText(page, '/houses?select=id&limit=1');
    await page.locator('.url-problem').waitFor({ state: 'detached' });
  });

  test('the text at the caret is described, and Escape leaves the editor', async () => {
    const { page } = await explorer.open('#/streets?order=laid_out.desc');
    await editorOf(page).click();
    await page.keyboard.press('End');
    await page.getByText('desc: largest first').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true);
  });

  test('a slow request can be cancelled', async () => {
    const { page } = await explorer.open('#/rpc/slow');
    await page.locator('.request-bar').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.request-bar').getByRole('button', { name: 'Run' }).waitFor();
  });

  test('a long URL wraps on a phone', async () => {
    const parameters = Array.from({ length: 40 }, (_, index) => `number=neq.${index}`);
    const { page } = await explorer.open(`#/houses?${parameters.join('&')}`, { viewport: { width: 360, height: 740 } });
    await editorOf(page).waitFor();
    const box = await editorOf(page).boundingBox();
    expect(box?.height).toBeGreaterThan(100);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  });
});
