// Reads the state of what a folder is compared with, and copies it to an empty database.
import type { Client } from 'pg';
import { fail, ok } from '../../src/contract/result.ts';
import { ConnectError } from '../embedded/script/connect-error.ts';
import { withConnection } from '../embedded/script/sql-session.ts';
import type { SchemaDelta } from '../project/compare/schema-delta.ts';
import { type Outcome, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { readText } from '../support/read-text.ts';
import { messageOf } from '../support/thrown.ts';
import { readMigratedState } from './migrated-state.ts';
import type { Target } from './operands.ts';
import { readState } from './replica.ts';
import { readCreatedRoles } from './role-facts.ts';
import { DEFAULT_OWNER, type ScratchServer } from './scratch-server.ts';
import { parseSnapshot, type TargetState } from './snapshot.ts';

/** @param scratch for the state that migrations produce */
export function readTarget(
  target: Target,
  delta: SchemaDelta,
  project: Project,
  scratch: ScratchServer,
): Promise<Outcome<TargetState>> {
  switch (target.kind) {
    case 'database':
      return readDatabase(target.uri, async (client) => {
        const { rows } = await client.query<{ owner: string }>('select current_user as owner');
        const roles = await readCreatedRoles(client, project);
        return { ...(await readState(client, delta)), roles, owner: rows[0]?.owner ?? DEFAULT_OWNER };
      });
    case 'snapshot':
      return readSnapshot(target.file, delta);
    case 'migrations':
      return readMigratedState(project, delta, scratch);
  }
}

/** Connects to a database of the user. The driver's messages contain neither the URI nor the password. */
export async function readDatabase<T>(uri: string, read: (client: Client) => Promise<T>): Promise<Outcome<T>> {
  try {
    return ok(await withConnection(uri, read));
  } catch (error) {
    if (error instanceof ConnectError) return fail([problemOf(undefined, error.message, error.hint)]);
    const message = messageOf(error);
    return fail([problemOf(undefined, `The database cannot be read: ${message}`)]);
  }
}

async function readSnapshot(file: string, delta: SchemaDelta): Promise<Outcome<TargetState>> {
  const text = await readText(file);
  if (!text.ok) return fail([problemOf(undefined, text.error)]);
  const state = parseSnapshot(text.value, delta);
  return state.ok ? state : fail([problemOf(file, state.error)]);
}
