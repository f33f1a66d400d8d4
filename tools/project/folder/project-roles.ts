// The roles that `roles.sql` creates, and those that a request can have where the server logs in as one of them.
import { escapeIdentifier } from 'pg';
import { splitScript } from '../../console/split-script.ts';
import type { SourceFile } from './read-project.ts';

/** Group `head`: what precedes the name. */
export const CREATE_ROLE: RegExp =
  /^(?<head>create\s+(?:role|user|group)\s+)(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[\p{L}_][\p{L}\p{N}_$]*))/iu;

/** Returns the names of the roles that the file creates. */
export function findCreatedRoles(file: SourceFile): readonly string[] {
  return splitScript(file.text).flatMap((part) =>
    part.kind === 'statement' ? (readCreatedRole(part.text) ?? []) : [],
  );
}

/** @param text a statement. Returns the name of the role that it creates. */
export function readCreatedRole(text: string): string | undefined {
  const created = CREATE_ROLE.exec(text)?.groups;
  return created?.['quoted']?.replaceAll('""', '"') ?? created?.['plain']?.toLowerCase();
}

export interface AssumableRoles {
  /** Login roles of `roles.sql`, apart from superusers. */
  readonly logins: readonly string[];
  /** Roles that one of them may assume. */
  readonly roles: ReadonlySet<string>;
}

/** Since PostgreSQL 16, a membership may exclude SET ROLE. */
const MAY_ASSUME = `pg_catalog.pg_has_role(login.oid, role.oid,
  case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)`;

/** `$1` roles that `roles.sql` creates. Rows: a login role, and a role that it may assume. */
export const FIND_ASSUMABLE: string = `select login.rolname::text as login, role.rolname::text as role
from pg_catalog.pg_roles as login join pg_catalog.pg_roles as role on ${MAY_ASSUME}
where login.rolname = any ($1::text[]) and login.rolcanlogin and not login.rolsuper order by 1`;

/**
 * Returns the roles that requests can have where the server logs in as a role of `roles.sql`. `dev` and tests log in as a
 * superuser, who may assume every role.
 *
 * @param rows of `FIND_ASSUMABLE`
 * @returns undefined if there is no login role
 */
export function readAssumableRoles(
  rows: readonly { readonly login: string; readonly role: string }[],
): AssumableRoles | undefined {
  if (rows.length === 0) return undefined;
  return { logins: [...new Set(rows.map(({ login }) => login))], roles: new Set(rows.map(({ role }) => role)) };
}

/** Says why requests as a role fail in production, and what to write. */
export function describeRefusedRole(role: string, { logins }: AssumableRoles): string {
  const login = escapeIdentifier(logins[0] ?? '');
  return `No login role of roles.sql may assume the role ${role}, so every request with it fails in production. Add to roles.sql: grant ${escapeIdentifier(role)} to ${login};`;
}
