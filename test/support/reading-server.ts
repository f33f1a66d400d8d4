// Starts a server on a database of its own with the reading fixture, and models its schema for the request generators.
import { fileURLToPath } from 'node:url';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { loadRows } from './load-cache.ts';
import { createDatabase, loadFixture, runSql, type TestDatabase } from './database.ts';
import { startServerProcess, type ServerOptions } from './server-process.ts';
import { modelSchema, type SchemaModel } from './generate/schema-model.ts';

const FIXTURE = fileURLToPath(new URL('../conformance/cases/reading.sql', import.meta.url));

export interface ReadingServer {
  readonly port: number;
  readonly schema: SchemaModel;
  stop(): Promise<void>;
}

/** @param sql SQL that the superuser runs after the fixture */
export async function startReadingServer(options: ServerOptions, sql = ''): Promise<ReadingServer> {
  const database = await createDatabase();
  await loadFixture(database.uri, FIXTURE);
  if (sql !== '') await runSql(database.uri, sql);
  const schema = modelSchema(await cacheOf(database), 'api');
  const server = await startServerProcess({
    'db-uri': loginUri(database.uri),
    'db-schemas': 'api',
    'db-anon-role': 'web_anon',
    'log-level': 'crit',
    // Tests send many requests at once, also on busy machines.
    'server-max-wait': 0,
    ...options,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await database.drop();
  };
  return { port: server.port, schema, stop };
}

export async function loadReadingCache(): Promise<SchemaCache> {
  const database = await createDatabase();
  try {
    await loadFixture(database.uri, FIXTURE);
    return await cacheOf(database);
  } finally {
    await database.drop();
  }
}

export function loginUri(uri: string): string {
  return Object.assign(new URL(uri), { username: 'rowhouse_gate', password: '' }).href;
}

async function cacheOf({ uri }: TestDatabase): Promise<SchemaCache> {
  return buildSchemaCache(await loadRows(uri, { schemas: ['api'], extraSearchPath: ['public'] }));
}
