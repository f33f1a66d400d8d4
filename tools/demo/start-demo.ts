// Starts the embedded PostgreSQL, loads the demo, and returns the configuration options and the facts for the banner.
import path from 'node:path';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { messageOf } from '../support/thrown.ts';
import { resolveDemoFolder } from './demo-folder.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../embedded/cluster/embedded-postgres.ts';
import type { EmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { LIVE_PUBLICATION } from '../../src/extensions/live/publication.ts';
import { loadInstance, saveInstance, type Instance } from './instance.ts';
import { DEMO_DATABASE, hasDatabase, loadDemo, prepareAuthenticator, publishTables } from './load-demo.ts';
import { withDatabase } from '../embedded/script/sql-session.ts';
import { signToken } from '../token/issue-token.ts';

export interface DemoOptions {
  /** Defaults to `ROWHOUSE_DATA`, else the folder of the clone or of the user. */
  readonly dataFolder?: string | undefined;
  /** Database to serve. Defaults to `ROWHOUSE_DATABASE`, else the demo's. */
  readonly database?: string | undefined;
}

export interface Demo {
  /** Configuration options by name, as text. */
  readonly options: Readonly<Record<string, string>>;
  readonly database: string;
  readonly dataFolder: string;
  /** Whether this start created the data. */
  readonly isNew: boolean;
  /** Superuser connection to `database`, for users' own SQL. */
  readonly adminUri: string;
  /** Bearer token of the role `demo_user`, valid for a year. */
  readonly userToken: string;
  readonly stop: () => Promise<void>;
}

interface OpenedFolder {
  readonly postgres: EmbeddedPostgres;
  readonly dataFolder: string;
  readonly instance: Instance;
  readonly isNew: boolean;
}

const SECONDS_PER_YEAR = 365 * 24 * 3600;
export const SMALL_SERVER_SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '32MB',
  max_connections: '60',
  cluster_name: 'rowhouse',
  // Nothing is decoded, and no connection is open for it, until somebody watches rows.
  wal_level: 'logical',
};

export async function startDemo(options: DemoOptions = {}): Promise<Result<Demo, EmbeddedError>> {
  const opened = await openDataFolder(options.dataFolder);
  if (!opened.ok) return opened;
  const { postgres, dataFolder, instance, isNew } = opened.value;
  const database = options.database ?? process.env['ROWHOUSE_DATABASE'] ?? DEMO_DATABASE;
  if (!(await hasDatabase(postgres.uri, database))) {
    await postgres.stop();
    return fail({ kind: 'noSuchDatabase', database });
  }
  // If it fails, the server says at its start what is missing.
  await publishTables(withDatabase(postgres.uri, database)).catch(() => undefined);
  return ok({
    options: describeOptions(postgres, database, instance),
    database,
    dataFolder,
    isNew,
    adminUri: withDatabase(postgres.uri, database),
    userToken: signToken(
      { role: 'demo_user', resident_id: 1, exp: Math.floor(Date.now() / 1000) + SECONDS_PER_YEAR },
      instance.jwtSecret,
    ),
    stop: postgres.stop,
  });
}

/** Starts the PostgreSQL of the folder and loads the demo and its roles if they are missing. */
export async function openDataFolder(chosen: string | undefined): Promise<Result<OpenedFolder, EmbeddedError>> {
  const folder = resolveDemoFolder(chosen ?? process.env['ROWHOUSE_DATA']);
  if (!folder.ok) return folder;
  const dataFolder = folder.value;
  const started = await startInstance(dataFolder, SMALL_SERVER_SETTINGS);
  if (!started.ok) return started;
  const { postgres, instance } = started.value;
  try {
    const isNew = await loadDemo(postgres.uri);
    await prepareAuthenticator(postgres.uri, instance.authenticatorPassword);
    return ok({ postgres, dataFolder, instance, isNew });
  } catch (error) {
    await postgres.stop();
    const details = messageOf(error);
    return fail({ kind: 'folderUnusable', folder: path.join(dataFolder, 'pgdata'), details });
  }
}

/**
 * Starts the PostgreSQL of a folder with its own password. Reuses the port of the last run so that saved connections keep
 * working, or another if it is in use.
 */
export async function startInstance(
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Result<{ readonly postgres: EmbeddedPostgres; readonly instance: Instance }, EmbeddedError>> {
  const instance = loadInstance(dataFolder);
  if (!instance.ok) return instance;
  const { superuserPassword: password, port = 'free' } = instance.value;
  const options = { dataFolder, password, settings };
  let started = await startEmbeddedPostgres({ ...options, port });
  if (!started.ok && started.error.kind === 'portInUse') started = await startEmbeddedPostgres(options);
  if (!started.ok) return started;
  saveInstance(dataFolder, { ...instance.value, port: started.value.port });
  return ok({ postgres: started.value, instance: instance.value });
}

function describeOptions(
  { uri: adminUri, socketFolder }: EmbeddedPostgres,
  database: string,
  instance: Instance,
): Readonly<Record<string, string>> {
  const uri = new URL(withDatabase(adminUri, database));
  if (socketFolder !== undefined) uri.hostname = encodeURIComponent(socketFolder);
  uri.username = 'authenticator';
  uri.password = instance.authenticatorPassword;
  return {
    'db-uri': uri.href,
    'db-schemas': database === DEMO_DATABASE ? 'api' : 'public',
    'db-anon-role': 'demo_anon',
    'jwt-secret': instance.jwtSecret,
    'admin-server-port': '3001',
    // PostgreSQL is started with the settings for it.
    'db-keep-heap': 'false',
    'live-publication': LIVE_PUBLICATION,
    ...TRIAL_OPTIONS,
  };
}

/**
 * Options of the demo and `rowhouse dev`, unless set elsewhere. They serve one person who tries things out: everything on
 * that the explorer has a tool for, and loopback only, because whoever can connect may read and sees no token prompt.
 */
export const TRIAL_OPTIONS: Readonly<Record<string, string>> = {
  'server-host': '127.0.0.1',
  'openapi-version': '3.1',
  'server-explorer': 'true',
  'db-plan-enabled': 'true',
  'db-aggregates-enabled': 'true',
  'db-tx-end': 'commit-allow-override',
  // Pages that look into the server need the process that answers requests.
  'server-workers': '1',
};
