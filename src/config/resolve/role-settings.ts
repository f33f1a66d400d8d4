// Settings of the roles the server may impersonate (`operating.md` §4.5): builds the statement that reads them and
// decodes its rows. Each request applies those of its role.
import type { Dialect } from '../../contract/dialect.ts';
import { type IsolationLevel, readIsolationLevel, type Statement } from '../../contract/transaction.ts';
import { parseRateLimit, type RateLimit } from '../../contract/rate-limit.ts';
import { parseCost } from '../syntax/config-value.ts';
import type { TextRow } from './in-database.ts';

/** `none`: the role has no limit, whatever the configuration sets. */
export type RoleRateLimit = RateLimit | 'none';

export interface RoleSettings {
  /** From `default_transaction_isolation`, which BEGIN must specify; undefined if the role has none. */
  readonly isolation: IsolationLevel | undefined;
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Replaces `server-rate-limit`; absent if the role has none. */
  readonly rateLimit?: RoleRateLimit | undefined;
  /** Cost units of PostgreSQL's planner, 0 for any; absent if the option applies. */
  readonly maxCost?: number;
}

/** Keyed by role name. */
export type SettingsByRole = ReadonlyMap<string, RoleSettings>;

/** The first `server_version_num` with privileges on configuration parameters. */
const PARAMETER_PRIVILEGES_VERSION = 150_000;
const ISOLATION_SETTING = 'default_transaction_isolation';
/** The server's own settings have the dialect's prefix, which the rows omit. */
const MAX_COST = 'max_cost';
const RATE_LIMIT = 'rate_limit';

/**
 * Returns rows (role, setting, value) for the roles that the login role is a member of; a superuser may assume any role
 * without being a member. Includes only settings that the login role may set, since others would fail every request,
 * and the server's own settings of roles, which PostgreSQL does not know. Those are included for members of members, too,
 * so that no limit is missed; a setting for this database comes last and takes precedence.
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
  SELECT entries.rolname, pg_catalog.substr(entries.name, pg_catalog.length($1::text) + 1), entries.value, entries.scope
  FROM entries
  WHERE entries.name IN ($1::text || '${MAX_COST}', $1::text || '${RATE_LIMIT}')
    AND pg_catalog.pg_has_role(session_user, entries.oid, 'MEMBER')
    AND (entries.scope = 0 OR entries.scope = (
      SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()
    ))
)
SELECT rolname, name, value
FROM applied
ORDER BY rolname, name COLLATE "C", scope`;
  return { text, parameters: [settingsPrefix] };
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
  switch (name) {
    case MAX_COST: {
      const maxCost = parseCost(value);
      return maxCost === undefined ? known : { ...known, maxCost };
    }
    case RATE_LIMIT:
      return { ...known, rateLimit: readRateLimit(value) };
    case ISOLATION_SETTING:
      return { ...known, isolation: readIsolationLevel(value) };
    default:
      return { ...known, settings: [...known.settings, [name, value]] };
  }
}

function readRateLimit(value: string): RoleRateLimit | undefined {
  return value.trim() === 'none' ? 'none' : parseRateLimit(value);
}

/** Returns what is ignored among the settings of roles, in sentences without a full stop. */
export function findRoleMistakes(rows: readonly TextRow[], settingsPrefix: string): readonly string[] {
  return rows.flatMap(([role, name, value]) => {
    const expected = findExpected(name, value ?? '');
    if (expected === undefined) return [];
    return [`${settingsPrefix}${name} of the role ${role}, which must be ${expected}, not ${JSON.stringify(value)}`];
  });
}

/** @returns undefined if the value is valid, or the setting is not one of the server's own */
function findExpected(name: string | null | undefined, value: string): string | undefined {
  if (name === RATE_LIMIT && readRateLimit(value) === undefined) return 'none or a rate such as 50/s';
  return name === MAX_COST && parseCost(value) === undefined ? 'a number that is not negative' : undefined;
}
