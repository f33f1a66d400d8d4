// Whatever throws in a background task of streams, at any of its calls: its clients end with an error or go on, and the
// next client is served (`beyond.md` §3.1b.9).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SchemaCache } from '../../../src/catalog/schema-cache.ts';
import { loadCache } from '../../support/load-cache.ts';
import { resolved } from '../../support/resolve-text.ts';
import { Faults, FaultyStreams, Reader } from './faulty-streams.ts';

const cache: SchemaCache = await loadCache('create schema api; create table api.item (id int primary key, name text)');
const config = resolved({
  environment: { SVC_DB_SCHEMAS: 'api', SVC_LIVE_PUBLICATION: 'live', SVC_LIVE_RESYNC: '86400' },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Longer than any retry. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(60_000);

/** Opens a stream, if the server lets it: a request that fails has an answer of its own. */
async function open(server: FaultyStreams, before?: Reader): Promise<Reader | undefined> {
  const opening = server.watch(before?.lastId).catch(() => undefined);
  await settle();
  const opened = await Promise.race([opening, Promise.resolve('silent' as const)]);
  expect(opened).not.toBe('silent');
  return typeof opened === 'object' && opened.ok ? new Reader(opened.value, before) : undefined;
}

/** A stream that is open has what a read would return. */
function check(server: FaultyStreams, readers: readonly (Reader | undefined)[]): void {
  for (const reader of readers) {
    if (reader?.isClosed === true) continue;
    if (reader?.ending === undefined) expect(reader?.rows ?? server.sorted).toEqual(server.sorted);
    else expect([reader.ending, reader.error]).toEqual(['ended', expect.stringContaining('Internal error')]);
  }
}

async function run(server: FaultyStreams): Promise<void> {
  const readers = [await open(server)];
  const steps: readonly (() => unknown)[] = [
    () => server.write(2, 'two'),
    async () => readers.push(await open(server)),
    () => server.write(2, 'TWO', '["d",["id",23],["name",25],["more",25]]'),
    () => server.replace(),
    () => server.lose(),
    () => server.write(1, undefined),
    () => readers[0]?.close(),
    async () => readers.push(await open(server, readers[0])),
    () => server.write(1, 'one'),
  ];
  for (const step of steps) {
    await step();
    await settle();
    check(server, readers);
  }
  for (const reader of readers) reader?.close();
  await settle();
  await settle();
}

test.each([
  ['row by row', '/item'],
  ['as a whole', '/item?limit=9'],
])(
  'B77l an exception at any call of live rows that are read %s ends streams with an error, and leaves nothing silent',
  async (_, url) => {
    const all = new Faults(0);
    await run(new FaultyStreams({ cache, config }, url, all));
    expect(all.names.length).toBeGreaterThan(20);
    for (let at = 1; at <= all.names.length; at += 1) {
      const faults = new Faults(at);
      const server = new FaultyStreams({ cache, config }, url, faults);
      await run(server);
      // The number of calls depends on pauses, which depend on the load of the machine.
      if (faults.names.length < at) continue;
      const next = await open(server);
      const call = [at, all.names[at - 1]];
      expect([call, next?.rows]).toEqual([call, server.sorted]);
      server.write(9, 'nine');
      await settle();
      check(server, [next]);
      expect([call, next?.ending, next?.rows.length]).toEqual([call, undefined, 3]);
    }
  },
);

test('B78q a request that waits for its rows gets an error when the server ends', async () => {
  const server = new FaultyStreams({ cache, config }, '/item', new Faults(0));
  const first = await open(server);
  server.gate = new Promise(() => {});
  const waiting = [server.watch(), server.watch(first?.lastId)];
  await settle();
  server.streams.end();
  const closing = server.streams.close();
  await settle();
  await closing;
  for (const answer of await Promise.all(waiting))
    expect(answer).toMatchObject({ ok: false, error: { kind: 'overloaded' } });
});

test('B77o a change that comes while a read is planned again, and loses its keys', async () => {
  const server = new FaultyStreams({ cache, config }, '/item', new Faults(0));
  const reader = await open(server);
  let plan = (): void => {};
  server.planGate = new Promise<void>((resolve) => (plan = resolve));
  server.identity = 'i';
  server.replace();
  await vi.advanceTimersByTimeAsync(100);
  server.write(2, 'two');
  await vi.advanceTimersByTimeAsync(100);
  plan();
  await settle();
  expect(server.crashes).toEqual([]);
  expect(reader?.ending).toBeUndefined();
  check(server, [reader]);
});

test('B78t a client that cannot take all missed events gets none of them, but all rows', async () => {
  const server = new FaultyStreams({ cache, config }, '/item', new Faults(0));
  const left = await open(server);
  await open(server);
  left?.close();
  const long = 'x'.repeat(700_000);
  for (const name of [long, `${long}y`, 'short']) {
    server.write(2, name);
    await settle();
  }
  const returned = await open(server, left);
  await settle();
  expect(returned?.names).toEqual(['reset', 'rows']);
  expect(returned?.rows).toEqual(server.sorted);
});

test('B78s a client that has left before its stream is asked for takes no place', async () => {
  const server = new FaultyStreams({ cache, config }, '/item', new Faults(0));
  const left = server.watch(undefined, AbortSignal.abort());
  await settle();
  expect((await left).ok).toBe(false);
  expect(server.streams.counters?.rowStreams).toBe(0);
});

test('B6f if reading by key exceeds the budget, all rows are read', async () => {
  const server = new FaultyStreams({ cache, config }, '/item', new Faults(0));
  const reader = await open(server);
  server.areKeysTooDear = true;
  server.write(2, 'two');
  await settle();
  check(server, [reader]);
  expect([reader?.ending, reader?.names]).toEqual([undefined, ['rows', 'change']]);
});

async function listen(server: FaultyStreams): Promise<Reader | undefined> {
  const opening = server.streams.openChannels(['news'], '{}').catch(() => undefined);
  await settle();
  const opened = await Promise.race([opening, Promise.resolve('silent' as const)]);
  expect(opened).not.toBe('silent');
  return typeof opened === 'object' && opened.ok ? new Reader(opened.value) : undefined;
}

async function runChannels(server: FaultyStreams): Promise<void> {
  const first = await listen(server);
  server.notify('news', 'one');
  const second = await listen(server);
  server.lose();
  await settle();
  server.notify('news', 'two');
  await settle();
  for (const reader of [first, second])
    if (reader !== undefined) expect(reader.names.slice(-2)).toEqual(['gap', 'news']);
  first?.close();
  second?.close();
  await settle();
}

test('B47f after an exception at any call of channels, streams get a gap and the next notifications', async () => {
  const all = new Faults(0);
  await runChannels(new FaultyStreams({ cache, config }, '/item', all));
  expect(all.names).toEqual(['channels.open', 'listen', 'channels.open', 'listen', 'channels.close']);
  for (let at = 1; at <= all.names.length; at += 1) {
    const server = new FaultyStreams({ cache, config }, '/item', new Faults(at));
    await runChannels(server);
    const next = await listen(server);
    server.notify('news', 'three');
    expect([at, next?.names]).toEqual([at, ['news']]);
  }
});
