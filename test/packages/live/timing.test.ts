// Pauses and time limits of the client, with a clock of the test.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connect, type Live } from '../../../packages/live/src/index.ts';
import { renderEvent } from '../support/scripted-server.ts';
import { Recorder } from '../support/recorder.ts';

let live: Live;
/** When each request was sent, in milliseconds. */
let sentAt: number[];
let start: number;
let respond: (init: RequestInit) => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  start = Date.now();
  sentAt = [];
  open();
});

afterEach(() => {
  live.close();
  if (vi.getTimerCount() > 0) throw new Error('a timer is left');
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(): void {
  live = connect({
    url: 'http://server.test',
    fetch: (_, init) => {
      sentAt.push(Date.now() - start);
      return respond(init);
    },
  });
}

function watch(): Recorder {
  const recorder = new Recorder();
  live.watch('/todos', recorder.callbacks);
  return recorder;
}

/** A response whose body comes in `pieces`, each after a time in milliseconds, and then stays open. */
function stream(init: RequestInit, pieces: readonly (readonly [number, string])[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const [milliseconds, text] of pieces)
        setTimeout(() => {
          if (init.signal?.aborted !== true) controller.enqueue(new TextEncoder().encode(text));
        }, milliseconds);
      init.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function never(init: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

const ROWS = renderEvent('rows', { id: '1', eventId: 'e1', rows: [] });

test.each([
  [0, [500, 500, 500, 500, 500, 500, 500]],
  [1, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
])('B94 pauses grow from 0.5 to 30 s, with jitter (%d)', async (random, expected) => {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  respond = () => Promise.reject(new TypeError('fetch failed'));
  const recorder = watch();
  await vi.advanceTimersByTimeAsync(100_000);
  const pauses = sentAt.slice(1).map((time, index) => time - (sentAt[index] ?? 0));
  expect(pauses.slice(0, 7)).toEqual(expected);
  expect(recorder.calls[0]).toBe('error network');
  expect(recorder.errors[0]?.message).toBe('The connection failed: TypeError: fetch failed');
  expect(live.status).toBe('waiting');
});

test('B94 pauses start over after a stream that has held for 30 s', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  respond = () => Promise.reject(new TypeError('fetch failed'));
  watch();
  await vi.advanceTimersByTimeAsync(10 + 1000 + 2000 - 1);
  respond = (init) =>
    Promise.resolve(
      stream(init, [
        [0, ROWS],
        [20_000, ':\n\n'],
      ]),
    );
  await vi.advanceTimersByTimeAsync(1);
  expect(live.status).toBe('open');
  // Two comments are missing: the connection is dead.
  respond = () => Promise.reject(new TypeError('fetch failed'));
  await vi.advanceTimersByTimeAsync(60_000 - 1);
  expect(live.status).toBe('open');
  await vi.advanceTimersByTimeAsync(1);
  expect(live.status).toBe('waiting');
  const before = sentAt.length;
  await vi.advanceTimersByTimeAsync(999);
  expect(sentAt).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(1);
  expect(sentAt).toHaveLength(before + 1);
});

test.each([
  ['7', 7000],
  [() => new Date(Date.now() + 9000).toUTCString(), 9000],
])('B94 Retry-After is honored: %s', async (given, pause) => {
  vi.setSystemTime(1_800_000_000_000);
  start = Date.now();
  const text = typeof given === 'string' ? given : given();
  respond = () =>
    Promise.resolve(Response.json({ message: 'full' }, { status: 503, headers: { 'retry-after': text } }));
  const recorder = watch();
  await vi.advanceTimersByTimeAsync(20);
  expect(recorder.calls).toEqual(['error 503']);
  await vi.advanceTimersByTimeAsync(pause - 1000);
  expect(sentAt).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sentAt).toHaveLength(2);
});

test('B94 a stream that ends with `retry` is opened again after that time', async () => {
  respond = (init) =>
    Promise.resolve(
      new Response(`retry: 5000\n${ROWS}`, { ...init, headers: { 'content-type': 'text/event-stream' } }),
    );
  watch();
  await vi.advanceTimersByTimeAsync(4990);
  expect(sentAt).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(30);
  expect(sentAt).toHaveLength(2);
});

test('B94 the client goes on at once when the browser is online again', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  respond = () => Promise.reject(new TypeError('fetch failed'));
  open();
  watch();
  await vi.advanceTimersByTimeAsync(10);
  respond = (init) => Promise.resolve(stream(init, [[0, ROWS]]));
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1);
  expect(live.status).toBe('open');
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(sentAt).toHaveLength(2);
});

test.each(['in a pause', 'during an attempt'])(
  'B94 when the browser is online again, pauses are short: %s',
  async (when) => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    const fail = (): Promise<never> => Promise.reject(new TypeError('fetch failed'));
    respond = fail;
    open();
    watch();
    await vi.advanceTimersByTimeAsync(60_000);
    let loseNetwork = (): void => undefined;
    respond = () => new Promise((_, reject) => (loseNetwork = () => reject(new TypeError('network changed'))));
    if (when === 'during an attempt') await vi.advanceTimersByTimeAsync(30_000);
    page.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(1);
    const before = sentAt.length;
    loseNetwork();
    await vi.advanceTimersByTimeAsync(1000);
    expect(sentAt).toHaveLength(before + 1);
  },
);

test.each([
  ['no response', never],
  ['a response without a byte', (init: RequestInit) => Promise.resolve(stream(init, []))],
])('B94 a proxy that buffers is named after 15 s: %s', async (_, given) => {
  respond = given;
  const recorder = watch();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(recorder.calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(1100);
  expect(recorder.calls).toEqual(['error silent']);
  expect(recorder.errors[0]?.message).toContain('Does a proxy buffer responses?');
  await vi.advanceTimersByTimeAsync(1100);
  expect(sentAt.length).toBeGreaterThan(1);
});

test('B94 a stream that is quiet but for its comments stays open', async () => {
  const comments = Array.from({ length: 20 }, (_, index) => [index * 15_000, ':\n\n'] as const);
  respond = (init) => Promise.resolve(stream(init, [[0, ROWS], ...comments]));
  watch();
  await vi.advanceTimersByTimeAsync(290_000);
  expect(live.status).toBe('open');
  expect(sentAt).toHaveLength(1);
});
