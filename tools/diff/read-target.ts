// Reads the state of what a folder is compared with, and copies it to an empty database.
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { ConnectError } from '../embedded/script/connect-error.ts';
import { withConnection } from '../embedded/script/sql-session.ts';
import type { SchemaDelta } from '../project/compare/schema-delta.ts';
import { type Problem, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { readText } from '../support/read-text.ts';
import { readMigratedState } from './migrated-state.ts';
import type { Target } from './operands.ts';
import { readState } from './replica.ts';
import { readCreatedRoles } from './role-facts.ts';
import { DEFAULT_OWNER, type ScratchServer } from './scratch-server.ts';
import { parseSnapshot, type TargetState } from './snapshot.ts';

export interface TargetReader {
  readonly delta: SchemaDelta;
  readonly project: Project;
  /** For the state that migrations produce. */
  readonly scratch: ScratchServer;
}

export function readTarget(
  target: Target,
  { delta, project, scratch }: TargetReader,
): Promise<Result<TargetState, readonly Problem[]>> {
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
      return readMigratedState(project, { delta, scratch });
  }
}

/** Connects to a database of the user. The driver's messages contain neither the URI nor the password. */
export async function readDatabase<T>(
  uri: string,
  read: (client: Client) => Promise<T>,
): Promise<Result<T, readonly Problem[]>> {
  try {
    return ok(await withConnection(uri, read));
  } catch (error) {
    if (error instanceof ConnectError) return fail([problemOf(undefined, error.message, error.hint)]);
    const message = error instanceof Error ? error.message : String(error);
    return fail([problemOf(undefined, `The database cannot be read: ${message}`)]);
  }
}

async function readSnapshot(file: string, delta: SchemaDelta): Promise<Result<TargetState, readonly Problem[]>> {
  const text = await readText(file);
  if (!text.ok) return fail([problemOf(undefined, text.error)]);
  const state = parseSnapshot(text.value, delta);
  return state.ok ? state : fail([problemOf(file, state.error)]);
}
