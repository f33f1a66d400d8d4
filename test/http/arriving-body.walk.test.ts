// Random walks over the states of a streamed request body (`src/http/receive/arriving-body.ts`): no byte
// is lost or duplicated, a partial body never looks complete, and all resources are released exactly once.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BodyStep } from '../../src/contract/http.ts';
import { Admission } from '../../src/http/limits/admission.ts';
import { IncomingBody } from '../../src/http/receive/arriving-body.ts';
import { BodyWatch } from '../../src/http/limits/body-pace.ts';
import { ReadableBody } from '../../src/http/adapters/readable-body.ts';
import { LIMITS } from '../support/handler-server.ts';

const EVENTS = ['next', 'data', 'much', 'end', 'error', 'close', 'slow', 'release', 'turn'] as const;
type Event = (typeof EVENTS)[number];

/** More than a window of the pace measurement. */
const MUCH = 1_100_000;
const RECEIVED = Buffer.from('received');

class CountingWatch extends BodyWatch {
  readonly watched: Set<unknown> = new Set();

  constructor() {
    super(() => 60_000);
  }

  override add(body: Parameters<BodyWatch['add']>[0]): void {
    this.watched.add(body);
    super.add(body);
  }

  override remove(body: Parameters<BodyWatch['remove']>[0]): void {
    this.watched.delete(body);
    super.remove(body);
  }
}

class CountingWaits {
  waiting = 0;
  lowest = 0;

  beginClientWait(): void {
    this.waiting += 1;
  }

  endClientWait(): void {
    this.waiting -= 1;
    this.lowest = Math.min(this.lowest, this.waiting);
  }
}

/** Results of a consumer, one per call. */
class Consumer {
  readonly steps: BodyStep[] = [];
  isWaiting = false;
  readonly #next: () => Promise<BodyStep>;

  constructor(next: () => Promise<BodyStep>) {
    this.#next = next;
  }

  ask(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    void this.#next().then((step) => {
      this.isWaiting = false;
      this.steps.push(step);
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.steps.map((step) => (step.kind === 'bytes' ? step.bytes : Buffer.alloc(0))));
  }

  get hasEnded(): boolean {
    return this.steps.some(({ kind }) => kind === 'end');
  }
}

const MAX_EVENTS = 30;
const walks = fc.array(fc.constantFrom<Event>(...EVENTS), { maxLength: MAX_EVENTS });

/** Made once: walks that fill new memory take three times as long. */
const LARGE = Array.from({ length: MAX_EVENTS }, (_, index) => Buffer.alloc(MUCH, index));

function chunkOf(event: 'data' | 'much', index: number): Buffer {
  return (event === 'much' ? LARGE[index] : undefined) ?? Buffer.from(`<${index}>`);
}

/** The walks take three seconds of processor time, which beside a load of 20 can be a minute. */
const LOADED = { timeout: 180_000 };

describe('a body from a socket', () => {
  test('B44 is complete or cut after any events, and releases everything', LOADED, async () => {
    await fc.assert(fc.asyncProperty(walks, walk), { numRuns: 3000 });
  });
});

async function walk(events: readonly Event[]): Promise<void> {
  const incoming = new IncomingMessage(new Socket());
  const [watch, waits] = [new CountingWatch(), new CountingWaits()];
  const body = new IncomingBody(incoming, { watch, waits }, [RECEIVED]);
  const consumer = new Consumer(() => body.next());
  const sent: Buffer[] = [RECEIVED];
  let [hasEnded, isCut] = [false, false];
  /** Checked at the end: an assertion for each event takes half of the time. */
  const miscounted: number[] = [];
  for (const [index, event] of events.entries()) {
    if (event === 'next') consumer.ask();
    else if (event === 'turn') await setImmediate();
    else if (event === 'slow' && watch.watched.has(body) && waits.waiting === 1) body.giveUp();
    else if (event === 'release') body.release();
    else if (event === 'error' || event === 'close') {
      incoming.on('error', () => {});
      incoming.destroy(event === 'error' ? new Error('reset') : undefined);
      isCut = true;
    } else if (event === 'end' && !hasEnded) {
      hasEnded = true;
      incoming.push(null);
    } else if ((event === 'data' || event === 'much') && !hasEnded && !isCut) {
      sent.push(chunkOf(event, index));
      incoming.push(sent.at(-1));
    }
    if (waits.waiting !== (consumer.isWaiting && waits.waiting > 0 ? 1 : 0)) miscounted.push(index);
  }
  expect(miscounted).toEqual([]);
  for (let index = 0; index < 5; index += 1) {
    consumer.ask();
    await setImmediate();
  }
  body.release();
  await setImmediate();
  await setImmediate();
  consumer.ask();
  await setImmediate();
  const [whole, { bytes }] = [Buffer.concat(sent), consumer];
  expect(whole.subarray(0, bytes.length).equals(bytes)).toBe(true);
  if (consumer.hasEnded) expect([hasEnded, bytes.length]).toEqual([true, whole.length]);
  expect(consumer.isWaiting).toBe(false);
  expect(['cut', 'tooSlow']).toContain(consumer.steps.at(-1)?.kind);
  expect([waits.waiting, waits.lowest, watch.watched.size]).toEqual([0, 0, 0]);
  expect(incoming.listenerCount('data')).toBe(0);
  incoming.destroy();
}

