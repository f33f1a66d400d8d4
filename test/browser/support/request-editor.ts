// Drives the editor of the request URL as a user does.
import type { Locator, Page } from 'playwright-core';

/** Returns the editor, once it has replaced the initial plain input. */
export function editorOf(page: Page): Locator {
  return page.locator('.cm-content');
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
