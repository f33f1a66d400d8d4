// Nothing is lost, doubled or out of order, wherever streams are cut and whenever the list changes.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect, type Live } from '../../../packages/live/src/index.ts';
import { isLong } from '../../support/long-form.ts';
import { Random } from '../../support/generate/random.ts';
import { ModelServer } from '../support/model-server.ts';
import { Recorder } from '../support/recorder.ts';
import { type ListElement, renderEvent } from '../support/scripted-server.ts';

const EVENTS = [
  {
    name: 'rows',
    eventId: 'e1',
    rows: [
      { id: 1, title: 'ü' },
      { id: 2, title: '🏮' },
    ],
  },
  { name: 'change', eventId: 'e2', upsert: [{ id: 3, title: '\u2028 \n\r' }], delete: [{ id: 1 }] },
  { name: 'change', eventId: 'e3', upsert: [{ id: 2, title: 'last' }], delete: [] },
] as const;

const encoder = new TextEncoder();

function conversation(id: string, lastEventId: string | undefined): Uint8Array {
  const rest = EVENTS.slice(EVENTS.findIndex(({ eventId }) => eventId === lastEventId) + 1);
  return encoder.encode(
    `:\n\n${rest.map(({ name, ...data }) => `${renderEvent(name, { id, ...data })}event: position\ndata: 1:0/1\n\n`).join('')}`,
  );
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('B94 a stream that is cut at any byte goes on without losing or doubling an event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  for (let cut = 0; cut <= conversation('1', undefined).length; cut += 1) {
    let requests = 0;
    const live = connect({
      url: 'http://server.test',
      fetch: (_, init) => {
        requests += 1;
        const [element] = JSON.parse(init.body as string) as readonly ListElement[];
        const bytes = conversation(element!.id, element!.lastEventId);
        return Promise.resolve(requests === 1 ? broken(bytes.subarray(0, cut)) : broken(bytes, 30_000));
      },
    });
    const recorder = new Recorder();
    live.watch('/todos', recorder.callbacks);
    await vi.advanceTimersByTimeAsync(3000);
    // Who has no rows yet is told of the cut.
    const calls = recorder.calls.filter((call, index) => index > 0 || call !== 'error network');
    expect([cut, ...calls]).toEqual([cut, 'rows 2', 'change +1 -1', 'change +1 -0']);
    expect([...recorder.rows.values()]).toEqual([
      { id: 2, title: 'last' },
      { id: 3, title: '\u2028 \n\r' },
    ]);
    expect(requests).toBe(2);
    live.close();
  }
});

/** A response that breaks off after these bytes, and some time. */
function broken(bytes: Uint8Array, milliseconds = 0): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes);
      setTimeout(() => controller.error(new Error('cut')), milliseconds);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

describe('random changes of the list, cuts, refusals and resets', () => {
  const SEEDS = Array.from({ length: isLong ? 400 : 40 }, (_, seed) => seed);

  test.each(SEEDS)('B94 seed %d', async (seed) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const random = new Random(seed);
    vi.spyOn(Math, 'random').mockImplementation(() => random.roll(1000) / 1000);
    const server = new ModelServer(random);
    const live = connect({ url: 'http://model.test', fetch: server.fetch, token: () => 'token' });
    const faults: string[] = [];
    const watchers: Watching[] = [];
    const paths = ['/a', '/b', '/c', '/d'];
    for (let step = 0; step < 300; step += 1) {
      const path = random.pick(paths);
      if (random.chance(0.5)) server.step(path);
      if (random.chance(0.08)) watchers.push(new Watching(live, path, faults));
      if (random.chance(0.06)) watchers.splice(random.roll(watchers.length), 1)[0]?.stop();
      await vi.advanceTimersByTimeAsync(random.roll(120));
    }
    server.isCalm = true;
    for (const path of paths) server.step(path);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(faults).toEqual([]);
    for (const { path, count } of watchers) expect([path, count]).toEqual([path, server.counts.get(path)]);
    live.close();
    // Those of the model are for streams that are over.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** Expects every change once and in order, and that rows are never older than what has been shown before. */
class Watching {
  readonly path: string;
  readonly stop: () => void;
  count: number | undefined;

  constructor(live: Live, path: string, faults: string[]) {
    this.path = path;
    this.stop = live.watch<{ readonly count: number }>(path, {
      onRows: ([row]) => {
        const before = this.count ?? 0;
        this.count = row!.count;
        // The changes after older rows come with them.
        queueMicrotask(() => {
          if ((this.count ?? 0) < before) faults.push(`${path}: ${this.count} after ${before}`);
        });
      },
      onChange: ({ upsert: [row] }) => {
        if (row!.count !== (this.count ?? Infinity) + 1) faults.push(`${path}: ${row!.count} after ${this.count}`);
        this.count = row!.count;
      },
    });
  }
}
