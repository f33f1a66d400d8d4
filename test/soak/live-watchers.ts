// Clients of live rows: each watches a read for some seconds, leaves, and watches another.
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Random } from '../support/generate/random.ts';
import { ITEMS, type User } from './soak-schema.ts';

const WATCHERS = 24;
/** Milliseconds. */
const LONGEST_WATCH = 8000;
/** Few enough that clients share groups. */
const URLS: readonly string[] = [
  '/items?select=id,c1,c9&order=id.desc&limit=20',
  '/items?select=id,c1,kinds(name)&id=lt.10',
  ...Array.from({ length: 12 }, (_, index) => `/events?item_id=eq.${1 + ((index * 97) % ITEMS)}`),
];
const USERS_WHO_WATCH = 4;

export class LiveWatchers {
  readonly problems: string[] = [];
  events = 0;
  readonly #port: number;
  readonly #users: readonly User[];
  readonly #random: Random;
  readonly #agent: http.Agent = new http.Agent();
  #isStopped = false;
  #watchers: readonly Promise<void>[] = [];

  constructor(port: number, users: readonly User[], seed: number) {
    this.#port = port;
    this.#users = users.slice(0, USERS_WHO_WATCH);
    this.#random = new Random(seed);
  }

  /** Resolves once a stream has sent its first event, so that the server follows the log. */
  async open(): Promise<void> {
    while ((await this.#watch(Date.now() + LONGEST_WATCH, 1)) === 0) await setTimeout(100);
  }

  start(): void {
    this.#watchers = Array.from({ length: WATCHERS }, () => this.#keepWatching());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#agent.destroy();
    await Promise.all(this.#watchers);
  }

  async #keepWatching(): Promise<void> {
    while (!this.#isStopped) {
      this.events += await this.#watch(Date.now() + this.#random.roll(LONGEST_WATCH), Infinity);
      await setTimeout(this.#random.roll(200));
    }
  }

  /** @returns the number of events; 0 as well if the server cannot serve streams now */
  async #watch(end: number, most: number): Promise<number> {
    const { authorization } = this.#random.pick(this.#users);
    const path = this.#random.pick(URLS);
    const request = http.get({
      host: '127.0.0.1',
      port: this.#port,
      path,
      agent: this.#agent,
      headers: { ...authorization, Accept: 'text/event-stream', Connection: 'close' },
      signal: AbortSignal.timeout(Math.max(1, end - Date.now())),
    });
    let events = 0;
    try {
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      // A restarted database or a slot that is still being created.
      if (response.statusCode !== 200 && response.statusCode !== 503)
        this.problems.push(`GET ${path} as a stream: status ${response.statusCode}`);
      for await (const chunk of response) {
        events += String(chunk).split('\nevent: ').length;
        if (response.statusCode !== 200) events = 0;
        if (events >= most) break;
      }
    } catch {
      // Streams end when the client has watched long enough, and when the database restarts.
    }
    request.destroy();
    return events;
  }
}
