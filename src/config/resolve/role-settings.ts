// Settings of the roles the server may impersonate (`operating.md` §4.5): builds the statement that reads them and
// decodes its rows. Each request applies those of its role.
import { type IsolationLevel, readIsolationLevel, type Statement } from '../../contract/transaction.ts';
import { parseRateLimit, type RateLimit } from '../../contract/rate-limit.ts';
import type { TextRow } from './in-database.ts';

/** `none`: the role has no limit, whatever the configuration sets. */
export type RoleRateLimit = RateLimit | 'none';

export interface RoleSettings {
  /** From `default_transaction_isolation`, which BEGIN must specify; undefined if the role has none. */
  readonly isolation: IsolationLevel | undefined;
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Replaces `server-rate-limit`; absent if the role has none. */
  readonly rateLimit?: RoleRateLimit | undefined;
}

/** Keyed by role name. */
export type SettingsByRole = ReadonlyMap<string, RoleSettings>;

/** The first `server_version_num` with privileges on configuration parameters. */
const PARAMETER_PRIVILEGES_VERSION = 150_000;
const RATE_SETTING = 'rate_limit';
const ISOLATION_SETTING = 'default_transaction_isolation';

/**
 * Returns rows (role, setting, value) for the roles that the login role is a member of; a superuser may assume any role
 * without being a member. Includes only settings that the login role may set, since others would fail every request, and
 * the server's own settings of roles.
 */
export function buildRoleSettingsQuery(serverVersion: number, settingsPrefix: string): Statement {
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
SELECT entries.rolname, coalesce(known.name, $1::text), pg_catalog.substr(entry, pg_catalog.strpos(entry, '=') + 1)
FROM entries
LEFT JOIN pg_catalog.pg_settings AS known
  ON pg_catalog.lower(known.name) = pg_catalog.lower(pg_catalog.split_part(entry, '=', 1))
WHERE known.context = 'user' OR ${isGranted} OR pg_catalog.lower(pg_catalog.split_part(entry, '=', 1)) = $1::text
ORDER BY entries.rolname, coalesce(known.name, '') COLLATE "C"`;
  return { text, parameters: [settingsPrefix + RATE_SETTING] };
}

export function decodeRoleSettings(rows: readonly TextRow[], settingsPrefix: string): SettingsByRole {
  const roles = new Map<string, RoleSettings>();
  for (const [role, name, value] of rows) {
    if (typeof role !== 'string' || typeof name !== 'string' || typeof value !== 'string') continue;
    const known = roles.get(role) ?? { isolation: undefined, settings: [] };
    roles.set(role, addSetting(known, { name, value, settingsPrefix }));
  }
  return roles;
}

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly settingsPrefix: string;
}

function addSetting(known: RoleSettings, { name, value, settingsPrefix }: Setting): RoleSettings {
  if (name === settingsPrefix + RATE_SETTING) return { ...known, rateLimit: readRateLimit(value) };
  if (name === ISOLATION_SETTING) return { ...known, isolation: readIsolationLevel(value) };
  return { ...known, settings: [...known.settings, [name, value] as const] };
}

function readRateLimit(value: string): RoleRateLimit | undefined {
  return value.trim() === 'none' ? 'none' : parseRateLimit(value);
}

/** Returns what is ignored among the settings of roles, in sentences without a full stop. */
export function findRoleMistakes(rows: readonly TextRow[], settingsPrefix: string): readonly string[] {
  return rows.flatMap(([role, name, value]) => {
    if (name !== settingsPrefix + RATE_SETTING || readRateLimit(value ?? '') !== undefined) return [];
    return [`${name} of the role ${role}, which must be none or a rate such as 50/s, not ${JSON.stringify(value)}`];
  });
}
