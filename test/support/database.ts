// Databases of the run's one PostgreSQL, for tests: a fresh one per file, or a clone of a prepared one.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { escapeIdentifier } from 'pg';
import { inject } from 'vitest';
import { withConnection, withDatabase } from '../../src/embedded/script/sql-session.ts';

export interface TestDatabase {
  /** Superuser connection. */
  readonly uri: string;
  readonly name: string;
  /** Ends every session of it. */
  drop(): Promise<void>;
}

/** Superuser connection to the database `postgres`. */
export function adminUri(): string {
  return inject('databaseUri');
}

export interface DatabaseOptions {
  /** The database to clone, which nobody may be connected to. */
  readonly template?: string;
  /** UTF8 by default. */
  readonly encoding?: string;
}

/** Creates a database that is sorted by code point, with the time zone UTC. */
export async function createDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = escapeIdentifier(options.template ?? 'template0');
  const encoding = options.encoding === undefined ? '' : `encoding '${options.encoding}' lc_collate 'C' lc_ctype 'C'`;
  await runSql(adminUri(), `create database ${name} template ${template} ${encoding}`);
  await runSql(adminUri(), `alter database ${name} set timezone to 'UTC'`);
  return {
    uri: withDatabase(adminUri(), name),
    name,
    drop: () => runSql(adminUri(), `drop database if exists ${name} with (force)`),
  };
}

/** Major version of the run's PostgreSQL. */
export async function serverVersion(): Promise<number> {
  const statement = `select current_setting('server_version_num')::int / 10000 as version`;
  const { rows } = await withConnection(adminUri(), (client) => client.query<{ readonly version: number }>(statement));
  return rows[0]?.version ?? 0;
}

/** One or many statements, in one transaction unless they say otherwise. */
export async function runSql(uri: string, sql: string): Promise<void> {
  await withConnection(uri, (client) => client.query(sql));
}

export async function loadFixture(uri: string, file: string): Promise<void> {
  await runRoleSql(uri, await readFile(file, 'utf8'));
}

/** Arbitrary: no other test takes advisory locks in the database `postgres`. */
const ROLES_LOCK = 7_001;

/** SQL that makes or grants roles: they belong to all databases, and two scripts at once would trip over each other. */
export async function runRoleSql(uri: string, sql: string): Promise<void> {
  await withConnection(adminUri(), async (lock) => {
    await lock.query(`select pg_advisory_lock(${ROLES_LOCK})`);
    await runSql(uri, sql);
  });
}
