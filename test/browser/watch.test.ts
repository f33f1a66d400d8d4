// Watching a result: rows that appear, change and leave, the end of a watch, many at once, and the events of a channel.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { runSql } from '../support/database.ts';
import { portOf } from '../support/listen.ts';
import { expectAccessible } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  create table api.buoys (id int primary key, name text not null, is_lit boolean not null default false);
  insert into api.buoys select i, 'Buoy ' || i from generate_series(1, 5) i;
  create table api.unpublished (id int primary key);
  insert into api.unpublished values (1);
  create domain api."text/event-stream" as text[];
  create function api.buoy_events() returns api."text/event-stream" stable language sql as 'select array[''buoys'']';
  grant select, insert, update, delete on api.buoys, api.unpublished to demo_anon;
  create publication rowhouse_live for table api.buoys;
`;

interface StreamCounter {
  readonly origin: string;
  /** Number of streams of events that have not ended. */
  readonly openStreams: () => number;
  readonly stop: () => void;
}

/** Passes requests on to the server. */
async function startStreamCounter(target: string): Promise<StreamCounter> {
  let count = 0;
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const passed = request(new URL(url ?? '', target), { method, headers }, (answer) => {
      if (answer.headers['content-type'] === 'text/event-stream') {
        count += 1;
        response.on('close', () => (count -= 1));
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    openStreams: () => count,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The button whose state tells whether the result is watched. */
function watchButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Watch', exact: true });
}

function bar(page: Page): Locator {
  return page.getByRole('region', { name: 'Watch' });
}

function rows(page: Page): Promise<readonly string[]> {
  return page.getByRole('grid').locator('.result-rows [role=row]').allInnerTexts();
}

async function watch(page: Page): Promise<void> {
  await watchButton(page).click();
  await bar(page).getByText('Live', { exact: true }).waitFor();
}

describeInBrowser('a watched result', () => {
  const explorer = useExplorer({ sql: SQL, isLive: true, server: { 'live-publication': 'rowhouse_live' } });

  async function write(method: string, url: string, body?: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const { status } = await fetch(`${explorer.origin()}${url}`, init);
    expect(status).toBeLessThan(300);
  }

  test('shows what another page writes, marks it, and counts it', async () => {
    const { page } = await explorer.open('#/buoys?select=id,name&order=id');
    const { page: other } = await explorer.open('');
    await watch(page);
    await expectAccessible(page);
    await other.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json' };
      await fetch('./buoys', { method: 'POST', headers, body: JSON.stringify({ id: 6, name: 'Buoy 6' }) });
    });
    await expect.poll(() => rows(page)).toContain('6\nBuoy 6');
    await write('PATCH', '/buoys?id=eq.1', { name: 'Lantern' });
    await expect.poll(() => rows(page)).toContain('1\nLantern');
    await write('DELETE', '/buoys?id=eq.2');
    await expect.poll(() => rows(page)).not.toContain('2\nBuoy 2');
    await expect.poll(() => bar(page).innerText()).toContain('3 changes');
    await expect.poll(() => page.locator('.result-row-new, .result-row-changed, .result-row-left').count()).toBe(0);
    expect(await rows(page)).toEqual(['1\nLantern', '3\nBuoy 3', '4\nBuoy 4', '5\nBuoy 5', '6\nBuoy 6']);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => bar(page).count()).toBe(0);
    await expect.poll(() => page.getByRole('checkbox', { name: 'Select row 1' }).count()).toBe(1);
  });

  test('a row that no longer matches is shown struck, then gone', async () => {
    const { page } = await explorer.open('#/buoys?select=id,name,is_lit&is_lit=is.false&order=id');
    await watch(page);
    await page.evaluate(`
      window.struck = [];
      new MutationObserver(() => {
        for (const row of document.querySelectorAll('.result-row-left')) window.struck.push(row.innerText);
      }).observe(document.querySelector('.result-rows'), { subtree: true, attributes: true, childList: true });
    `);
    await write('PATCH', '/buoys?id=eq.4', { is_lit: true });
    await expect.poll(() => page.evaluate('window.struck.length')).toBeGreaterThan(0);
    expect(await page.evaluate('window.struck[0]')).toContain('Buoy 4');
    await expect.poll(async () => (await rows(page)).join(' ')).not.toContain('Buoy 4');
  });

  test('rows without changes by key are replaced', async () => {
    const { page } = await explorer.open('#/buoys?select=id,name&order=id.desc&limit=2');
    await watch(page);
    await write('POST', '/buoys', { id: 7, name: 'Buoy 7' });
    await expect.poll(() => rows(page)).toEqual(['7\nBuoy 7', '6\nBuoy 6']);
  });

  test('ends when the URL changes', async () => {
    const { page } = await explorer.open('#/buoys?select=id,name&order=id');
    await watch(page);
    await page.evaluate(`location.hash = '#/buoys?select=id&order=id'`);
    await expect.poll(() => bar(page).count()).toBe(0);
    await page.goBack();
    await expect.poll(() => watchButton(page).getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => bar(page).count()).toBe(0);
  });

  test('shows why a read cannot be watched', async () => {
    const { page } = await explorer.open('#/unpublished?order=id');
    await watchButton(page).click();
    await bar(page).getByText('SVC141').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => bar(page).count()).toBe(0);
  });

  test('B89 seven tabs watch over one connection, which ends with the last of them', async () => {
    const proxy = await startStreamCounter(explorer.origin());
    const context = (await explorer.open('')).page.context();
    const pages = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
    try {
      for (const [index, page] of pages.entries()) {
        await page.goto(`${proxy.origin}/#/buoys?select=id,name&id=lt.${100 + index}&order=id`);
        await watch(page);
      }
      await write('POST', '/buoys', { id: 70, name: 'Buoy 70' });
      for (const page of pages) await expect.poll(() => rows(page)).toContain('70\nBuoy 70');
      await expect.poll(() => proxy.openStreams()).toBe(1);
      for (const page of pages.slice(1)) await page.close();
      await write('PATCH', '/buoys?id=eq.70', { name: 'Lantern' });
      await expect.poll(() => rows(pages[0] as Page)).toContain('70\nLantern');
      await bar(pages[0] as Page)
        .getByText('2 changes')
        .waitFor();
      await pages[0]?.goto('about:blank');
      await expect.poll(() => proxy.openStreams()).toBe(0);
    } finally {
      await Promise.all(pages.map((page) => page.close()));
      proxy.stop();
    }
  });

  test('a browser without shared workers watches too', async () => {
    const { page } = await explorer.open('#/buoys?select=id,name&order=id');
    await page.addInitScript('delete window.SharedWorker');
    await page.reload();
    await watch(page);
    await write('POST', '/buoys', { id: 80, name: 'Buoy 80' });
    await expect.poll(() => rows(page)).toContain('80\nBuoy 80');
  });

  test('the events of a channel are listed as they arrive', async () => {
    const { page } = await explorer.open('#/rpc/buoy_events');
    await watch(page);
    await runSql(explorer.database().uri, `notify buoys, '{"id": 6}'`);
    await expect.poll(() => page.getByRole('list', { name: 'Events' }).innerText()).toContain('{"id": 6}');
    await expect.poll(() => bar(page).innerText()).toContain('1 event');
    await expectAccessible(page);
  });
});

describeInBrowser('a watched result of a server without streams of many reads', () => {
  const explorer = useExplorer({
    sql: SQL,
    isLive: true,
    server: { 'live-publication': 'rowhouse_live', extensions: 'live,events' },
  });

  test('has a stream of its own', async () => {
    const { page, watch: problems } = await explorer.open('#/buoys?select=id,name&order=id');
    await watch(page);
    await runSql(explorer.database().uri, `update api.buoys set name = 'Lantern' where id = 1`);
    await expect.poll(() => rows(page)).toContain('1\nLantern');
    await expect.poll(() => bar(page).innerText()).toContain('1 change');
    await page.evaluate(`location.hash = '#/unpublished?order=id'`);
    problems.expectStatus(400);
    await watchButton(page).click();
    await bar(page).getByText('SVC141').waitFor();
  });
});
