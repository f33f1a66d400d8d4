// Settings of the roles the server may impersonate (`operating.md` §4.5): builds the statement that reads them and
// decodes its rows. Each request applies those of its role.
import type { Dialect } from '../../contract/dialect.ts';
import { type IsolationLevel, readIsolationLevel, type Statement } from '../../contract/transaction.ts';
import { parseCost } from '../syntax/config-value.ts';
import type { TextRow } from './in-database.ts';

export interface RoleSettings {
  /** From `default_transaction_isolation`, which BEGIN must specify; undefined if the role has none. */
  readonly isolation: IsolationLevel | undefined;
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Cost units of PostgreSQL's planner, 0 for any; absent if the option applies. */
  readonly maxCost?: number;
}

/** Keyed by role name. */
export type SettingsByRole = ReadonlyMap<string, RoleSettings>;

/** The first `server_version_num` with privileges on configuration parameters. */
const PARAMETER_PRIVILEGES_VERSION = 150_000;
const ISOLATION_SETTING = 'default_transaction_isolation';
/** The name of the budget in the rows, whatever the dialect. */
const MAX_COST = 'max_cost';

/**
 * Returns rows (role, setting, value) for the roles that the login role is a member of; a superuser may assume any role
 * without being a member. Includes only settings that the login role may set, since others would fail every request.
 * Budgets, which PostgreSQL does not know, are included for roles that are members of members, too, so that none is
 * missed; one for this database comes last and takes precedence.
 */
export function buildRoleSettingsQuery(serverVersion: number, { settingsPrefix }: Dialect): Statement {
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
  SELECT role.oid, role.rolname, entry, pg_catalog.lower(pg_catalog.split_part(entry, '=', 1)) AS name,
    pg_catalog.substr(entry, pg_catalog.strpos(entry, '=') + 1) AS value, stored.setdatabase AS scope
  FROM pg_catalog.pg_roles AS role
  JOIN pg_catalog.pg_db_role_setting AS stored ON stored.setrole = role.oid
  CROSS JOIN LATERAL pg_catalog.unnest(stored.setconfig) AS entry
), applied AS (
  SELECT entries.rolname, known.name, entries.value, entries.scope
  FROM entries
  JOIN pg_catalog.pg_settings AS known ON pg_catalog.lower(known.name) = entries.name
  WHERE entries.scope = 0 AND entries.oid IN (SELECT roleid FROM granted) AND (known.context = 'user' OR ${isGranted})
  UNION ALL
  SELECT entries.rolname, '${MAX_COST}', entries.value, entries.scope
  FROM entries
  WHERE entries.name = $1::text AND pg_catalog.pg_has_role(session_user, entries.oid, 'MEMBER') AND entries.scope IN (
    SELECT 0 UNION ALL SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()
  )
)
SELECT rolname, name, value
FROM applied
ORDER BY rolname, name COLLATE "C", scope`;
  return { text, parameters: [`${settingsPrefix}${MAX_COST}`] };
}

export function decodeRoleSettings(rows: readonly TextRow[]): SettingsByRole {
  const roles = new Map<string, RoleSettings>();
  for (const [role, name, value] of rows) {
    if (typeof role !== 'string' || typeof name !== 'string' || typeof value !== 'string') continue;
    const known = roles.get(role) ?? { isolation: undefined, settings: [] };
    roles.set(role, addSetting(known, name, value));
  }
  return roles;
}

function addSetting(known: RoleSettings, name: string, value: string): RoleSettings {
  if (name === ISOLATION_SETTING) return { ...known, isolation: readIsolationLevel(value) };
  if (name !== MAX_COST) return { ...known, settings: [...known.settings, [name, value]] };
  const maxCost = parseCost(value);
  return maxCost === undefined ? known : { ...known, maxCost };
}
