// A server and its database, and the invariants that must hold after every response, however it ended.
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { assert } from 'vitest';
import type { Harbor } from '../support/harbor.ts';
import { post } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { type Conversation, SECONDS, SocketConversation } from './conversation.ts';
import { type Host, type Stage, startHost, permitsOf } from './hosts.ts';
import { connect } from '../support/database.ts';

const NDJSON = { Accept: 'application/x-ndjson' };

/** The state of PostgreSQL and the server. */
interface Snapshot {
  /** Sessions in PostgreSQL. */
  readonly active: number;
  readonly open: number;
  /** Connections of the pool. */
  readonly available: number;
  readonly waiting: number;
  /** Requests in flight. */
  readonly inFlight: number;
}

interface SceneParts {
  readonly harbor: Harbor;
  /** A superuser connection. */
  readonly observer: Client;
  readonly application: string;
  readonly host: Host;
}

export class Scene {
  readonly stage: Stage;
  readonly harbor: Harbor;
  readonly #observer: Client;
  #application: string;
  /** Whether a cell has ended connections: the main process of workers may then have none. */
  #hasTerminated = false;
  #host: Host;

  private constructor(stage: Stage, parts: SceneParts) {
    this.stage = stage;
    this.harbor = parts.harbor;
    this.#observer = parts.observer;
    this.#application = parts.application;
    this.#host = parts.host;
  }

  static async open(stage: Stage, harbor: Harbor): Promise<Scene> {
    const application = nameApplication();
    const observer = await connect(harbor.adminUri);
    return new Scene(stage, { harbor, observer, application, host: await startHost(stage, harbor, application) });
  }

  get host(): Host {
    return this.#host;
  }

  /** Number of concurrent streams per process. */
  get permits(): number {
    return permitsOf(this.stage);
  }

  /** Returns the number of the server's sessions that match a condition on `pg_stat_activity`. */
  async sessions(condition: string): Promise<number> {
    const { rows } = await this.#observer.query<{ readonly count: number }>(
      `select count(*)::int from pg_stat_activity where application_name = '${this.#application}' and ${condition}`,
    );
    return rows[0]?.count ?? 0;
  }

  async untilSessions(condition: string, count = 1): Promise<void> {
    const why = (): string => `${count} sessions with ${condition}`;
    await until(async () => (await this.sessions(condition)) >= count, { seconds: SECONDS, why });
  }

  /** Terminates the sessions that wait for a client to read, once there are any: the server may read ahead. */
  async terminate(): Promise<void> {
    this.#hasTerminated = true;
    const text = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = '${this.#application}' and wait_event = 'ClientWrite'`;
    const isDone = async (): Promise<boolean> => ((await this.#observer.query(text)).rowCount ?? 0) > 0;
    await until(isDone, { seconds: SECONDS, why: () => 'a session that waits for its client' });
  }

  /** Checks that other clients are served, whatever a slow one does. */
  async servesOthers(): Promise<void> {
    const answers = await Promise.all([1, 2].map(() => this.#host.ask('/berth?id=eq.1')));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  }

  /**
   * Checks that nothing runs or waits, every connection is usable, and the number of concurrent streams is unchanged.
   */
  async expectWhole(): Promise<void> {
    await this.#untilIdle();
    const { pool, workers } = this.stage;
    if (this.permits > 0) await this.#expectPermits(this.permits * workers);
    const naps = Array.from({ length: pool }, () => this.#host.ask('/rpc/nap', post({ seconds: 0.01 })));
    const found = (await Promise.all(naps)).map(({ status, text }) => (status === 200 ? '' : text));
    assert.deepEqual(
      found.filter((text) => text !== ''),
      [],
    );
    await this.#untilIdle();
  }

  /** Replaces a damaged server with a new one for the next cell. */
  async renew(): Promise<void> {
    await this.#host.stop();
    this.#application = nameApplication();
    this.#hasTerminated = false;
    this.#host = await startHost(this.stage, this.harbor, this.#application);
  }

  async close(): Promise<void> {
    await this.#host.stop();
    await this.#observer.end();
  }

  async #untilIdle(): Promise<void> {
    // The main process of workers has a connection of its own, unless a cell has ended it.
    const own = this.stage.workers > 1 ? 1 : 0;
    const isWhole = (available: number, open: number): boolean =>
      available === open - own || (this.#hasTerminated && available === open);
    let seen: Snapshot | undefined;
    await until(
      async () => {
        const { active, waiting, available, inFlight, open } = (seen = await this.#look());
        return active === 0 && waiting === 0 && inFlight === 0 && isWhole(available, open);
      },
      { seconds: SECONDS, why: () => `an idle server, but ${JSON.stringify(seen)}` },
    );
  }

  async #look(): Promise<Snapshot> {
    const { rows } = await this.#observer.query<Pick<Snapshot, 'active' | 'open'>>(
      `select count(*) filter (where state <> 'idle')::int as active, count(*)::int as open from pg_stat_activity
        where application_name = '${this.#application}'`,
    );
    const text = await this.#host.metrics();
    const read = (name: string): number => Number(new RegExp(`^svc_${name} (.*)$`, 'mu').exec(text)?.[1]);
    return {
      active: rows[0]?.active ?? 0,
      open: rows[0]?.open ?? 0,
      waiting: read('db_pool_waiting'),
      available: read('db_pool_available'),
      inFlight: read('http_requests_in_flight'),
    };
  }

  /** Checks that no stream permit was released twice: further streams have to wait. */
  async expectNoMorePermits(): Promise<void> {
    const count = this.permits * this.stage.workers;
    const isAsleep = `wait_event = 'PgSleep'`;
    const streams = Array.from({ length: count + 3 }, () => this.#openStream());
    try {
      await this.untilSessions(isAsleep, count);
      for (let round = 0; round < 5; round += 1) await this.servesOthers();
      assert.equal(await this.sessions(isAsleep), count);
    } finally {
      for (const stream of streams) stream.leave('reset');
    }
    await this.#untilIdle();
  }

  #openStream(): Conversation {
    const question = { method: 'GET', target: '/opening', headers: NDJSON };
    return new SocketConversation({ port: this.#host.port, version: '1.1', count: 1 }, question);
  }

  async #expectPermits(count: number): Promise<void> {
    const streams: Conversation[] = [];
    try {
      for (let index = 0; index < count; index += 1) {
        const stream = this.#openStream();
        streams.push(stream);
        await stream.received(1);
      }
      await this.untilSessions(`wait_event = 'PgSleep'`, count);
    } finally {
      for (const stream of streams) stream.leave('reset');
    }
    await this.#untilIdle();
  }
}

/** A unique name, so that sessions of an abandoned server do not count for the next one. */
function nameApplication(): string {
  return `endings-${randomBytes(4).toString('hex')}`;
}
