// One superuser connection per worker to the PostgreSQL of the run, for what takes a connection of another database: most
// of the time of `create database` went into two connections of its own.
import { Socket } from 'node:net';
import { Client } from 'pg';

let kept: { readonly uri: string; readonly client: Promise<Client> } | undefined;

/** Runs statements in turn. They must leave no state in the session. */
export async function queryAsAdmin(uri: string, ...statements: readonly string[]): Promise<void> {
  if (kept?.uri !== uri) kept = { uri, client: connect(uri) };
  const client = await kept.client;
  for (const statement of statements) await client.query(statement);
}

async function connect(uri: string): Promise<Client> {
  const client = new Client({ connectionString: uri });
  const forget = (): void => {
    if (kept?.uri === uri) kept = undefined;
  };
  client.on('error', forget);
  client.on('end', forget);
  await client.connect();
  // It must not keep the worker alive.
  if (client.connection.stream instanceof Socket) client.connection.stream.unref();
  return client;
}
