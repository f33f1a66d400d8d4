// Sends requests at a steady pace over kept-alive connections, whether or not the responses keep up. Measures latencies
// from the time when a request was due, and records unexpected responses.
import { Random } from '../support/generate/random.ts';
import { Wire } from '../support/wire.ts';
import { makeRequest, type SoakRequest } from './soak-requests.ts';
import type { User } from './soak-schema.ts';

export interface LoadWindow {
  readonly count: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const CLIENTS = 32;
/** Milliseconds between checks for requests that are due. */
const TICK = 5;
/** Maximum number of requests that wait for a free connection; more would measure only the queue. */
const LONGEST_QUEUE = 5000;
const MAX_SHOWN = 10;

export class MixedLoad {
  /** The first few unexpected responses. */
  readonly problems: string[] = [];
  problemCount = 0;
  count = 0;
  /** Number of 503 responses while the database was down. */
  excused = 0;
  readonly #users: readonly User[];
  readonly #random: Random;
  readonly #idle: Wire[];
  readonly #leavers: Set<Promise<void>> = new Set<Promise<void>>();
  #latencies: number[] = [];
  #queue: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isDatabaseUnreachable = false;

  constructor(port: number, users: readonly User[], seed: number) {
    this.#users = users;
    this.#random = new Random(seed);
    this.#idle = Array.from({ length: CLIENTS }, () => new Wire(port));
  }

  /** While `work` runs, 503 responses are expected. */
  async excuse(work: () => Promise<void>): Promise<void> {
    this.#isDatabaseUnreachable = true;
    try {
      await work();
    } finally {
      this.#isDatabaseUnreachable = false;
    }
  }

  /** Sends at maximum speed; resolves with the rate per second. */
  async findCapacity(milliseconds: number): Promise<number> {
    const end = performance.now() + milliseconds;
    const before = this.count;
    const wires = this.#idle.splice(0);
    await Promise.all(
      wires.map(async (wire) => {
        while (performance.now() < end) await this.#send(wire, performance.now());
        this.#idle.push(wire);
      }),
    );
    this.takeWindow();
    return ((this.count - before) * 1000) / milliseconds;
  }

  /** @param rate requests per second */
  start(rate: number): void {
    const start = performance.now();
    let due = 0;
    this.#timer = setInterval(() => {
      const now = performance.now();
      for (; due < ((now - start) * rate) / 1000; due += 1)
        if (this.#queue.length < LONGEST_QUEUE) this.#queue.push(start + (due * 1000) / rate);
      this.#work();
    }, TICK);
  }

  /** Returns the figures since the last call. */
  takeWindow(): LoadWindow {
    const sorted = this.#latencies.sort((a, b) => a - b);
    this.#latencies = [];
    const quantile = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? 0;
    return { count: sorted.length, p50: quantile(0.5), p99: quantile(0.99) };
  }

  /** Resolves once all responses have arrived and all connections are closed. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#queue = [];
    await Promise.all(this.#leavers);
    while (this.#idle.length < CLIENTS) await new Promise((resolve) => setTimeout(resolve, TICK));
    for (const wire of this.#idle) wire.close();
  }

  #work(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const wire = this.#idle.pop();
      const due = this.#queue.shift();
      if (wire === undefined || due === undefined) return;
      void this.#send(wire, due).then(() => {
        this.#idle.push(wire);
        this.#work();
      });
    }
  }

  async #send(wire: Wire, due: number): Promise<void> {
    const request = makeRequest(this.#random, this.#users);
    this.count += 1;
    if (request.pause !== undefined) return this.#leave(wire, request, request.pause);
    const wasAway = this.#isDatabaseUnreachable;
    const answer = await wire.ask(request.question).catch((error: unknown) => String(error));
    this.#latencies.push(performance.now() - due);
    const isRight = typeof answer !== 'string' && answer.status === request.status && (request.check?.(answer) ?? true);
    if (isRight) return;
    const isExcused = wasAway || this.#isDatabaseUnreachable;
    if (typeof answer !== 'string' && answer.status === 503 && isExcused) this.excused += 1;
    else this.#fail(request, typeof answer === 'string' ? answer : `${answer.status} ${answer.body.slice(0, 300)}`);
  }

  #leave(wire: Wire, { question }: SoakRequest, pause: number): void {
    const leaving = wire.abandon(question, { pause }).catch(() => undefined);
    this.#leavers.add(leaving);
    void leaving.then(() => this.#leavers.delete(leaving));
  }

  #fail({ question: { method, url } }: SoakRequest, problem: string): void {
    this.problemCount += 1;
    if (this.problems.length < MAX_SHOWN)
      this.problems.push(`${new Date().toISOString()} ${method} ${url}: ${problem}`);
  }
}
