// Runs a user's SQL file in the embedded PostgreSQL, starting it if needed, and grants the demo's roles access.
import path from 'node:path';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { resolveDemoFolder } from './demo-folder.ts';
import type { EmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { loadInstance } from './instance.ts';
import { announceChange, createDatabase, DEMO_DATABASE, grantToDemoRoles } from './load-demo.ts';
import { loadSqlFile, type LoadedSql, type SqlObserver } from '../embedded/script/load-sql.ts';
import { findLivePostmaster } from '../embedded/cluster/postmaster-file.ts';
import { publishTables } from './publish-tables.ts';
import { findNew, listRoutes, renderRoute, type Route } from './routes.ts';
import { awaitLoad, findServer, type ServerRecord } from './server-record.ts';
import { withDatabase } from '../embedded/script/sql-session.ts';
import { openDataFolder } from './start-demo.ts';

export interface UserSqlOptions {
  readonly file: string;
  /** Created if missing. Defaults to the demo's, where a table created without a schema name becomes a route. */
  readonly database?: string | undefined;
  /** Defaults to `ROWHOUSE_DATA`, else the folder of the clone or of the user. */
  readonly dataFolder?: string | undefined;
}

export interface UserSql extends LoadedSql {
  /** Whether the running server has loaded the change; undefined if no server serves the database. */
  readonly served: Served | undefined;
}

/** `unaware`: the server does not watch for changes. `late`: it has not reloaded within the timeout. */
export type Served =
  | { readonly kind: 'loaded'; /** URLs of new routes. */ readonly routes: readonly string[] }
  | { readonly kind: 'late' | 'unaware' };

export interface UserSqlObserver extends SqlObserver {
  /** Called before a step that may take a while. */
  onStep(step: 'starting' | 'waiting'): void;
}

export async function loadUserSql(
  options: UserSqlOptions,
  observer?: UserSqlObserver,
): Promise<Result<UserSql, EmbeddedError>> {
  const opened = await openForSql(options.dataFolder, observer);
  if (!opened.ok) return opened;
  const { uri, dataFolder, close } = opened.value;
  try {
    const database = options.database ?? DEMO_DATABASE;
    await createDatabase(uri, database);
    const server = findServer(dataFolder);
    const known = await listServed(uri, server);
    const loaded = await loadSqlFile(withDatabase(uri, database), options.file, observer);
    if (!loaded.ok) return loaded;
    const moment = Date.now();
    for (const name of loaded.value.databases) await publish(withDatabase(uri, name), name);
    if (server === undefined || !loaded.value.databases.includes(server.database))
      return ok({ ...loaded.value, served: undefined });
    if (!server.isWatching) return ok({ ...loaded.value, served: { kind: 'unaware' } });
    observer?.onStep('waiting');
    if (!(await awaitLoad(dataFolder, moment))) return ok({ ...loaded.value, served: { kind: 'late' } });
    const routes = findNew(await listServed(uri, server), known).map((route) => renderRoute(server, route));
    return ok({ ...loaded.value, served: { kind: 'loaded', routes } });
  } catch (error) {
    return fail({ kind: 'sqlFailed', source: options.file, details: String(error) });
  } finally {
    await close();
  }
}

/** Lists the routes that the server may expose. */
async function listServed(uri: string, server: ServerRecord | undefined): Promise<readonly Route[]> {
  return server === undefined ? [] : await listRoutes(withDatabase(uri, server.database), server.schemas);
}

/**
 * Renders the message after loading: which databases were changed, and how to serve them.
 *
 * @param command how the user invokes this program
 */
export function renderLoadedSql(file: string, { statements, databases, served }: UserSql, command: string): string {
  const count = statements === 1 ? '1 statement' : `${statements} statements`;
  const first = `Ran ${count} of ${file} in database ${databases.join(', ')}.`;
  if (served !== undefined) return [first, ...renderServed(served)].join('\n');
  const ways = databases.map((name) =>
    name === DEMO_DATABASE
      ? `To serve tables in the schema api of the demo: ${command} --demo`
      : `To serve it: ROWHOUSE_DATABASE=${name} ${command} --demo`,
  );
  return [first, ...ways].join('\n');
}

function renderServed(served: Served): readonly string[] {
  switch (served.kind) {
    case 'loaded':
      return served.routes.length === 0 ? [] : [`New: ${served.routes.join(' ')}`];
    case 'late':
      return ['The server has not loaded the change yet; see its log.'];
    case 'unaware':
      return ['The server does not listen for changes (db-channel-enabled = false). Restart it to serve this.'];
  }
}

interface SqlAccess {
  readonly uri: string;
  readonly dataFolder: string;
  readonly close: () => Promise<void>;
}

/** Connects to the running PostgreSQL of the folder, or starts one for this command. */
async function openForSql(
  chosen: string | undefined,
  observer: UserSqlObserver | undefined,
): Promise<Result<SqlAccess, EmbeddedError>> {
  const folder = resolveDemoFolder(chosen ?? process.env['ROWHOUSE_DATA']);
  if (!folder.ok) return folder;
  const live = findLivePostmaster(path.join(folder.value, 'pgdata'));
  const dataFolder = folder.value;
  if (live === undefined) {
    observer?.onStep('starting');
    const opened = await openDataFolder(folder.value);
    if (!opened.ok) return opened;
    const { uri, stop } = opened.value.postgres;
    return ok({ uri, dataFolder, close: stop });
  }
  const instance = loadInstance(folder.value);
  if (!instance.ok) return instance;
  const uri = `postgres://postgres:${instance.value.superuserPassword}@127.0.0.1:${live.port}/postgres`;
  return ok({ uri, dataFolder, close: () => Promise.resolve() });
}

async function publish(uri: string, database: string): Promise<void> {
  if (database !== DEMO_DATABASE) await grantToDemoRoles(uri);
  await publishTables(uri);
  // A server may listen on any of these channels.
  for (const { channel } of Object.values(DIALECTS)) await announceChange(uri, channel);
}
