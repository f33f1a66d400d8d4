// The harbor: a small database whose roles belong to one test file, so that role settings in one file do not affect
// another.
import { afterAll, onTestFinished } from 'vitest';
import { createDatabase, type DatabaseOptions, runSql, connect } from './database.ts';
import { withKeptSession } from './kept-sessions.ts';
import { until } from './until.ts';

export interface Harbor {
  /** Connects as the login role. */
  readonly uri: string;
  readonly adminUri: string;
  readonly database: string;
  readonly login: string;
  readonly anon: string;
  readonly user: string;
  /** Runs SQL as the superuser. */
  sql(text: string): Promise<void>;
  query(text: string): Promise<readonly (readonly unknown[])[]>;
  /** Blocks every call of `api.wait` and `api.wait_reading` until released. */
  hold(): Promise<Hold>;
  /** Terminates the login role's sessions that match a condition on `pg_stat_activity`, and waits until they have ended. */
  terminate(condition: string): Promise<void>;
  drop(): Promise<void>;
}

export interface Hold {
  /** Resolves once exactly `count` calls are blocked. */
  waiting(count: number): Promise<void>;
  release(): Promise<void>;
}

/** Creates a harbor for the tests of one file and drops it after the last of them, after the file's other hooks. */
export async function useHarbor(options?: DatabaseOptions): Promise<Harbor> {
  const harbor = await createHarbor(options);
  afterAll(() => harbor.drop());
  return harbor;
}

export async function createHarbor(options: DatabaseOptions = {}): Promise<Harbor> {
  const database = await createDatabase(options);
  const [login, anon, user] = ['gate', 'anon', 'user'].map((suffix) => `${database.name}_${suffix}`) as [
    string,
    string,
    string,
  ];
  await runSql(database.uri, renderFixture({ login, anon, user }));
  return {
    uri: Object.assign(new URL(database.uri), { username: login, password: '' }).href,
    adminUri: database.uri,
    database: database.name,
    login,
    anon,
    user,
    sql: (text) => runSql(database.uri, text),
    query: (text) =>
      withKeptSession(
        database.uri,
        async (client) => (await client.query({ text, rowMode: 'array' })).rows as unknown[][],
      ),
    hold: () => hold(database.uri),
    terminate: (condition) =>
      runSql(
        database.uri,
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity where usename = '${login}' and ${condition}`,
      ),
    drop: async () => {
      await database.drop();
      await runSql(
        Object.assign(new URL(database.uri), { pathname: '/postgres' }).href,
        `drop role ${login}; drop role ${anon}; drop role ${user}`,
      );
    },
  };
}

/** Key of the advisory lock. Any number works: advisory locks are scoped to the database. */
const HELD = 1;

async function hold(uri: string): Promise<Hold> {
  const client = await connect(uri);
  // Release the lock even if the test fails before it does.
  onTestFinished(() => client.end());
  await client.query(`select pg_advisory_lock(${HELD})`);
  const count = `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  return {
    waiting: async (expected) => {
      await until(async () => (await client.query<{ readonly count: number }>(count)).rows[0]?.count === expected);
    },
    release: () => client.end(),
  };
}

interface Roles {
  readonly login: string;
  readonly anon: string;
  readonly user: string;
}

export function renderFixture({ login, anon, user }: Roles): string {
  return `
    create role ${login} login noinherit;
    create role ${anon} nologin;
    create role ${user} nologin;
    grant ${anon}, ${user} to ${login};
    create schema api;
    create schema archive;
    grant usage on schema api, archive to ${anon}, ${user};
    create table api.berth (id int primary key, name text not null);
    insert into api.berth values (1, 'North'), (2, 'South'), (3, 'West');
    create table api.visit (id int primary key, berth_id int references api.berth);
    create table api.ledger (id int primary key);
    create table archive.old_visit (id int primary key);
    grant select on api.berth, api.visit, archive.old_visit to ${anon}, ${user};
    grant insert on api.berth to ${anon};
    create function api.nap(seconds float8) returns text language sql volatile as 'select pg_sleep(seconds)::text';
    create function api.nap_reading(seconds float8) returns text language sql stable as 'select pg_sleep(seconds)::text';
    create function api.wait() returns text language sql volatile as 'select pg_advisory_xact_lock_shared(${HELD})::text';
    create function api.wait_reading() returns text language sql stable as 'select pg_advisory_xact_lock_shared(${HELD})::text';
    create function api.who() returns text language sql stable as 'select current_user::text';
    create function api.setting(name text) returns text language sql stable as 'select current_setting(name, true)';
    create function api.length_of(bytes bytea) returns int language sql immutable as 'select length(bytes)';
    create function api.fail() returns void language plpgsql volatile as
      $$ begin raise exception 'broken' using errcode = 'XX000'; end $$;
    create function api.mark() returns void language sql as 'select 1';
  `;
}
