// Compares two states of a schema `api`, given as SQL, in one database of the test run.
import type { Change } from '../../../tools/api-diff/change.ts';
import { compareApis } from '../../../tools/api-diff/compare-apis.ts';
import type { Api } from '../../../tools/api-diff/api.ts';
import { loadApi } from '../../../tools/api-diff/load-api.ts';
import type { Renames } from '../../../tools/api-diff/sides.ts';
import { connect, createDatabase, runRoleSql } from '../../support/database.ts';
import { use } from '../../support/use.ts';

export const ANON = 'api_diff_anon';
export const USER = 'api_diff_user';

/** Roles through which others get their privileges. */
const ROLES = [ANON, USER, 'api_diff_staff'];

export interface SchemaDiff {
  readonly load: (sql: string, roles?: readonly string[]) => Promise<Api>;
  /** The changes for both roles. */
  readonly compare: (before: string, after: string, renames?: Renames) => Promise<readonly Change[]>;
}

/** Call at the top of a test file. SQL runs with the search path `api, public`, in a new schema `api`. */
export async function useSchemaDiff(): Promise<SchemaDiff> {
  const database = await use(createDatabase());
  const statements = ROLES.map(
    (role) => `if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;`,
  );
  await runRoleSql(database.uri, `do $$ begin ${statements.join(' ')} end $$`);
  const client = await use(connect(database.uri));
  const load = async (sql: string, roles: readonly string[] = [ANON, USER]): Promise<Api> => {
    await client.query('drop schema if exists api, private cascade; create schema api; create schema private');
    await client.query(`grant usage on schema api to public; set search_path to api, public; ${sql}`);
    return loadApi(client, { schemas: ['api'], extraSearchPath: ['public'] }, roles);
  };
  return {
    load,
    compare: async (before, after, renames = new Map()) => {
      const old = await load(before);
      return compareApis({ old, new: await load(after), renames });
    },
  };
}

/** `breaking column-removed /orders total` */
export function summarize({ level, kind, path, name, privilege }: Change): string {
  return [level, kind, path, name, privilege].filter((part) => part !== undefined).join(' ');
}
