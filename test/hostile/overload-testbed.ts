// The server as a separate process, clients in this process that overload it, and one well-behaved client. All share
// the machine: the test measures not peak performance, but whether the server stays fair and correct under overload.
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { assert } from 'vitest';
import { createHarbor, type Harbor } from '../support/harbor.ts';
import { until } from '../support/until.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { AnswerTally } from './tally.ts';
import { WireClient } from './wire-client.ts';

export const POOL = 4;
/** Number of requests that may always wait, however slow their statements are. */
const MIN_QUEUE = 50;
const ROWS = 1000;

const SCHEMA = (anon: string): string => `
  create table api.numbered (id int primary key, note text);
  insert into api.numbered select n, repeat('x', 100) from generate_series(1, ${ROWS}) n;
  grant select on api.numbered to ${anon};
  create function api.slow_echo(id int, seconds float8) returns int language sql stable as 'select id from pg_sleep(seconds)';
  create function api.large(size int) returns text language sql stable as $$ select repeat('x', size) $$;
`;

/** A question whose response identifies it. */
export interface Numbered {
  readonly target: string;
  readonly body: string;
}

export function rowByKey(index: number): Numbered {
  const id = 1 + (index % ROWS);
  return { target: `/numbered?select=id&id=eq.${id}`, body: `[{"id":${id}}]` };
}

export function slowEcho(index: number): Numbered {
  return { target: `/rpc/slow_echo?id=${index}&seconds=0.05`, body: String(index) };
}

export class OverloadTestbed {
  readonly #harbor: Harbor;
  readonly #server: ServerProcess;

  private constructor(harbor: Harbor, server: ServerProcess) {
    this.#harbor = harbor;
    this.#server = server;
  }

  static async open(): Promise<OverloadTestbed> {
    const harbor = await createHarbor();
    await harbor.sql(SCHEMA(harbor.anon));
    const server = await startServerProcess({
      'db-uri': harbor.uri,
      'db-schemas': 'api',
      'db-anon-role': harbor.anon,
      'db-pool': POOL,
      'log-level': 'warn',
    });
    return new OverloadTestbed(harbor, server);
  }

  get port(): number {
    return this.#server.port;
  }

  /** Runs `work` next to a client that sends one question after another. @returns that client's responses */
  async beside(work: () => Promise<unknown>): Promise<AnswerTally> {
    const tally = new AnswerTally();
    const neighbor = await WireClient.open(this.port);
    const end = new AbortController();
    const run = async (): Promise<void> => {
      for (let index = 0; !end.signal.aborted; index += 1) {
        const { target, body } = rowByKey(index);
        const start = performance.now();
        tally.add(await neighbor.ask(target), body, performance.now() - start);
        // A rejected client retries, a little sooner than Retry-After says.
        if (tally.count(503) > 0) await setTimeout(5);
      }
    };
    const running = run();
    try {
      await work();
    } finally {
      end.abort();
      await running;
      neighbor.reset();
    }
    return tally;
  }

  /**
   * Checks that nothing remains of the overload: the pool is whole, and exactly as many requests may wait as initially.
   */
  async expectWhole(): Promise<void> {
    // Requests still being answered count as waiting.
    await until(async () => (await this.#metric('http_requests_in_flight')) === 0);
    const hold = await this.#harbor.hold();
    const clients = await WireClient.openMany(this.port, MIN_QUEUE + 1);
    const [last, ...others] = clients as [WireClient, ...WireClient[]];
    try {
      const answers = others.map((client) => client.ask('/rpc/wait_reading'));
      await hold.waiting(POOL);
      // Not all of them wait for the pool: if most reads are fast, a read may be sent after one that waits.
      await until(async () => (await this.#metric('http_requests_in_flight')) === MIN_QUEUE);
      // The speed of the queue is evaluated after 0.1 s of observation.
      await setTimeout(150);
      assert.equal((await last.ask('/numbered?limit=0')).status, 503);
      await hold.release();
      assert.deepEqual(
        (await Promise.all(answers)).map(({ status }) => status),
        answers.map(() => 200),
      );
    } finally {
      for (const client of clients) client.reset();
    }
    await until(async () => (await this.#metric('db_pool_available')) === POOL);
    assert.notMatch(this.#server.output().stderr, /panic|fatal|unhandled|\n {4}at /iu);
  }

  /** Resident memory in megabytes: current and peak. */
  async memory(): Promise<{ readonly now: number; readonly peak: number }> {
    const status = await readFile(`/proc/${this.#server.pid}/status`, 'utf8');
    const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`, 'u').exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  }

  async close(): Promise<number | null> {
    const code = await this.#server.stop();
    await this.#harbor.drop();
    return code;
  }

  async #metric(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.#server.adminPort}/metrics`)).text();
    return Number(new RegExp(`^svc_${name} (.*)$`, 'mu').exec(text)?.[1]);
  }
}
