// An exception wherever a batch waits: the client gets an error, nothing is kept or held, and the next request works.
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { answersOf, type InnerRequest, sendBatch, SHOWN } from './send-batch.ts';
import { useShop } from './shop.ts';
import { until } from '../../support/until.ts';

/** Throws in the call that is the `left`th from now. */
const fuse = vi.hoisted(() => {
  const state = { left: Number.POSITIVE_INFINITY, calls: 0, names: new Set<string>() };
  const burn = (name: string): void => {
    state.calls += 1;
    state.names.add(name);
    state.left -= 1;
    if (state.left === 0) throw new Error(`injected at ${name}`);
  };
  const wrap = <F extends (...args: never[]) => unknown>(name: string, inner: F): F =>
    ((...args: never[]) => {
      if (Number.isFinite(state.left)) burn(name);
      return inner(...args);
    }) as F;
  return { state, wrap };
});

type Module = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Replaces functions of a module. */
const burning = vi.hoisted(() => (...names: readonly string[]) => async (load: () => Promise<Module>) => {
  const original = await load();
  const wrapped = names.map((name) => [name, fuse.wrap(name, original[name] ?? (() => undefined))] as const);
  return { ...original, ...Object.fromEntries(wrapped) };
});

vi.mock(import('../../../src/util/slices.ts'), burning('runSlicesWithPauses') as never);
vi.mock(import('../../../src/serve/prepare-request.ts'), burning('prepareRequest') as never);
vi.mock(import('../../../src/serve/run-prepared.ts'), burning('respond', 'explain', 'runScript') as never);
vi.mock(import('../../../src/extensions/batch/answer-batch.ts'), async (load) => {
  const { answerBatch } = await load();
  return {
    answerBatch: (work) =>
      answerBatch({ ...work, context: { ...work.context, pause: fuse.wrap('pause', work.context.pause) } }),
  };
});

/** Functions of the room itself; what they await is in the list too. */
const OWN = new Set(['start', 'explainRun', 'planPart', 'answer', 'expand', 'prepare']);
const WRAPPED = ['runSlicesWithPauses', 'prepareRequest', 'respond', 'explain', 'pause', 'runScript'];

const shop = await useShop();
const start = useServers(shop);
const server = await start({ 'db-pool': 1, 'db-tx-end': 'commit-allow-override' });

const BATCH: readonly InnerRequest[] = [
  { id: 'p', method: 'POST', path: '/purchase', headers: SHOWN, body: { note: 'thrown' } },
  { path: '/product?id=eq.1' },
  { method: 'POST', path: '/slip', body: { id: 1, body: { $from: 'p', at: '/0/note' } } },
];
const FAILING: readonly InnerRequest[] = [...BATCH, { method: 'POST', path: '/slip', body: { id: 1 } }];

/** @param left 0: nothing throws, and nothing is kept @returns the number of calls, and the response */
async function sendWithFuse(batch: readonly InnerRequest[], left: number): Promise<[number, number, string]> {
  fuse.state.calls = 0;
  fuse.state.left = left === 0 ? Number.MAX_SAFE_INTEGER : left;
  try {
    const { status, text } = await sendBatch(server, batch, left === 0 ? { Prefer: 'tx=rollback' } : {});
    return [fuse.state.calls, status, text];
  } finally {
    fuse.state.left = Number.POSITIVE_INFINITY;
  }
}

test('B29i everything that the room awaits can throw in this test', async () => {
  const folder = new URL('../../../src/extensions/batch/', import.meta.url);
  const texts = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFile(new URL(name, folder), 'utf8')),
  );
  const awaited = texts.flatMap((text) =>
    [...text.matchAll(/await (?:[\w#]+\.)*#?(\w+)\(/gu)].map(([, name]) => name ?? ''),
  );
  expect(texts.filter((text) => /await (?!(?:[\w#]+\.)*#?\w+\()/u.test(text))).toEqual([]);
  expect([...new Set(awaited)].filter((name) => !OWN.has(name)).toSorted()).toEqual(WRAPPED.toSorted());
});

describe.each([
  ['that succeeds', BATCH, 200],
  ['that fails', FAILING, 409],
])('a batch %s', (_, batch, expected) => {
  test('B29i an exception at any await is a 500, after which everything is as before', async () => {
    const [calls, status] = await sendWithFuse(batch, 0);
    expect(status).toBe(expected);
    expect(calls).toBeGreaterThan(12);
    for (let left = 1; left <= calls; left += 1) {
      const [, failed, text] = await sendWithFuse(batch, left);
      expect([left, failed, text]).toEqual([left, 500, expect.stringMatching(/"code":"SVCX00"/u)]);
      await until(async () => (await server.metric('db_pool_available')) === 1);
      expect(await server.metric('http_requests_in_flight')).toBe(0);
      const [answer] = await answersOf(server, [{ path: '/slip?select=id' }]);
      expect(answer?.body).toEqual([]);
    }
    if (expected === 409) expect([...fuse.state.names].toSorted()).toEqual(WRAPPED.toSorted());
  });
});
