// Servers with databases that are made only to read their schema, and dropped afterwards: an embedded PostgreSQL that
// disappears, so that neither roles nor data of another server are touched, or the server of the target.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { type Client, escapeIdentifier } from 'pg';
import { fail } from '../../src/contract/result.ts';
import { renderEmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { startEmbeddedPostgres } from '../embedded/cluster/embedded-postgres.ts';
import { withConnection, withDatabase } from '../embedded/script/sql-session.ts';
import { type Outcome, problemOf } from '../project/folder/problem.ts';
import { listRoles } from '../project/run/run-roles.ts';
import { findOwnCommand } from '../support/own-command.ts';

/** Nothing in it has to survive. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '16MB',
  max_connections: '20',
  max_locks_per_transaction: '512',
};

/** Half the work where a checkpoint costs nothing. */
const FILE_COPY = 'strategy file_copy';

/** How the schema of a database is read: passwords are neither compared nor kept. */
export const READ_ONLY = { isInTransaction: false, hasSecrets: false } as const;

/** The superuser of the embedded PostgreSQL. */
export const DEFAULT_OWNER = 'postgres';

export class ScratchServer {
  readonly #uri: string;
  readonly #options: string;

  /**
   * @param uri of a role that may create databases
   * @param options of `create database`
   */
  constructor(uri: string, options = '') {
    this.#uri = uri;
    this.#options = options;
  }

  /**
   * Opens a connection to a new database, which is dropped when `work` has ended. Throws the driver's errors.
   *
   * @param work receives the connection and the URI
   * @param template a database without connections; by default an empty one
   */
  withNewDatabase<T>(work: (client: Client, uri: string) => Promise<T>, template = 'template0'): Promise<T> {
    return this.#withDatabase(template, async (name) => {
      const uri = withDatabase(this.#uri, name);
      return withConnection(uri, (client) => work(client, uri));
    });
  }

  /** Prepares a new database and closes the connection to it. It is the template of others until `work` has ended. */
  withTemplate<P, T>(
    prepare: (client: Client) => Promise<P>,
    work: (template: string, prepared: P) => Promise<T>,
  ): Promise<T> {
    return this.#withDatabase('template0', async (name) =>
      work(name, await withConnection(withDatabase(this.#uri, name), prepare)),
    );
  }

  async #withDatabase<T>(template: string, work: (name: string) => Promise<T>): Promise<T> {
    const name = `rowhouse_diff_${randomBytes(6).toString('hex')}`;
    const create = `create database ${name} template ${escapeIdentifier(template)} ${this.#options}`;
    await withConnection(this.#uri, (client) => client.query(create));
    try {
      return await work(name);
    } finally {
      await withConnection(this.#uri, (client) => client.query(`drop database ${name} with (force)`));
    }
  }
}

/** An embedded PostgreSQL that exists only while it is used. */
export class ScratchCluster extends ScratchServer {
  readonly #admin: string;

  constructor(uri: string) {
    super(uri, FILE_COPY);
    this.#admin = uri;
  }

  /** Returns the same server for connections as a role, which owns what they create. */
  async actAs(owner: string): Promise<ScratchServer> {
    if (owner === DEFAULT_OWNER) return this;
    await this.createRoles([owner]);
    await withConnection(this.#admin, (client) => client.query(`alter role ${escapeIdentifier(owner)} superuser`));
    const uri = new URL(this.#admin);
    uri.searchParams.set('options', `-c role=${owner.replaceAll(/[\\ ]/gu, String.raw`\$&`)}`);
    return new ScratchServer(uri.href, FILE_COPY);
  }

  /** Creates those that do not exist. */
  async createRoles(names: readonly string[]): Promise<void> {
    await withConnection(this.#admin, async (client) => {
      const known = new Set(await listRoles(client));
      const missing = names.filter((name) => !known.has(name) && !name.startsWith('pg_'));
      for (const name of new Set(missing)) await client.query(`create role ${escapeIdentifier(name)}`);
    });
  }
}

export async function withScratchCluster<T>(
  work: (cluster: ScratchCluster) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-diff-${randomBytes(6).toString('hex')}`),
    settings: SETTINGS,
    isTemporary: true,
  });
  if (!started.ok) return fail([problemOf(undefined, renderEmbeddedError(started.error, findOwnCommand()))]);
  try {
    return await work(new ScratchCluster(started.value.uri));
  } finally {
    await started.value.stop();
  }
}
