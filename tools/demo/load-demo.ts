// Loads the demo into the embedded PostgreSQL on the first start, grants its roles access to users' own databases, and
// publishes tables.
import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { withConnection, withDatabase } from '../embedded/script/sql-session.ts';
import {
  decodeLiveSetup,
  LIVE_PUBLICATION,
  LIVE_SETUP_SQL,
  renderPublication,
} from '../../src/extensions/live/publication.ts';

export const DEMO_DATABASE = 'demo';

// The transaction that loads the demo comments on the database, so a partial load is never mistaken for a complete one.
// The comment also prevents loading again after a user drops the demo's tables.
const MARK = 'The demo of Rowhouse';

/** @param uri connects as superuser. @returns whether this call loaded the demo */
export async function loadDemo(uri: string): Promise<boolean> {
  await createDatabase(uri, DEMO_DATABASE);
  return await withConnection(withDatabase(uri, DEMO_DATABASE), async (client) => {
    const { rowCount } = await client.query(
      `select from pg_database where datname = current_database() and shobj_description(oid, 'pg_database') is not null`,
    );
    if (rowCount !== 0) return false;
    // Via the parent folder, because the bundled module is in a sibling of this folder.
    const script = await readFile(new URL('../demo/demo.sql', import.meta.url), 'utf8');
    const database = client.escapeIdentifier(DEMO_DATABASE);
    await client.query(`begin; ${script}; comment on database ${database} is ${client.escapeLiteral(MARK)}; commit`);
    return true;
  });
}

export async function hasDatabase(uri: string, name: string): Promise<boolean> {
  return await withConnection(uri, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    return rowCount === 1;
  });
}

/** Does nothing if the database exists. */
export async function createDatabase(uri: string, name: string): Promise<void> {
  if (await hasDatabase(uri, name)) return;
  await withConnection(uri, (client) =>
    client.query(`create database ${client.escapeIdentifier(name)} template template0`),
  );
}

/** The login role may also read the log, which reports changes to clients that watch rows. */
export async function prepareAuthenticator(uri: string, password: string): Promise<void> {
  await withConnection(uri, async (client) => {
    // Demos of earlier versions called the role like the program.
    await client.query(`do $$ begin
      if to_regrole('authenticator') is null then alter role rowhouse rename to authenticator; end if; end $$`);
    await client.query(`alter role authenticator replication password ${client.escapeLiteral(password)}`);
  });
}

/** Grants the demo's roles access to all tables of a user's database: read for `demo_anon`, write for `demo_user`. */
export async function grantToDemoRoles(uri: string): Promise<void> {
  await withConnection(uri, async (client) => {
    const { rows } = await client.query<{ readonly name: string }>(
      `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
    );
    await client.query(rows.map(({ name }) => renderGrants(client.escapeIdentifier(name))).join('\n'));
  });
}

/** Notifies a server of this database to reload its schema cache. */
export async function announceChange(uri: string, channel: string): Promise<void> {
  await withConnection(uri, (client: Client) => client.query('select pg_notify($1, $2)', [channel, 'reload schema']));
}

function renderGrants(schema: string): string {
  return `grant usage on schema ${schema} to demo_anon, demo_user;
    grant select on all tables in schema ${schema} to demo_anon;
    grant select, insert, update, delete on all tables in schema ${schema} to demo_user;
    grant usage on all sequences in schema ${schema} to demo_user;`;
}

/** Lets rows be watched: publishes the tables that are not published yet, except those whose UPDATE and DELETE would then fail. */
export async function publishTables(uri: string): Promise<void> {
  await withConnection(uri, async (client) => {
    const { rows } = await client.query<(string | boolean | null)[]>({
      text: LIVE_SETUP_SQL,
      values: [LIVE_PUBLICATION, null],
      rowMode: 'array',
    });
    const texts = rows.map((row) => row.map((value) => (typeof value === 'boolean' ? (value ? 't' : 'f') : value)));
    for (const statement of renderPublication(decodeLiveSetup(texts))) await client.query(statement);
  });
}
