// What the files of a project decide about its API (`project.md` §1 items 6 and 7).
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import { ok } from '../../../src/contract/result.ts';
import { splitScript } from '../../console/split-script.ts';
import type { SqlClient } from '../../embedded/script/sql-session.ts';
import type { Outcome } from '../folder/problem.ts';
import { describeRefusedRole, FIND_ASSUMABLE, findCreatedRoles, readAssumableRoles } from '../folder/project-roles.ts';
import type { Project } from '../folder/read-project.ts';
import { readProjectConfig } from './project-config.ts';

/** The schema that is exposed if `db-schemas` is not set. @param client sees the schema of the project */
export async function findDefaultSchema(client: SqlClient): Promise<'api' | 'public'> {
  const { rows } = await client.query(`select from pg_catalog.pg_namespace where nspname = 'api'`);
  return rows.length > 0 ? 'api' : 'public';
}

/** @param client of a database that was made from the project */
export async function readProjectScope(
  client: SqlClient,
  project: Project,
): Promise<Outcome<{ readonly config: AppConfig; readonly roles: readonly string[] }>> {
  const config = readProjectConfig(project, await findDefaultSchema(client));
  return config.ok
    ? ok({ config: config.value, roles: await findWebRoles(client, project, config.value.dbAnonRole) })
    : config;
}

const MEMBERSHIP = /^grant\s+(?<granted>[^;]+?)\s+to\s+(?<members>[^;]+?)(?:\s+(?:with|granted)\s[^;]*)?\s*$/iu;

/**
 * Returns the anonymous role and the roles that `roles.sql` grants to a role that can log in.
 *
 * @param client of the cluster in which `roles.sql` has run
 */
export async function findWebRoles(
  client: SqlClient,
  { roles }: Pick<Project, 'roles'>,
  anonRole: string | undefined,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_catalog.pg_roles where rolcanlogin');
  const logins = new Set(rows.map(({ rolname }) => rolname));
  const statements = splitScript(roles?.text ?? '').map((part) => (part.kind === 'statement' ? part.text : ''));
  const granted = statements.flatMap((text) => {
    const { granted = '', members = '' } = MEMBERSHIP.exec(text)?.groups ?? {};
    const isPrivilege = /\son\s/iu.test(granted);
    return !isPrivilege && readNames(members).some((member) => logins.has(member)) ? readNames(granted) : [];
  });
  return [...new Set([...(anonRole === undefined ? [] : [anonRole]), ...granted])];
}

/** Returns the roles that are granted to a role that can log in, where there is no `roles.sql`. */
export async function findGrantedRoles(client: SqlClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ rolname: string }>(`
    select distinct granted.rolname from pg_catalog.pg_auth_members as membership
    join pg_catalog.pg_roles as granted on granted.oid = membership.roleid and granted.rolname !~ '^pg_'
    join pg_catalog.pg_roles as login on login.oid = membership.member and login.rolcanlogin and not login.rolsuper
    order by 1`);
  return rows.map(({ rolname }) => rolname);
}

/** Roles without a login that may use something in an exposed schema and own nothing there. */
const FIND_USERS = `select role.rolname::text as name
from pg_catalog.pg_roles as role
where role.rolname = any ($1) and not role.rolcanlogin and not role.rolsuper
  and exists (select from pg_catalog.pg_namespace as space join pg_catalog.pg_class as class on class.relnamespace = space.oid
    cross join pg_catalog.aclexplode(class.relacl) as acl where space.nspname = any ($2) and acl.grantee = role.oid)
  and not exists (select from pg_catalog.pg_class as class join pg_catalog.pg_namespace as space on space.oid = class.relnamespace
    where space.nspname = any ($2) and class.relowner = role.oid)
order by 1`;

/** Returns the roles of `roles.sql` that have privileges on exposed tables, but that no request can have. */
export async function findRefusedRoles(
  client: SqlClient,
  { roles }: Pick<Project, 'roles'>,
  schemas: readonly string[],
): Promise<readonly { readonly role: string; readonly message: string }[]> {
  const created = roles === undefined ? [] : findCreatedRoles(roles);
  const found = await client.query<{ login: string; role: string }>(FIND_ASSUMABLE, [created]);
  const assumable = readAssumableRoles(found.rows);
  if (assumable === undefined) return [];
  const { rows } = await client.query<{ name: string }>(FIND_USERS, [created, schemas]);
  return rows
    .filter(({ name }) => !assumable.roles.has(name))
    .map(({ name }) => ({ role: name, message: describeRefusedRole(name, assumable) }));
}

function readNames(list: string): readonly string[] {
  const names = list.matchAll(/"(?<quoted>(?:[^"]|"")+)"|(?<plain>[\p{L}_][\p{L}\p{N}_$]*)/gu);
  return [...names].map(
    ({ groups }) => groups?.['quoted']?.replaceAll('""', '"') ?? groups?.['plain']?.toLowerCase() ?? '',
  );
}
