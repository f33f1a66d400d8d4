// Creates databases in the PostgreSQL of the test run: an empty one per file, or a clone of a template.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client, escapeIdentifier } from 'pg';
import { inject } from 'vitest';
import { endKeptSession, withKeptSession } from './kept-sessions.ts';
import { whenOver } from './use.ts';
import { withConnection, withDatabase } from '../../tools/embedded/script/sql-session.ts';

export interface TestDatabase {
  /** Superuser connection. */
  readonly uri: string;
  readonly name: string;
  /** Drops the database and terminates its sessions. */
  drop(): Promise<void>;
}

/** Superuser connection to the database `postgres`. */
export function adminUri(): string {
  return inject('databaseUri');
}

export interface DatabaseOptions {
  /** The database to clone. It must have no connections. */
  readonly template?: string;
  /** Defaults to UTF8. */
  readonly encoding?: string;
  /** Superuser connection to the PostgreSQL; defaults to that of the test run. */
  readonly server?: string;
}

/** Creates a database that sorts text by code point, with the time zone UTC. */
export async function createDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = escapeIdentifier(options.template ?? 'template0');
  const encoding = options.encoding === undefined ? '' : `encoding '${options.encoding}' lc_collate 'C' lc_ctype 'C'`;
  const server = options.server ?? adminUri();
  if (options.template !== undefined) await endKeptSession(withDatabase(server, options.template));
  await runInTurn(
    server,
    `create database ${name} template ${template} ${encoding} ${inject('databaseStrategy')}`,
    `alter database ${name} set timezone to 'UTC'`,
  );
  return {
    uri: withDatabase(server, name),
    name,
    drop: () => runInTurn(server, `drop database if exists ${name} with (force)`),
  };
}

async function runInTurn(uri: string, ...statements: readonly string[]): Promise<void> {
  await withKeptSession(uri, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/**
 * Creates roles for the file. Call it before a database is created that depends on them: they are dropped after it.
 *
 * @param suffixes distinguish the roles, which have a random name
 * @returns their names, in the same order
 */
export async function useRoles<const T extends readonly string[]>(...suffixes: T): Promise<{ [K in keyof T]: string }> {
  const prefix = `test_${randomBytes(6).toString('hex')}`;
  const roles = suffixes.map((suffix) => `${prefix}_${suffix}`);
  await runSql(adminUri(), roles.map((role) => `create role ${role}`).join('; '));
  whenOver(() => runSql(adminUri(), `drop role ${roles.join(', ')}`));
  return roles as { [K in keyof T]: string };
}

/** Returns the major version of the PostgreSQL of the test run. */
export async function serverVersion(): Promise<number> {
  const statement = `select current_setting('server_version_num')::int / 10000 as version`;
  const { rows } = await withKeptSession(adminUri(), (client) => client.query<{ readonly version: number }>(statement));
  return rows[0]?.version ?? 0;
}

/** Opens a session that the caller ends. */
export async function connect(uri: string): Promise<Client> {
  const client = new Client({ connectionString: uri });
  await client.connect();
  return client;
}

/** Runs one or more statements, in one transaction unless they control transactions themselves. */
export async function runSql(uri: string, sql: string): Promise<void> {
  await withKeptSession(uri, (client) => client.query(sql));
}

export async function loadFixture(uri: string, file: string): Promise<void> {
  await runRoleSql(uri, await readFile(file, 'utf8'));
}

/** Any number works: no other test takes advisory locks in the database `postgres`. */
const ROLES_LOCK = 7_001;

/** Runs SQL that creates or grants roles. Roles are shared by all databases, so only one such script runs at a time. */
export async function runRoleSql(uri: string, sql: string): Promise<void> {
  await withConnection(adminUri(), async (lock) => {
    await lock.query(`select pg_advisory_lock(${ROLES_LOCK})`);
    await runSql(uri, sql);
  });
}
