// Superuser connections that a worker keeps between the statements of its tests: most of the time of a statement went into
// a connection of its own.
import { Socket } from 'node:net';
import { Client } from 'pg';

/** How many stay open. Each holds a process of PostgreSQL. */
const MOST = 6;

/** Idle sessions by their URIs; the longest unused first. */
const idle = new Map<string, Client>();

/**
 * Runs `work` in a session that has no state of earlier work.
 *
 * @param work must not end the session
 */
export async function withKeptSession<T>(uri: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await takeSession(uri);
  try {
    return await work(client);
  } finally {
    await keepSession(uri, client);
  }
}

/** For a database that becomes a template, which must have no connections. */
export async function endKeptSession(uri: string): Promise<void> {
  const client = idle.get(uri);
  idle.delete(uri);
  await client?.end();
}

async function takeSession(uri: string): Promise<Client> {
  const client = idle.get(uri);
  idle.delete(uri);
  // A test may have ended the session meanwhile, which only a statement finds for sure.
  return client !== undefined && (await succeeds(client, '')) ? client : connect(uri);
}

async function keepSession(uri: string, client: Client): Promise<void> {
  // It fails within a transaction.
  const isClean = await succeeds(client, 'discard all');
  if (!isClean || idle.has(uri)) return client.end();
  idle.set(uri, client);
  const [oldest = ''] = idle.keys();
  if (idle.size > MOST) await endKeptSession(oldest);
}

async function succeeds(client: Client, statement: string): Promise<boolean> {
  return await client.query(statement).then(
    () => true,
    () => false,
  );
}

async function connect(uri: string): Promise<Client> {
  const client = new Client({ connectionString: uri });
  const forget = (): void => {
    if (idle.get(uri) === client) idle.delete(uri);
  };
  client.on('error', forget);
  client.on('end', forget);
  await client.connect();
  // It must not keep the worker alive.
  if (client.connection.stream instanceof Socket) client.connection.stream.unref();
  return client;
}
