// The request bar: completion, validation by the server's parser, and synchronization with the address.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { editorOf, replaceText, shownUrl } from './support/request-editor.ts';
import { useExplorer } from './support/use-explorer.ts';

function offer(page: Page, name: RegExp): Locator {
  return page.getByRole('listbox').getByRole('option', { name });
}

describeInBrowser('the request bar', () => {
  const explorer = useExplorer();

  test('names, operators and values are suggested while typing', async () => {
    const { page, unordered: address } = await explorer.open('#/houses');
    await replaceText(page, '/no');
    await offer(page, /^notes/u).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('?to');
    await offer(page, /^topic/u).waitFor();
    await page.keyboard.press('Tab');
    await offer(page, /^eq/u).waitFor();
    await page.keyboard.type('eq.');
    await offer(page, /^party/u).waitFor();
    await page.keyboard.type('par');
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(1);
    await page.keyboard.press('Tab');
    await expect.poll(() => shownUrl(page).textContent()).toBe('/notes?topic=eq.party');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/notes?topic=eq.party');
  });

  test('relationships and function arguments are suggested', async () => {
    const { page, unordered: address } = await explorer.open('#/houses');
    await replaceText(page, '/streets?select=name,hou');
    await offer(page, /^houses/u).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('num');
    await offer(page, /^number/u).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/streets?select=name,houses(number)');
    await replaceText(page, '/rpc/find_tools?qu');
    await offer(page, /^query/u).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('saw');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/rpc/find_tools?query=saw');
  });

  test('a parser error is shown once with the message of the server, and marked at its position', async () => {
    const { page, watch } = await explorer.open('#/houses?select=number,(built)&limit=1');
    watch.expectStatus(400);
    const answer = await fetch(`${explorer.origin()}/houses?select=number,(built)&limit=1`);
    const { message, details } = (await answer.json()) as { readonly message: string; readonly details: string };
    await page.getByRole('region', { name: 'Result' }).getByText(details).waitFor();
    await expect.poll(() => page.locator('.url-problem').first().textContent()).toMatch(/^\(/u);
    expect(await page.getByText(message).count()).toBe(1);
  });

  test('the text follows Back and Forward', async () => {
    const { page, unordered: address } = await explorer.open('#/houses?limit=1');
    await replaceText(page, '/streets?limit=2');
    await page.keyboard.press('Enter');
    await expect.poll(address).toBe('/streets?limit=2');
    await page.goBack();
    await expect.poll(() => shownUrl(page).textContent()).toBe('/houses?limit=1&order=id');
    await page.goForward();
    await expect.poll(() => shownUrl(page).textContent()).toBe('/streets?limit=2&order=id');
  });

  test('Run sends the same request again', async () => {
    const { page } = await explorer.open('#/houses?limit=1');
    await editorOf(page).waitFor();
    const again = page.waitForRequest((request) => request.url().endsWith('/houses?limit=1&order=id'));
    await page.getByRole('button', { name: 'Run' }).click();
    expect((await again).method()).toBe('GET');
  });

  test('the accessibility check finds no serious problem', async () => {
    const { page } = await explorer.open('#/houses?limit=1');
    await editorOf(page).click();
    await expectAccessible(page, '.request-bar');
  });
});
