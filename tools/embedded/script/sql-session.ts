// Opens short-lived connections for the setup work of the demo and the tests.
import type { Client } from 'pg';
import { findSchemeFault } from '../../../src/postgres/connect/connection-string.ts';
import { loadDriver } from '../../../src/postgres/connect/load-driver.ts';
import { ConnectError, describeRefusal } from './connect-error.ts';

/** A connection that runs statements, whoever opened it. */
export type SqlClient = Pick<Client, 'query'>;

const CONNECT_TIMEOUT_MS = 5000;

/** Opens a connection, runs `work` with it and closes it. Throws a `ConnectError`, or the driver's errors. */
export async function withConnection<T>(uri: string, work: (client: Client) => Promise<T>): Promise<T> {
  const fault = findSchemeFault(uri);
  if (fault !== undefined)
    throw new ConnectError({
      message: `The URI is not valid: ${fault}.`,
      hint: 'Write postgres://USER@HOST/DATABASE.',
    });
  const driver = loadDriver();
  const client = new driver.Client({ connectionString: uri, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection lost while idle emits this; the next statement fails with the same error.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    // The server would wait for a password.
    client.connection.stream.destroy();
    throw new ConnectError(describeRefusal(client, error), error);
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the database that the URI names. */
export function databaseOf(uri: string): string {
  return decodeURIComponent(new URL(uri).pathname.slice(1));
}

/** Returns the URI with another database. */
export function withDatabase(uri: string, database: string): string {
  const url = new URL(uri);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
