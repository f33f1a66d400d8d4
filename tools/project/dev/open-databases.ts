// The two databases of a project (`project.md` §2 item 1): the development database, and the shadow in which the files run.
import { type Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { SMALL_SERVER_SETTINGS } from '../../demo/start-demo.ts';
import { renderEmbeddedError } from '../../embedded/cluster/embedded-error.ts';
import { ConnectError } from '../../embedded/script/connect-error.ts';
import { databaseOf, withConnection, withDatabase } from '../../embedded/script/sql-session.ts';
import { findOwnCommand } from '../../support/own-command.ts';
import { messageOf } from '../../support/thrown.ts';
import { listDataFolders } from '../folder/tools-folder.ts';
import { startCluster } from '../run/project-cluster.ts';

export interface ProjectDatabases {
  readonly devUri: string;
  readonly shadowUri: string;
  /** Whether the development database has just been made, or an earlier run ended before its schema was complete. */
  readonly isNew: boolean;
  /** Whether the files of `seed/` have not run yet. */
  readonly isSeedDue: boolean;
  /** The data folder of the embedded PostgreSQL; undefined on a server of one's own. */
  readonly dataFolder: string | undefined;
  /** Records that the schema, or also the seed, is in the development database, which later starts keep from then on. */
  record(progress: 'schema' | 'seed'): Promise<void>;
  stop(): Promise<void>;
}

export interface DatabasePlace {
  readonly root: string;
  /** The server to use; undefined: the embedded PostgreSQL. */
  readonly uri: string | undefined;
  /** Whether to recreate the development database. */
  readonly isFresh: boolean;
}

/** A schema of hundreds of tables is made in one transaction. */
const SETTINGS = { ...SMALL_SERVER_SETTINGS, max_locks_per_transaction: '512' };

/** The error is a message for the user. */
export async function openDatabases(place: DatabasePlace): Promise<Result<ProjectDatabases, string>> {
  if (place.uri === undefined) {
    const started = await startCluster(listDataFolders(place.root, 'postgres'), SETTINGS);
    if (!started.ok) return fail(renderEmbeddedError(started.error, findOwnCommand()));
    return prepare(place, { ...started.value, names: { dev: 'dev', shadow: 'shadow' } });
  }
  const name = databaseOf(place.uri);
  if (name === '') return fail('The URI must name a database: postgres://user@host/name');
  const names = { dev: `${name}_dev`, shadow: `${name}_shadow` };
  return prepare(place, { uri: place.uri, names, dataFolder: undefined, stop: () => Promise.resolve() });
}

interface Server {
  readonly uri: string;
  readonly names: { readonly dev: string; readonly shadow: string };
  readonly dataFolder: string | undefined;
  readonly stop: () => Promise<void>;
}

/** Comments on the databases of a project. */
interface Marks {
  readonly done: string;
  /** The schema is complete, but the files of `seed/` have not run. */
  readonly unseeded: string;
  readonly unfinished: string;
}

async function prepare(
  { root, isFresh }: DatabasePlace,
  { uri, names, dataFolder, stop }: Server,
): Promise<Result<ProjectDatabases, string>> {
  const done = `Made by rowhouse dev ${root}`;
  const marks = { done, unseeded: `${done} (without seed)`, unfinished: `${done} (unfinished)` };
  try {
    const opened = await withConnection(uri, async (client) => {
      const dev = await openDatabase(client, names.dev, marks, marks.unfinished, isFresh);
      if (!dev.ok) return dev;
      const shadow = await openDatabase(client, names.shadow, marks, marks.done, false);
      return shadow.ok ? dev : shadow;
    });
    if (!opened.ok) {
      await stop();
      return opened;
    }
    return ok({
      devUri: withDatabase(uri, names.dev),
      shadowUri: withDatabase(uri, names.shadow),
      isNew: opened.value === marks.unfinished,
      isSeedDue: opened.value !== marks.done,
      dataFolder,
      record: (progress) =>
        withConnection(uri, (client) => setMark(client, names.dev, progress === 'seed' ? marks.done : marks.unseeded)),
      stop,
    });
  } catch (error) {
    await stop();
    return fail(describeRefusal(error));
  }
}

/**
 * Keeps the database of an earlier run unless it was not finished.
 *
 * @param newMark of a database that is made now
 * @returns its mark, or that it is not ours
 */
async function openDatabase(
  client: Client,
  name: string,
  { done, unseeded, unfinished }: Marks,
  newMark: string,
  isFresh: boolean,
): Promise<Result<string, string>> {
  const note = await readNote(client, name);
  if ((note === done || note === unseeded) && !isFresh) return ok(note);
  if (note !== undefined && note !== done && note !== unseeded && note !== unfinished)
    return fail(`The database ${name} exists and was not made for this project. Rename or drop it.`);
  await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
  await client.query(`create database ${escapeIdentifier(name)} template template0`);
  await setMark(client, name, newMark);
  return ok(newMark);
}

async function setMark(client: Client, name: string, text: string): Promise<void> {
  await client.query(`comment on database ${escapeIdentifier(name)} is ${escapeLiteral(text)}`);
}

/** @returns the comment of the database, which may be null; undefined if there is none of that name */
async function readNote(client: Client, name: string): Promise<string | null | undefined> {
  const { rows } = await client.query<{ note: string | null }>(
    `select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1`,
    [name],
  );
  return rows[0]?.note;
}

function describeRefusal(error: unknown): string {
  if (error instanceof ConnectError) return `${error.message} ${error.hint}`;
  const message = messageOf(error);
  if (!(error instanceof DatabaseError) || error.code !== '42501') return `The databases cannot be made: ${message}`;
  return `The role of the URI cannot create databases: ${message}. Grant it CREATEDB.`;
}
