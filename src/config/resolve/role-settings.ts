// Settings of the roles the server may impersonate (`operating.md` §4.5): builds the statement that reads them and
// decodes its rows. Each request applies those of its role.
import { type IsolationLevel, readIsolationLevel, type Statement } from '../../contract/transaction.ts';
import type { TextRow } from './in-database.ts';

export interface RoleSettings {
  /** From `default_transaction_isolation`, which BEGIN must specify; undefined if the role has none. */
  readonly isolation: IsolationLevel | undefined;
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** Keyed by role name. */
export type SettingsByRole = ReadonlyMap<string, RoleSettings>;

/** The first `server_version_num` with privileges on configuration parameters. */
const PARAMETER_PRIVILEGES_VERSION = 150_000;
const ISOLATION_SETTING = 'default_transaction_isolation';

/**
 * Returns rows (role, setting, value) for the roles that the login role is a member of; a superuser may assume any role
 * without being a member. Includes only settings that the login role may set, since others would fail every request.
 */
export function buildRoleSettingsQuery(serverVersion: number): Statement {
  const isGranted =
    serverVersion >= PARAMETER_PRIVILEGES_VERSION
      ? `pg_catalog.has_parameter_privilege(session_user, known.name, 'SET')`
      : `(SELECT rolsuper FROM login)`;
  const text = `WITH login AS (
  SELECT oid, rolsuper FROM pg_catalog.pg_roles WHERE rolname = session_user
), granted AS (
  SELECT membership.roleid
  FROM pg_catalog.pg_auth_members AS membership
  JOIN login ON login.oid = membership.member
  UNION
  SELECT role.oid
  FROM pg_catalog.pg_roles AS role
  JOIN login ON login.rolsuper AND login.oid <> role.oid
), entries AS (
  SELECT role.rolname, entry
  FROM granted
  JOIN pg_catalog.pg_roles AS role ON role.oid = granted.roleid
  JOIN pg_catalog.pg_db_role_setting AS stored ON stored.setrole = role.oid AND stored.setdatabase = 0
  CROSS JOIN LATERAL pg_catalog.unnest(stored.setconfig) AS entry
)
SELECT entries.rolname, known.name, pg_catalog.substr(entry, pg_catalog.strpos(entry, '=') + 1)
FROM entries
JOIN pg_catalog.pg_settings AS known
  ON pg_catalog.lower(known.name) = pg_catalog.lower(pg_catalog.split_part(entry, '=', 1))
WHERE known.context = 'user' OR ${isGranted}
ORDER BY entries.rolname, known.name COLLATE "C"`;
  return { text, parameters: [] };
}

export function decodeRoleSettings(rows: readonly TextRow[]): SettingsByRole {
  const roles = new Map<string, RoleSettings>();
  for (const [role, name, value] of rows) {
    if (typeof role !== 'string' || typeof name !== 'string' || typeof value !== 'string') continue;
    const known = roles.get(role) ?? { isolation: undefined, settings: [] };
    const next =
      name === ISOLATION_SETTING
        ? { ...known, isolation: readIsolationLevel(value) }
        : { ...known, settings: [...known.settings, [name, value] as const] };
    roles.set(role, next);
  }
  return roles;
}
