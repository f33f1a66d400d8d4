// What pages with collections go through, in as many rounds as a test asks for.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Random } from '../../support/generate/random.ts';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { expectEqual, type Sync, type SyncPage, type Task } from './use-sync.ts';

type Pages = readonly [SyncPage, SyncPage];

interface Outcomes {
  /** `TASK N` of each write. */
  readonly done: readonly string[];
  readonly unsettled: readonly string[];
  /** With the error. */
  readonly refused: readonly string[];
}

/** Clicks in one page and waits for the other, in turn. Returns a line with the times in milliseconds. */
export async function measureEdits(pages: Pages, count: number): Promise<string> {
  const [shown, confirmed]: [number[], number[]] = [[], []];
  for (let n = 1; n <= count; n += 1) {
    const [one, other] = n % 2 === 0 ? pages : [pages[1], pages[0]];
    const seen = other.call<number>('seen', [0, n]);
    const { at, confirmedAt } = await one.call<{ at: number; confirmedAt: number }>('click', [0, 0, n]);
    shown.push((await seen) - at);
    confirmed.push(confirmedAt - at);
  }
  return `${count} edits: shown in the other browser after ${percentiles(shown)}, confirmed after ${percentiles(confirmed)}`;
}

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

interface Sight {
  /** What a page showed when it should have shown something newer. */
  readonly setbacks: readonly string[];
  readonly changeCount: number;
  readonly frameCount: number;
}

/** Two pages count tasks of one list up while other rows and columns of it change in the database. */
export async function countSetbacks(sync: Sync, pages: Pages, updates: number): Promise<string> {
  await sync.harbor().sql(`insert into api.task select id, 0, 0, 'a' from generate_series(100, 109) id`);
  for (const page of pages) await page.call('seen', [109, 0]);
  for (const page of pages) await page.call('resetSetbacks');
  const over = new AbortController();
  const load = (async () => {
    for (let round = 0; !over.signal.aborted; round += 1) {
      await sync.harbor().sql(`update api.task set title = '${round}' where list = 0 and id % 3 = ${round % 3}`);
      await sleep(20);
    }
  })();
  const count = (page: SyncPage, ids: readonly number[]): Promise<readonly string[]> =>
    page.call('countUp', { list: 0, ids, times: updates / 2 });
  const errors = await Promise.all([count(pages[0], [100, 101, 102]), count(pages[1], [105, 106, 107])]);
  over.abort();
  await load;
  await expectEqual(sync, pages);
  const rows = await sync.read();
  const [one, other] = (await Promise.all(pages.map((page) => page.call<Sight>('setbacks')))) as [Sight, Sight];
  expect({ errors, setbacks: [...one.setbacks, ...other.setbacks] }).toEqual({ errors: [[], []], setbacks: [] });
  expect(rows.filter(({ id }) => id >= 100).reduce((sum, { n }) => sum + n, 0)).toBe(updates);
  const changes = one.changeCount + other.changeCount;
  return `${updates} updates: nothing older in ${changes} changes of the pages, ${one.frameCount + other.frameCount} frames`;
}

/** One page is offline while it writes, and the other one goes on. */
export async function writeOffline(
  sync: Sync,
  [one, other]: Pages,
  { count, milliseconds }: { readonly count: number; readonly milliseconds: number },
): Promise<void> {
  await one.context.setOffline(true);
  await one.call('startOffline', { list: 1, firstId: 1000, count, counted: 1 });
  await other.call('click', [0, 0, 1]);
  expect((await one.rows()).find(({ id }) => id === 1)?.n).toBe(count);
  await sleep(milliseconds);
  expect((await sync.written()).size).toBe(1);
  await one.context.setOffline(false);
  const outcomes = await one.call<Outcomes>('finish');
  expect(outcomes).toMatchObject({ unsettled: [], refused: [] });
  expect(outcomes.done.length).toBe(count);
  const expected = Array.from({ length: count }, (_, index) => [`${1000 + index} 0`, `1 ${index + 1}`]).flat();
  const written = new Map([...expected, '0 1'].map((write) => [write, 1]));
  expect(await sync.written()).toEqual(written);
  await expectEqual(sync, [one, other]);
}