describe('a body from a stream of the Fetch API', () => {
  test('B44 is complete or cut after any events, and releases everything', async () => {
    await fc.assert(fc.asyncProperty(walks, walkReadable), { numRuns: 2000 });
  });
});

async function walkReadable(events: readonly Event[]): Promise<void> {
  const host: { controller?: ReadableStreamDefaultController<Uint8Array> } = {};
  const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (host.controller = controller) });
  const waits = new CountingWaits();
  const body = new ReadableBody(stream.getReader(), waits, [RECEIVED]);
  const consumer = new Consumer(() => body.next());
  const sent: Buffer[] = [RECEIVED];
  let [isOver, hasEnded] = [false, false];
  for (const [index, event] of events.entries()) {
    if (event === 'next') consumer.ask();
    else if (event === 'turn') await setImmediate();
    else if (event === 'release') {
      body.release();
      isOver = true;
    } else if (!isOver && (event === 'error' || event === 'close')) {
      host.controller?.error(new Error('gone'));
      isOver = true;
    } else if (!isOver && event === 'end') {
      host.controller?.close();
      [isOver, hasEnded] = [true, true];
    } else if (!isOver && event === 'data') {
      sent.push(chunkOf('data', index));
      host.controller?.enqueue(sent.at(-1) ?? RECEIVED);
    }
  }
  for (let index = 0; index < 5; index += 1) {
    consumer.ask();
    await setImmediate();
  }
  body.release();
  await setImmediate();
  consumer.ask();
  await setImmediate();
  const [whole, { bytes }] = [Buffer.concat(sent), consumer];
  expect(whole.subarray(0, bytes.length).equals(bytes)).toBe(true);
  if (consumer.hasEnded) expect([hasEnded, bytes.length]).toEqual([true, whole.length]);
  expect([consumer.isWaiting, consumer.steps.at(-1)?.kind]).toEqual([false, 'cut']);
  expect([waits.waiting, waits.lowest]).toEqual([0, 0]);
}

/** Tests `Admission` with waits that start and end in any order, alongside other requests. */
test('after any requests and waits, the admission counts nothing', async () => {
  const step = fc.constantFrom('start', 'end', 'wait', 'go on', 'check', 'time');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let now = 0;
      const admission = new Admission({
        limits: { config: { ...LIMITS, dbPool: 2, serverMaxRequests: 5 } },
        countPermitWaiters: () => 0,
        clock: () => now,
      });
      const running: { end: () => void; isWaiting: boolean }[] = [];
      for (const each of steps) {
        const waiting = running.find(({ isWaiting }) => isWaiting);
        const busy = running.find(({ isWaiting }) => !isWaiting);
        if (each === 'start') {
          const work = { end: (): void => undefined, isWaiting: false };
          void admission.run(() => new Promise<void>((resolve) => void (work.end = resolve)));
          running.push(work);
        } else if (each === 'end' && busy !== undefined) {
          busy.end();
          running.splice(running.indexOf(busy), 1);
          await setImmediate();
        } else if (each === 'wait' && busy !== undefined) {
          admission.beginClientWait();
          busy.isWaiting = true;
        } else if (each === 'go on' && waiting !== undefined) {
          admission.endClientWait();
          waiting.isWaiting = false;
        } else now += 50;
        const wanting = running.filter(({ isWaiting }) => !isWaiting).length;
        expect(admission.check()).toBe(wanting >= 5 ? 'server-max-requests' : undefined);
      }
    }),
    { numRuns: 500 },
  );
});
