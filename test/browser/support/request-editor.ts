// Drives the editor of the request URL as a user does.
import type { Locator, Page } from 'playwright-core';

/** Returns the field of the URL: the editor, or the plain field before the first interaction. */
export function editorOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Request', exact: true });
}

/** Returns the text that the field shows. */
export function shownUrl(page: Page): Locator {
  return page.locator('.cm-content, .request-bar-shown');
}

/** Focuses on the editor, and waits until it has replaced the plain field. */
export async function focusEditor(page: Page): Promise<void> {
  await editorOf(page).click();
  await page.locator('.cm-content').waitFor();
}

/**
 * Replaces the text by keyboard. `fill` is no substitute: it selects by script, and the editor may still restore its own
 * selection, so that the text is inserted instead of replacing the old one.
 */
export async function replaceText(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}
