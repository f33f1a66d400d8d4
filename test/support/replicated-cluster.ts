// A PostgreSQL primary with streaming replicas, in a temporary folder.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { until } from './until.ts';
import { runSql } from './database.ts';

const SETTINGS: Readonly<Record<string, string>> = { fsync: 'off', autovacuum: 'off', max_wal_senders: '10' };

type Settings = Readonly<Record<string, string>>;

/** @param source a data folder whose PostgreSQL has stopped */
function copyCluster(source: string, target: string): void {
  mkdirSync(target);
  // Not cpSync: the files may belong to another user than the one who runs the tests.
  execFileSync('cp', ['-a', path.join(source, 'pgdata'), target]);
  rmSync(path.join(target, 'pgdata/postmaster.opts'), { force: true });
}

/** One PostgreSQL server, which can be stopped and restarted on the same port. */
export class Member {
  readonly #folder: string;
  #settings: Settings;
  #running: EmbeddedPostgres | undefined;
  #port: number | undefined;

  constructor(folder: string, settings: Settings = {}) {
    this.#folder = folder;
    this.#settings = settings;
  }

  get port(): number {
    if (this.#port === undefined) throw new Error('the server has not been started');
    return this.#port;
  }

  /** Superuser connection. */
  get uri(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const started = await startEmbeddedPostgres({
      dataFolder: this.#folder,
      port: this.#port ?? 'free',
      settings: { ...SETTINGS, ...this.#settings },
      binFolder: process.env['ROWHOUSE_TEST_PG_BIN'],
    });
    if (!started.ok) throw new Error(renderEmbeddedError(started.error));
    this.#running = started.value;
    this.#port = started.value.port;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
  }

  /** Stops the server immediately, like a crash. */
  async kill(): Promise<void> {
    if (this.#running !== undefined) process.kill(this.#running.pid, 'SIGQUIT');
    await this.#running?.stop();
  }

  /** Restarts the server as a standby of `primary`. */
  async follow({ port }: Member): Promise<void> {
    await this.stop();
    this.#settings = { ...this.#settings, primary_conninfo: renderOrigin(port) };
    await this.start();
  }

  async sql(text: string): Promise<void> {
    await runSql(this.uri, text);
  }

  /** Returns the first column of the first row. */
  async value(text: string): Promise<string> {
    const rows = await withConnection(
      this.uri,
      async (client) => (await client.query({ text, rowMode: 'array' })).rows as unknown[][],
    );
    return String(rows[0]?.[0]);
  }

  async hasReached(lsn: string): Promise<boolean> {
    return (await this.value(`select pg_last_wal_replay_lsn() >= '${lsn}'`)) === 'true';
  }
}

export class ReplicatedCluster {
  readonly primary: Member;
  readonly replicas: readonly Member[];
  readonly #folder: string;

  private constructor(folder: string, primary: Member, replicas: readonly Member[]) {
    this.#folder = folder;
    this.primary = primary;
    this.replicas = replicas;
  }

  /**
   * @param replicas settings of each replica
   * @param settings of all members
   */
  static async start(sql: string, replicas: readonly Settings[], settings: Settings = {}): Promise<ReplicatedCluster> {
    const folder = path.join(os.tmpdir(), `rowhouse-replicas-${randomBytes(6).toString('hex')}`);
    const primary = new Member(path.join(folder, 'primary'), settings);
    await primary.start();
    await primary.sql(sql);
    await primary.stop();
    const names = replicas.map((_, index) => `replica${index + 1}`);
    // A stopped cluster is a valid base backup of itself.
    for (const name of names) {
      copyCluster(path.join(folder, 'primary'), path.join(folder, name));
      writeFileSync(path.join(folder, name, 'pgdata/standby.signal'), '');
    }
    await primary.start();
    const primary_conninfo = renderOrigin(primary.port);
    const members = replicas.map(
      (own, index) => new Member(path.join(folder, names[index] ?? ''), { ...settings, ...own, primary_conninfo }),
    );
    await Promise.all(members.map((member) => member.start()));
    return new ReplicatedCluster(folder, primary, members);
  }

  /** Waits until the replicas have replayed everything the primary has written. */
  async catchUp(): Promise<void> {
    const lsn = await this.primary.value('select pg_current_wal_flush_lsn()');
    for (const replica of this.replicas) await until(() => replica.hasReached(lsn));
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary, ...this.replicas].map((member) => member.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function renderOrigin(port: number): string {
  return `host=127.0.0.1 port=${port} user=postgres`;
}
