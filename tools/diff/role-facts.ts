// Compares the roles that `roles.sql` names (`project.md` §3 item 7): attributes, memberships and settings, never
// passwords.
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { SqlClient } from '../embedded/script/sql-session.ts';
import type { Project } from '../project/folder/read-project.ts';
import { findCreatedRoles } from '../project/folder/project-roles.ts';
import { findTag } from './migration.ts';

export interface RoleFacts {
  readonly name: string;
  /** As in ALTER ROLE: `NOLOGIN`, `CONNECTION LIMIT -1`. */
  readonly attributes: readonly string[];
  /** Roles that it is a member of. */
  readonly memberships: readonly string[];
  /** `null` stands for a value that is not shown because the name says that it is a secret. */
  readonly settings: Readonly<Record<string, string | null>>;
}

interface RoleRow extends Omit<RoleFacts, 'settings'> {
  readonly settings: readonly string[];
}

const READ_ROLES = `select rolname as name,
  array[
    case when rolsuper then 'SUPERUSER' else 'NOSUPERUSER' end,
    case when rolinherit then 'INHERIT' else 'NOINHERIT' end,
    case when rolcreaterole then 'CREATEROLE' else 'NOCREATEROLE' end,
    case when rolcreatedb then 'CREATEDB' else 'NOCREATEDB' end,
    case when rolcanlogin then 'LOGIN' else 'NOLOGIN' end,
    case when rolreplication then 'REPLICATION' else 'NOREPLICATION' end,
    case when rolbypassrls then 'BYPASSRLS' else 'NOBYPASSRLS' end,
    'CONNECTION LIMIT ' || rolconnlimit
  ] || case when rolvaliduntil is null then array[]::text[]
    when isfinite(rolvaliduntil)
      then array['VALID UNTIL ' || quote_literal((rolvaliduntil at time zone 'UTC')::text || '+00')]
    else array['VALID UNTIL ' || quote_literal(rolvaliduntil::text)] end as attributes,
  array(select granted.rolname::text from pg_catalog.pg_auth_members
    join pg_catalog.pg_roles as granted on granted.oid = roleid where member = role.oid order by 1) as memberships,
  coalesce((select setconfig from pg_catalog.pg_db_role_setting
    where setrole = role.oid and setdatabase = 0), array[]::text[]) as settings
from pg_catalog.pg_roles as role where rolname = any ($1) order by rolname`;

const SECRET_SETTING = /secret|password|token|key/iu;

/** Reads those of the roles that `roles.sql` creates which exist in the cluster of the client. */
export async function readCreatedRoles(
  client: SqlClient,
  { roles }: Pick<Project, 'roles'>,
): Promise<readonly RoleFacts[]> {
  return roles === undefined ? [] : readRoleFacts(client, findCreatedRoles(roles));
}

/** Reads those of the roles that exist in the cluster of the client. */
export async function readRoleFacts(client: SqlClient, names: readonly string[]): Promise<readonly RoleFacts[]> {
  const { rows } = await client.query<RoleRow>(READ_ROLES, [names]);
  return rows.map(({ name, attributes, memberships, settings }) => {
    return { name, attributes, memberships, settings: Object.fromEntries(settings.map(splitSetting)) };
  });
}

function splitSetting(setting: string): readonly [string, string | null] {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/su.exec(setting) ?? [];
  return [name, SECRET_SETTING.test(name) ? null : value];
}

/** Returns the statements that turn the old roles into the new ones. Roles that are not named any more stay. */
export function compareRoles(old: readonly RoleFacts[], current: readonly RoleFacts[]): readonly string[] {
  const before = new Map(old.map((role) => [role.name, role]));
  return [
    ...current.flatMap((role) => compareAttributes(before.get(role.name), role)),
    ...current.flatMap((role) => compareMemberships(before.get(role.name), role)),
    ...current.flatMap((role) => compareSettings(before.get(role.name), role)),
  ];
}

function compareAttributes(old: RoleFacts | undefined, { name, attributes }: RoleFacts): readonly string[] {
  const role = escapeIdentifier(name);
  if (old === undefined) {
    const exists = `select from pg_catalog.pg_roles where rolname = ${escapeLiteral(name)}`;
    const body = `begin if not exists (${exists}) then create role ${role} ${attributes.join(' ')}; end if; end`;
    const tag = findTag(body);
    return [`do ${tag} ${body} ${tag}`];
  }
  const changed = attributes.filter((attribute) => !old.attributes.includes(attribute) && attribute !== KEPT_ATTRIBUTE);
  const isUnlimited = !attributes.some(isExpiry) && old.attributes.some(isExpiry);
  const all = [...changed, ...(isUnlimited ? [`VALID UNTIL 'infinity'`] : [])];
  return all.length === 0 ? [] : [`alter role ${role} ${all.join(' ')}`];
}

/** `init --live` gives the login role REPLICATION (`project.md` §3 item 7). */
const KEPT_ATTRIBUTE = 'NOREPLICATION';

function isExpiry(attribute: string): boolean {
  return attribute.startsWith('VALID UNTIL');
}

function compareMemberships(old: RoleFacts | undefined, { name, memberships }: RoleFacts): readonly string[] {
  const before = old?.memberships ?? [];
  const member = escapeIdentifier(name);
  return [
    ...memberships
      .filter((role) => !before.includes(role))
      .map((role) => `grant ${escapeIdentifier(role)} to ${member}`),
    ...before
      .filter((role) => !memberships.includes(role))
      .map((role) => `revoke ${escapeIdentifier(role)} from ${member}`),
  ];
}

function compareSettings(old: RoleFacts | undefined, { name, settings }: RoleFacts): readonly string[] {
  const before = old?.settings ?? {};
  const role = escapeIdentifier(name);
  const changed = Object.entries(settings).filter(([key, value]) => before[key] !== value);
  const gone = Object.keys(before).filter((key) => !(key in settings));
  return [
    ...changed.map(([key, value]) =>
      value === null
        ? renderByHand(name, key)
        : `alter role ${role} set ${renderSettingName(key)} to ${renderSetting(key, value)}`,
    ),
    ...gone.map((key) => `alter role ${role} reset ${renderSettingName(key)}`),
  ];
}

function renderByHand(role: string, setting: string): string {
  return `-- Set ${JSON.stringify(setting)} of the role ${JSON.stringify(role)} by hand: its value may be a secret`;
}

const BY_HAND = /^-- Set (?<setting>"(?:[^"\\]|\\.)*") of the role (?<role>"(?:[^"\\]|\\.)*") by hand:/gmu;

/** Returns the settings that a migration asks a person to set. */
export function listSettingsByHand(text: string): readonly { readonly role: string; readonly name: string }[] {
  return [...text.matchAll(BY_HAND)].map(({ groups }) => ({
    role: String(JSON.parse(groups?.['role'] ?? '""')),
    name: String(JSON.parse(groups?.['setting'] ?? '""')),
  }));
}

/** Parts of `app.name` are quoted one by one. */
function renderSettingName(name: string): string {
  return name.split('.').map(escapeIdentifier).join('.');
}

/** PostgreSQL keeps lists of names quoted already; a literal would make one name of them. */
const LISTS: ReadonlySet<string> = new Set([
  'search_path',
  'temp_tablespaces',
  'session_preload_libraries',
  'local_preload_libraries',
]);

function renderSetting(name: string, value: string): string {
  return LISTS.has(name.toLowerCase()) && value !== '' ? value : escapeLiteral(value);
}
