// Builds the database that a folder describes, only to read its schema: in an embedded PostgreSQL that disappears
// afterwards, so that neither roles nor data of another server are touched.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { Client } from 'pg';
import { fail, type Result } from '../../src/contract/result.ts';
import { renderEmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { startEmbeddedPostgres } from '../embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../embedded/script/sql-session.ts';
import { type Problem, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { buildDatabase } from '../project/run/build-database.ts';
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

/** @param work receives a connection to the database, and its URI; both end with it */
export async function withProjectDatabase<T>(
  project: Project,
  work: (client: Client, uri: string) => Promise<Result<T, readonly Problem[]>>,
): Promise<Result<T, readonly Problem[]>> {
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-diff-${randomBytes(6).toString('hex')}`),
    settings: SETTINGS,
    isTemporary: true,
  });
  if (!started.ok) return fail([problemOf(undefined, renderEmbeddedError(started.error, findOwnCommand()))]);
  try {
    return await withConnection(started.value.uri, async (client) => {
      const built = await buildDatabase(project, client, { roles: 'all', hasSeed: false });
      return built.ok ? await work(client, started.value.uri) : built;
    });
  } finally {
    await started.value.stop();
  }
}
