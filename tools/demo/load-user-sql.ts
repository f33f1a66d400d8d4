// `rowhouse sql FILE.sql`: runs the file in the embedded PostgreSQL, which is started if needed, and grants the demo's roles
// access. Query results go to standard output, progress to standard error.
import path from 'node:path';
import { renderEmbeddedError, type EmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { escapeLines } from '../../src/observe/escape-text.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { resolveDemoFolder } from './demo-folder.ts';
import { loadInstance } from './instance.ts';
import { announceChange, createDatabase, DEMO_DATABASE, grantToDemoRoles, publishTables } from './load-demo.ts';
import { type LoadedSql, loadSqlFile, renderTable, type SqlObserver } from '../embedded/script/load-sql.ts';
import { findLivePostmaster } from '../embedded/cluster/postmaster-file.ts';
import { awaitLoad, findServer, type ServerRecord } from './server-record.ts';
import { withDatabase, withConnection } from '../embedded/script/sql-session.ts';
import { openDataFolder } from './start-demo.ts';

const STEPS = {
  starting: 'Starting the embedded PostgreSQL',
  waiting: 'Waiting for the server to load the change',
} as const;

/** @returns the exit code */
export async function loadSql(file: string, database: string | undefined): Promise<number> {
  const progress = new Progress(process.stderr);
  const loaded = await loadUserSql(file, database, undefined, progress);
  progress.end();
  const command = findOwnCommand();
  if (loaded.ok) process.stdout.write(`${escapeLines(renderLoadedSql(file, loaded.value, command))}\n`);
  else process.stderr.write(`${escapeLines(renderEmbeddedError(loaded.error, command))}\n`);
  return loaded.ok ? 0 : 1;
}

/** Updates one line on a terminal; elsewhere prints one line per step. */
export class Progress implements UserSqlObserver {
  readonly #stream: NodeJS.WriteStream;
  #isLineOpen = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  onStep(step: keyof typeof STEPS): void {
    this.#show(`${STEPS[step]} …`);
  }

  onStatement(index: number, total: number): void {
    if (this.#stream.isTTY) this.#show(`Statement ${index} of ${total} …`);
    else if (index === 1) this.#show(`Running ${total} ${total === 1 ? 'statement' : 'statements'} …`);
  }

  onRows(rows: Parameters<UserSqlObserver['onRows']>[0]): void {
    this.end();
    process.stdout.write(`${renderTable(rows)}\n`);
  }

  end(): void {
    if (this.#isLineOpen) this.#stream.write('\r\u001B[K');
    this.#isLineOpen = false;
  }

  #show(text: string): void {
    this.end();
    this.#isLineOpen = this.#stream.isTTY;
    this.#stream.write(this.#isLineOpen ? text : `${text}\n`);
  }
}

export interface UserSql extends LoadedSql {
  /** Whether the running server has loaded the change; undefined if there is no server. */
  readonly served: Served | undefined;
}

/**
 * `otherDatabase`: the server serves another one. `unaware`: it does not watch for changes. `late`: it has not reloaded
 * within the timeout.
 */
type Served =
  | { readonly kind: 'loaded'; /** URLs of new routes. */ readonly routes: readonly string[] }
  | { readonly kind: 'late' | 'unaware' }
  | { readonly kind: 'otherDatabase' };

interface UserSqlObserver extends SqlObserver {
  /** Called before a step that may take a while. */
  onStep(step: 'starting' | 'waiting'): void;
}

/**
 * @param database is created if missing; in the demo's, a table created without a schema name becomes a route
 * @param dataFolder defaults to `ROWHOUSE_DATA`, else the folder of the clone or of the user
 */
export async function loadUserSql(
  file: string,
  database: string = DEMO_DATABASE,
  dataFolder?: string,
  observer?: UserSqlObserver,
): Promise<Result<UserSql, EmbeddedError>> {
  const opened = await openForSql(dataFolder, observer);
  if (!opened.ok) return opened;
  const { uri, close } = opened.value;
  try {
    await createDatabase(uri, database);
    const server = findServer(opened.value.dataFolder);
    const known = await listServed(uri, server);
    const loaded = await loadSqlFile(withDatabase(uri, database), file, observer);
    if (!loaded.ok) return loaded;
    const moment = Date.now();
    for (const name of loaded.value.databases) await publish(withDatabase(uri, name), name);
    if (server === undefined) return ok({ ...loaded.value, served: undefined });
    if (!loaded.value.databases.includes(server.database))
      return ok({ ...loaded.value, served: { kind: 'otherDatabase' } });
    if (!server.isWatching) return ok({ ...loaded.value, served: { kind: 'unaware' } });
    observer?.onStep('waiting');
    if (!(await awaitLoad(opened.value.dataFolder, moment))) return ok({ ...loaded.value, served: { kind: 'late' } });
    const routes = findNew(await listServed(uri, server), known).map((route) => renderRoute(server, route));
    return ok({ ...loaded.value, served: { kind: 'loaded', routes } });
  } catch (error) {
    return fail({ kind: 'sqlFailed', source: file, details: String(error) });
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
  if (served !== undefined && served.kind !== 'otherDatabase') return [first, ...renderServed(served)].join('\n');
  const before = served === undefined ? '' : ', stop the running server and run';
  const ways = databases.map((name) =>
    name === DEMO_DATABASE
      ? `To serve tables in the schema api of the demo${before}: ${command} --demo`
      : `To serve it${before}: ROWHOUSE_DATABASE=${name} ${command} --demo`,
  );
  return [first, ...ways].join('\n');
}

function renderServed(served: Exclude<Served, { readonly kind: 'otherDatabase' }>): readonly string[] {
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

// Finds the routes that an SQL file added (tables, views and functions) and renders their URLs.

interface Route {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'relation' | 'function';
}

const ROUTES_QUERY = `
  select nspname as schema, relname as name, 'relation' as kind
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any ($1) and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition
  union
  select nspname, proname, 'function'
  from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
  where nspname = any ($1) and prokind = 'f' and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by kind desc, schema, name`;

/** @param uri connects as superuser */
async function listRoutes(uri: string, schemas: readonly string[]): Promise<readonly Route[]> {
  return await withConnection(uri, async (client) => (await client.query<Route>(ROUTES_QUERY, [schemas])).rows);
}

function findNew(after: readonly Route[], before: readonly Route[]): readonly Route[] {
  const known = new Set(before.map(identify));
  return after.filter((route) => !known.has(identify(route)));
}

function renderRoute({ apiUrl }: ServerRecord, { name, kind }: Route): string {
  return `${apiUrl}/${kind === 'function' ? 'rpc/' : ''}${encodeURIComponent(name)}`;
}

function identify({ schema, name, kind }: Route): string {
  return JSON.stringify([kind, schema, name]);
}
