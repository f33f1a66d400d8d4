// Starts a server over a fresh copy of the writing fixture, for tests that inspect both its socket and its database.
import { fileURLToPath } from 'node:url';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { createDatabase, loadFixture, runSql } from '../support/database.ts';
import { startServerProcess, type ServerOptions, type ServerProcess } from '../support/server-process.ts';
import type { ConformanceStep } from './conformance-case.ts';
import { SECRET, sendStep, type RawResponse } from './send-step.ts';

const FIXTURE = fileURLToPath(new URL('cases/writing.sql', import.meta.url));

export type Row = Readonly<Record<string, unknown>>;

export interface Service {
  /** Superuser connection to the database. */
  readonly uri: string;
  readonly server: ServerProcess;
  send(step: ConformanceStep): Promise<RawResponse>;
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  stop(): Promise<void>;
}

/**
 * @param sql SQL that the superuser runs after the fixture; @param route maps the connection string to the one that the
 * server uses
 */
export async function serveWriting(
  options: ServerOptions = {},
  sql = '',
  route: (uri: string) => string = loginUri,
): Promise<Service> {
  const database = await createDatabase();
  await loadFixture(database.uri, FIXTURE);
  if (sql !== '') await runSql(database.uri, sql);
  const server = await startServerProcess({
    'db-uri': route(database.uri),
    'db-schemas': 'api',
    'db-anon-role': 'web_anon',
    'jwt-secret': SECRET,
    'db-config': false,
    'log-level': 'crit',
    ...options,
  });
  return {
    uri: database.uri,
    server,
    send: (step) => sendStep(server.port, step, []),
    query: (text, values = []) =>
      withConnection(database.uri, async (client) => (await client.query<Row>(text, [...values])).rows),
    stop: async () => {
      await server.stop();
      await database.drop();
    },
  };
}

/** Returns the connection string of the login role. */
export function loginUri(uri: string): string {
  return Object.assign(new URL(uri), { username: 'rowhouse_gate', password: '' }).href;
}
