// Serves a SQL fixture: loads it into a fresh database and starts a server process, for the tests of one `describe`
// block.
import { afterAll, beforeAll } from 'vitest';
import { createDatabase, loadFixture, type TestDatabase } from './database.ts';
import { type ServerOptions, type ServerProcess, startServerProcess } from './server-process.ts';

/** Readable only in tests and hooks. */
export interface ServedFixture {
  readonly databaseUri: string;
  /** URL of the API, without a trailing slash. */
  readonly url: string;
}

/** Anonymous requests run as the superuser. */
const COMMON_OPTIONS: ServerOptions = { 'db-anon-role': 'postgres', 'db-config': false };

/** @param fixtures paths of SQL files, loaded in order */
export function useServedFixture(fixtures: readonly string[], options: ServerOptions): ServedFixture {
  let database: TestDatabase | undefined;
  let server: ServerProcess | undefined;
  beforeAll(async () => {
    database = await createDatabase();
    for (const fixture of fixtures) await loadFixture(database.uri, fixture);
    server = await startServerProcess({ ...COMMON_OPTIONS, 'db-uri': database.uri, ...options });
  });
  afterAll(async () => {
    await server?.stop();
    await database?.drop();
  });
  return {
    get databaseUri() {
      return database?.uri ?? '';
    },
    get url() {
      return `http://127.0.0.1:${server?.port}`;
    },
  };
}
