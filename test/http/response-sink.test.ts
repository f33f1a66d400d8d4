// Random walks over everything that can happen to a streamed response: all resources are released exactly once.
import { afterEach, expect, test, vi } from 'vitest';
import type { BodySink, BodyStream } from '../../src/contract/body-stream.ts';
import { BodyWatch } from '../../src/http/limits/body-pace.ts';
import { ResponseSink } from '../../src/http/send/response-sink.ts';
import type { Sending } from '../../src/http/send/send-wait.ts';
import { UnsentBytes } from '../../src/http/limits/unsent-bytes.ts';
import { FakeResponse } from './support/fake-response.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Checks that its consumer obeys the contract. */
class WalkedBody implements BodyStream {
  readonly byteLength: number | undefined;
  failure: unknown;
  reads = 0;
  cancels = 0;
  taken = 0;
  released = 0;
  /** Calls of `resume` after the end. */
  lateResumes = 0;
  #sink: BodySink | undefined;
  #isBlocked = false;
  #isOver = false;

  constructor(byteLength: number | undefined) {
    this.byteLength = byteLength;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  read(sink: BodySink): void {
    this.reads += 1;
    this.#sink = sink;
  }

  resume(): void {
    this.lateResumes += this.#isOver ? 1 : 0;
    this.#isBlocked = false;
  }

  release(piece: Uint8Array): void {
    this.released += piece.length;
  }

  cancel(): void {
    this.cancels += 1;
    this.fail('cancelled');
  }

  give(size: number): void {
    const sink = this.#sink;
    if (sink === undefined || this.#isOver || this.#isBlocked) return;
    this.taken += size;
    const isFree = sink.take(new Uint8Array(size));
    this.#isBlocked = !isFree;
  }

  finish(): void {
    if (this.#sink === undefined || this.#isOver || this.#isBlocked) return;
    this.#isOver = true;
    this.#sink.end();
  }

  fail(failure: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.failure ??= failure;
    this.#sink?.fail();
  }
}

class Walk {
  readonly body: WalkedBody;
  readonly outgoing = new FakeResponse();
  readonly sending: Sending;
  readonly events: string[] = [];
  refusals = 0;
  crashes = 0;
  tooSlow = 0;
  isHeadSentAtRefusal = false;
  #onDisconnect: () => void = () => undefined;

  constructor(random: () => number) {
    this.body = new WalkedBody(random() < 0.5 ? undefined : 1_000_000);
    this.sending = {
      paces: new BodyWatch(() => 10_000),
      unsent: new UnsentBytes(),
      onTooSlow: () => (this.tooSlow += 1),
    };
    if (random() < 0.6) this.outgoing.assignSocket();
    const sink = new ResponseSink(this.outgoing.asExchange(random() < 0.3 ? '1.0' : '1.1'), {
      body: this.body,
      sending: this.sending,
      signal: { onDisconnect: (listener) => (this.#onDisconnect = listener) },
      writeHead: () => this.outgoing.writeHead(),
      refuse: () => {
        this.refusals += 1;
        this.isHeadSentAtRefusal ||= this.outgoing.headersSent;
        this.outgoing.headersSent = true;
        this.outgoing.end();
      },
      onCrash: () => (this.crashes += 1),
    });
    sink.send();
  }

  readonly steps: Readonly<Record<string, (random: () => number) => void>> = {
    socket: () => this.outgoing.assignSocket(),
    piece: (random) => this.body.give(1 + Math.floor(random() * 200_000)),
    pieces: (random) => {
      for (let count = 0; count < 8; count += 1) this.body.give(1 + Math.floor(random() * 200_000));
    },
    drain: () => this.outgoing.flush(),
    end: () => this.body.finish(),
    fail: () => this.body.fail('failed'),
    time: () => vi.advanceTimersByTime(4000),
    close: () => this.outgoing.close(),
    gone: () => this.#onDisconnect(),
    badHead: () => (this.outgoing.throwsAtHead = true),
    badWrite: () => (this.outgoing.throwsAtWrite = true),
  };

  async step(random: () => number): Promise<void> {
    const rare = random() < 0.12;
    const names = rare
      ? ['end', 'fail', 'close', 'gone', 'badHead', 'badWrite']
      : ['socket', 'piece', 'pieces', 'drain', 'time'];
    const name = names[Math.floor(random() * names.length)] ?? '';
    this.events.push(name);
    this.steps[name]?.(random);
    // The sink starts in the next tick.
    await Promise.resolve();
    await new Promise((resolve) => process.nextTick(resolve));
  }
}

/** Uses the numbers of Numerical Recipes. https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('B26 B27 after any walk the wait for the client has ended, no byte is counted, and the body was released once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const seen = { refusals: 0, crashes: 0, tooSlow: 0, ends: 0, cancels: 0 };
  for (let seed = 1; seed <= 3000; seed += 1) {
    const random = createRandom(seed);
    const walk = new Walk(random);
    for (let count = 0; count < 30; count += 1) await walk.step(random);
    const { body, outgoing, sending, refusals, crashes, tooSlow, isHeadSentAtRefusal } = walk;
    outgoing.close();
    walk.steps['gone']?.(random);
    const why = `seed ${seed}: ${walk.events.join(' ')}`;
    expect([sending.paces.count, sending.unsent.bytes, body.isOver, isHeadSentAtRefusal], why).toEqual([
      0,
      0,
      true,
      false,
    ]);
    expect([body.reads <= 1, body.cancels <= 1, refusals <= 1, crashes <= 1, tooSlow <= 1], why).toEqual(
      Array.from({ length: 5 }, () => true),
    );
    expect(body.lateResumes, why).toBe(0);
    expect(body.released, why).toBeLessThanOrEqual(body.taken);
    seen.refusals += refusals;
    seen.crashes += crashes;
    seen.tooSlow += tooSlow;
    seen.cancels += body.cancels;
    seen.ends += 1 - body.cancels;
  }
  for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(50);
});

function watchPace(bytesPerSecond: (second: number) => number, seconds: number): number | undefined {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const watch = new BodyWatch(() => 10_000);
  const ends: number[] = [];
  let second = 0;
  const body = { size: 5_000_000, giveUp: () => ends.push(second) };
  watch.add(body);
  for (second = 1; second <= seconds; second += 1) {
    body.size += bytesPerSecond(second);
    vi.advanceTimersByTime(1000);
  }
  watch.remove(body);
  return ends[0];
}

test.each([
  ['two kilobytes a second for hours', () => 2000, 8000, undefined],
  ['4 kB every 1.5 s', (second: number) => (second % 3 === 0 ? 0 : 4000), 4000, undefined],
  // 10 s and one more for each kilobyte: 10 + 20 * 0.5.
  ['half a kilobyte a second', () => 500, 4000, 20],
  ['nothing', () => 0, 4000, 10],
  // Data read quickly counts for one window only.
  ['100 MB, then 100 bytes a second', (second: number) => (second <= 10 ? 10_000_000 : 100), 4000, 22],
])('B26 a client that reads %s', (_, bytesPerSecond, seconds, expected) => {
  expect(watchPace(bytesPerSecond, seconds)).toBe(expected);
});
