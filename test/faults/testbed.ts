// A testbed for faults: a private PostgreSQL, a network that can be disturbed, and the server as a process behind it.
// Tests inject faults and inspect the state afterwards.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { type Answer, sendRequest, type RequestParts } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { runSql } from '../support/database.ts';
import {
  findFreePort,
  type ServerOptions,
  type ServerProcess,
  startServerProcess,
  type LaunchOptions,
} from '../support/server-process.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

export const POOL = 4;

const SCHEMA = `
  create role gate login noinherit;
  create role anon nologin;
  grant anon to gate;
  create schema api;
  grant usage on schema api to anon;
  create table api.ledger (id bigint primary key, note text);
  grant select, insert, update, delete on api.ledger to anon;
  create table api.slots (id int primary key, place int unique deferrable initially deferred);
  insert into api.slots values (1, 1);
  grant select, insert on api.slots to anon;
  create function api.nap(seconds float8) returns text language sql volatile as 'select pg_sleep(seconds)::text';
  create function api.nap_reading(seconds float8) returns text language sql stable as 'select pg_sleep(seconds)::text';
  create function api.raise(state text, text text) returns void language plpgsql volatile as
    $$ begin raise exception using errcode = state, message = text; end $$;
`;

export interface StageOptions {
  readonly server?: ServerOptions;
  readonly surroundings?: LaunchOptions;
  /** Parameters of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
}

export class Testbed {
  readonly proxy: TcpProxy;
  readonly #folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #port: number;
  #postgres: EmbeddedPostgres | undefined;
  #server: ServerProcess | undefined;

  private constructor(
    parts: Pick<Testbed, 'proxy'> & { readonly folder: string; readonly port: number },
    options: StageOptions,
  ) {
    this.proxy = parts.proxy;
    this.#folder = parts.folder;
    this.#port = parts.port;
    this.#settings = { fsync: 'off', ...options.settings };
  }

  static async open(options: StageOptions = {}): Promise<Testbed> {
    const port = await findFreePort();
    const folder = path.join(os.tmpdir(), `rowhouse-faults-${randomBytes(6).toString('hex')}`);
    const proxy = await startTcpProxy({ host: '127.0.0.1', port });
    const testbed = new Testbed({ proxy, folder, port }, options);
    await testbed.startDatabase();
    await runSql(testbed.databaseUri, SCHEMA);
    await testbed.startServer(options);
    return testbed;
  }

  /** Superuser connection that bypasses the disturbed network. */
  get databaseUri(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  get folder(): string {
    return this.#folder;
  }

  get server(): ServerProcess {
    if (this.#server === undefined) throw new Error('the server has not been started');
    return this.#server;
  }

  get postmaster(): number {
    if (this.#postgres === undefined) throw new Error('the database has not been started');
    return this.#postgres.pid;
  }

  async startDatabase(): Promise<void> {
    const started = await startEmbeddedPostgres({
      dataFolder: this.#folder,
      binFolder: process.env['ROWHOUSE_TEST_PG_BIN'],
      port: this.#port,
      settings: this.#settings,
      isTemporary: false,
    });
    if (!started.ok) throw new Error(renderEmbeddedError(started.error));
    this.#postgres = started.value;
  }

  async stopDatabase(): Promise<void> {
    await this.#postgres?.stop();
    this.#postgres = undefined;
  }

  async startServer({ server = {}, surroundings = {} }: StageOptions = {}): Promise<void> {
    const options = {
      'db-uri': `postgresql://gate@127.0.0.1:${this.proxy.port}/postgres`,
      'db-schemas': 'api',
      'db-anon-role': 'anon',
      'db-pool': POOL,
      'db-config': false,
      // Requests that wait for the end of a fault are to wait.
      'server-max-wait': 0,
      ...server,
    };
    this.#server = await startServerProcess(options, surroundings);
  }

  ask(target: string, parts?: RequestParts): Promise<Answer> {
    return sendRequest({ host: '127.0.0.1', port: this.server.port, path: target }, parts);
  }

  /** Runs one or more statements as the superuser. */
  sql(text: string): Promise<void> {
    return runSql(this.databaseUri, text);
  }

  async query(text: string): Promise<readonly (readonly unknown[])[]> {
    return withConnection(
      this.databaseUri,
      async (client) => (await client.query({ text, rowMode: 'array' })).rows as unknown[][],
    );
  }

  async isReady(): Promise<boolean> {
    const { status } = await sendRequest({ host: '127.0.0.1', port: this.server.adminPort, path: '/ready' });
    return status === 200;
  }

  async gauges(): Promise<Readonly<Record<string, number>>> {
    const { text } = await sendRequest({ host: '127.0.0.1', port: this.server.adminPort, path: '/metrics' });
    const lines = [...text.matchAll(/^svc_db_pool_(\w+) (\S+)$/gmu)];
    return Object.fromEntries(lines.map(([, name = '', value]) => [name, Number(value)]));
  }

  /** Returns the resident memory of the server in megabytes. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.server.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
  }

  /** Returns the number of the service's sessions that match a condition on `pg_stat_activity`. */
  async sessions(condition: string): Promise<number> {
    const [row] = await this.query(
      `select count(*)::int from pg_stat_activity where usename = 'gate' and ${condition}`,
    );
    return Number(row?.[0]);
  }

  /** Returns the milliseconds from the end of `healing` until a request succeeds and the service reports ready. */
  async recovery(healing: () => Promise<unknown>): Promise<number> {
    await healing();
    const start = performance.now();
    await until(async () => (await this.ask('/ledger?limit=1').catch(() => undefined))?.status === 200, {
      why: () => `an answer of status 200 after the fault in ${this.server.output().stderr.slice(-2000)}`,
    });
    await until(() => this.isReady(), { why: () => `/ready to be 200 in ${this.server.output().stderr.slice(-2000)}` });
    return performance.now() - start;
  }

  /** Waits until every connection of the pool is usable, nothing runs or waits, and no process holds extra sessions. */
  async becomesWhole(): Promise<void> {
    let seen: unknown;
    await until(
      async () => {
        await Promise.all(Array.from({ length: POOL }, () => this.ask('/rpc/nap_reading?seconds=0.05')));
        const { available, waiting } = await this.gauges();
        const pooled = await this.sessions(`query !~* '^listen'`);
        const active = await this.sessions(`state <> 'idle'`);
        const listening = await this.sessions(`query ~* '^listen'`);
        seen = { available, waiting, pooled, active, listening };
        return available === POOL && waiting === 0 && pooled === POOL && active === 0 && listening === 1;
      },
      { why: () => `a whole pool of ${POOL}, but ${JSON.stringify(seen)}` },
    );
  }

  async close(): Promise<void> {
    this.proxy.clear();
    await this.#server?.stop();
    await this.proxy.close();
    await this.stopDatabase();
  }
}
