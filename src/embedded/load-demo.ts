// Fills the embedded PostgreSQL: the demo's database on the first start, the demo's roles for databases of one's own.
import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { withConnection, withDatabase } from './script/sql-session.ts';

export const DEMO_DATABASE = 'demo';

// A comment on the database is written in the transaction that loads the demo: there is no half of it. Whoever drops the
// demo's tables to make room for their own does not get them back.
const MARK = 'The demo of Rowhouse';

/** Whether the demo was loaded by this call. `uri`: superuser. */
export async function loadDemo(uri: string): Promise<boolean> {
  await createDatabase(uri, DEMO_DATABASE);
  return await withConnection(withDatabase(uri, DEMO_DATABASE), async (client) => {
    const { rowCount } = await client.query(
      `select from pg_database where datname = current_database() and shobj_description(oid, 'pg_database') is not null`,
    );
    if (rowCount !== 0) return false;
    // From the folder above: a bundle lies beside this one.
    const script = await readFile(new URL('../embedded/demo.sql', import.meta.url), 'utf8');
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

/** Nothing happens when it exists. */
export async function createDatabase(uri: string, name: string): Promise<void> {
  if (await hasDatabase(uri, name)) return;
  await withConnection(uri, (client) =>
    client.query(`create database ${client.escapeIdentifier(name)} template template0`),
  );
}

export async function setAuthenticatorPassword(uri: string, password: string): Promise<void> {
  await withConnection(uri, (client) => client.query(`alter role rowhouse password ${client.escapeLiteral(password)}`));
}

/** Lets visitors read and users write every table of a database that knows nothing of the demo's roles. */
export async function openToDemoRoles(uri: string): Promise<void> {
  await withConnection(uri, async (client) => {
    const { rows } = await client.query<{ readonly name: string }>(
      `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
    );
    await client.query(rows.map(({ name }) => renderGrants(client.escapeIdentifier(name))).join('\n'));
  });
}

/** Tells a server that serves this database to look at it again. */
export async function announceChange(uri: string, channel: string): Promise<void> {
  await withConnection(uri, (client: Client) => client.query('select pg_notify($1, $2)', [channel, 'reload schema']));
}

function renderGrants(schema: string): string {
  return `grant usage on schema ${schema} to demo_anon, demo_user;
    grant select on all tables in schema ${schema} to demo_anon;
    grant select, insert, update, delete on all tables in schema ${schema} to demo_user;
    grant usage on all sequences in schema ${schema} to demo_user;`;
}
