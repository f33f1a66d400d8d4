// Loads a user's SQL file into the embedded PostgreSQL, running or not, and opens what it made to the demo's roles.
import path from 'node:path';
import { DIALECTS } from '../contract/dialect.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { resolveDemoFolder } from './demo-folder.ts';
import type { EmbeddedError } from './embedded-error.ts';
import { loadInstance } from './instance.ts';
import { announceChange, createDatabase, DEMO_DATABASE, openToDemoRoles } from './load-demo.ts';
import { loadSqlFile, type LoadedSql } from './load-sql.ts';
import { findLivePostmaster } from './postmaster-file.ts';
import { withDatabase } from './sql-session.ts';
import { openDataFolder } from './start-demo.ts';

export interface OwnSqlOptions {
  readonly file: string;
  /** Made when missing. Default: the demo's, where tables without a schema's name become routes at once. */
  readonly database?: string | undefined;
  /** Default: `ROWHOUSE_DATA`, else a folder of this clone. */
  readonly dataFolder?: string | undefined;
}

export async function loadOwnSql(options: OwnSqlOptions): Promise<Result<LoadedSql, EmbeddedError>> {
  const opened = await openForSql(options.dataFolder);
  if (!opened.ok) return opened;
  const { uri, close } = opened.value;
  try {
    const database = options.database ?? DEMO_DATABASE;
    await createDatabase(uri, database);
    const loaded = await loadSqlFile(withDatabase(uri, database), options.file);
    if (!loaded.ok) return loaded;
    for (const name of loaded.value.databases) await publish(withDatabase(uri, name), name);
    return loaded;
  } catch (error) {
    return fail({ kind: 'sqlFailed', source: options.file, details: String(error) });
  } finally {
    await close();
  }
}

/** What a user reads after loading: where it went, and how to serve it. */
export function renderLoadedSql(file: string, loaded: LoadedSql): string {
  const lines = loaded.databases.map((name) =>
    name === DEMO_DATABASE
      ? 'Tables in schema api of the demo are served by `npm start`.'
      : `Serve it: ROWHOUSE_DATABASE=${name} npm start`,
  );
  const places = loaded.databases.join(', ');
  return [`Ran ${loaded.statements} statements of ${file} in database ${places}.`, ...lines].join('\n');
}

interface SqlAccess {
  readonly uri: string;
  readonly close: () => Promise<void>;
}

/** The running PostgreSQL of the folder, else one started for the purpose. */
async function openForSql(chosen: string | undefined): Promise<Result<SqlAccess, EmbeddedError>> {
  const folder = resolveDemoFolder(chosen ?? process.env['ROWHOUSE_DATA']);
  if (!folder.ok) return folder;
  const live = findLivePostmaster(path.join(folder.value, 'pgdata'));
  if (live === undefined) {
    const opened = await openDataFolder(folder.value);
    return opened.ok ? ok({ uri: opened.value.postgres.uri, close: opened.value.postgres.stop }) : opened;
  }
  const instance = loadInstance(folder.value);
  if (!instance.ok) return instance;
  const uri = `postgres://postgres:${instance.value.superuserPassword}@127.0.0.1:${live.port}/postgres`;
  return ok({ uri, close: () => Promise.resolve() });
}

async function publish(uri: string, database: string): Promise<void> {
  if (database !== DEMO_DATABASE) await openToDemoRoles(uri);
  // Whichever of them a server listens on.
  for (const { channel } of Object.values(DIALECTS)) await announceChange(uri, channel);
}