/** A page is closed before it has the response to its first write, and its successor sends all of them. */
export async function reloadBeforeResponse(sync: Sync, proxy: TcpProxy, count: number): Promise<void> {
  const page = await sync.open({ api: `http://127.0.0.1:${proxy.port}` });
  // The browser asks for permission to send such a request, and keeps the answer.
  await page.call('startOffline', { list: 1, firstId: 1000, count: 1, counted: 1 });
  await page.call('finish');
  proxy.set({ isStalled: true }, 'toClient');
  await page.call('startOffline', { list: 1, firstId: 1001, count: count - 1, counted: 1 });
  await until(async () => (await sync.written()).size > 2);
  await page.page.reload();
  let rows: readonly Task[] = [];
  await until(async () => (rows = await page.rows()).length === count, { why: () => JSON.stringify(rows) });
  proxy.clear();
  await page.call('ready');
  await until(async () => (await sync.written()).size === 2 * count);
  expect([...(await sync.written()).values()].filter((times) => times !== 1)).toEqual([]);
  await expectEqual(sync, [page]);
}

/** Both pages write, one of them with offline transactions, while the server crashes again and again. */
export async function crashDuringWrites(
  sync: Sync,
  pages: Pages,
  { crashes, seed }: { readonly crashes: number; readonly seed: number },
): Promise<string> {
  const random = new Random(seed);
  const [online, offline] = pages;
  await online.call('startWriting', { kind: 'online', list: 2, firstId: 10_000, pauseMs: 20 });
  await offline.call('startWriting', { kind: 'offline', list: 3, firstId: 20_000, pauseMs: 20 });
  for (let crash = 0; crash < crashes; crash += 1) {
    const before = await Promise.all(pages.map((page) => page.call<number>('doneCount')));
    for (const [index, page] of pages.entries())
      await until(async () => (await page.call<number>('doneCount')) > (before[index] ?? 0), { seconds: 120 });
    await sleep(random.roll(200));
    await sync.crash();
    // Pauses between attempts grow, because each stream was short.
    for (const { page } of pages) await page.evaluate(`dispatchEvent(new Event('online'))`);
  }
  const outcomes = await Promise.all(pages.map((page) => page.call<Outcomes>('finish')));
  await expectEqual(sync, pages);
  expect(outcomes.flatMap(({ refused }) => refused)).toEqual([]);
  expect(outcomes[1]?.unsettled).toEqual([]);
  const written = await sync.written();
  const done = outcomes.flatMap((each) => each.done);
  expect(done.filter((write) => written.get(write) !== 1)).toEqual([]);
  expect([...written].filter(([, count]) => count !== 1)).toEqual([]);
  const unsettled = outcomes.flatMap((each) => each.unsettled);
  const known = new Set([...done, ...unsettled]);
  expect([...written.keys()].filter((write) => !known.has(write))).toEqual([]);
  const kept = unsettled.filter((write) => written.has(write)).length;
  return `${crashes} crashes, seed ${seed}: ${done.length} writes done, ${unsettled.length} unsettled, of which ${kept} were done`;
}

/** Tokens expire while rows are inserted: each of them is shown, and none is ever gone. */
export async function renewTokens(sync: Sync, renewals: number): Promise<void> {
  sync.shortenTokens(2);
  const page = await sync.open();
  const insert = async (count: () => number, end: number): Promise<void> => {
    while (count() < end) {
      await sync.harbor().sql(`insert into api.task values (${id}, ${id % 20}, 0, 'new')`);
      id += 1;
      await sleep(10);
    }
  };
  const first = 30_000;
  let id = first;
  await insert(sync.tokenCount, renewals);
  sync.shortenTokens(3600);
  // The next stream does not end.
  await insert(() => page.requests.length, sync.tokenCount() + 1);
  await expectEqual(sync, [page]);
  const ids = Array.from({ length: id - first }, (_, index) => first + index);
  expect(await page.call('unseen', ids)).toEqual([]);
  expect(await page.call('setbacks')).toMatchObject({ setbacks: [] });
  expect(page.requests.length).toBe(sync.tokenCount());
}
