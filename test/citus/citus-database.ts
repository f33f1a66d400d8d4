// Databases for the tests of one file: with Citus on all nodes of a cluster, or the same fixture on plain PostgreSQL.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { splitScript } from '../../tools/console/split-script.ts';
import { withConnection, withDatabase } from '../../tools/embedded/script/sql-session.ts';
import { createDatabase, runRoleSql, runSql, type TestDatabase } from '../support/database.ts';

const TENANTS = readFileSync(fileURLToPath(new URL('tenants.sql', import.meta.url)), 'utf8');
const DISTRIBUTION = /^select create_(?:distributed|reference)_table\(.*$/gmu;

/** Creates an empty database on each node and joins them. @param nodes superuser connections, the coordinator's first */
export async function createCitusDatabase(nodes: readonly string[] = inject('citusNodes')): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const databases = nodes.map((node) => withDatabase(node, name));
  await Promise.all(
    nodes.map(async (node, index) => {
      await runSql(node, `create database ${name} template template0`);
      await runSql(node, `alter database ${name} set timezone to 'UTC'`);
      await runSql(databases[index] ?? '', 'create extension citus');
    }),
  );
  const [uri = '', ...workers] = databases;
  await runSql(uri, `select citus_set_coordinator_host('127.0.0.1', ${new URL(uri).port})`);
  for (const worker of workers) await runSql(uri, `select citus_add_node('127.0.0.1', ${new URL(worker).port})`);
  return {
    uri,
    name,
    drop: async () => {
      for (const node of nodes) await runSql(node, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Loads the tenants into distributed tables. */
export async function createTenants(nodes?: readonly string[]): Promise<TestDatabase> {
  const database = await createCitusDatabase(nodes);
  await runStatements(database.uri, TENANTS);
  return database;
}

/** Runs each statement by itself: Citus distributes no table within several statements that are sent as one. */
export async function runStatements(uri: string, sql: string): Promise<void> {
  await withConnection(uri, async (client) => {
    for (const part of splitScript(sql)) if (part.kind === 'statement') await client.query(part.text);
  });
}

/** Loads the same tenants into tables of one PostgreSQL. */
export async function createPlainTenants(): Promise<TestDatabase> {
  const database = await createDatabase();
  await runRoleSql(database.uri, TENANTS.replaceAll(DISTRIBUTION, ''));
  return database;
}

/** Returns the connection string of the server's login role. */
export function loginUri(uri: string): string {
  return Object.assign(new URL(uri), { username: 'tenant_gate' }).href;
}
