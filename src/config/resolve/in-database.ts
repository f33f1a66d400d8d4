// In-database configuration (`operating.md` §1.7): builds the statements that read it, run as the login role, and
// decodes their rows. The settings of the login role take precedence over those set by its pre-config function.
import type { Dialect } from '../../contract/dialect.ts';
import type { Statement } from '../../contract/transaction.ts';
import type { FunctionReference } from '../table/app-config.ts';
import type { InDatabaseSetting, InDatabaseSettings } from './config-sources.ts';
import { quoteFunctionReference } from '../table/option-types.ts';
import { inDatabaseName } from '../table/option.ts';
import { OPTIONS, PUBLIC_OPTION_KEYS } from '../table/options.ts';

/** A row of a query in text form. */
export type TextRow = readonly (string | null)[];

export interface InDatabaseQueries {
  /** Rows (name, value) from `ALTER ROLE`; a later row of the same name wins. */
  readonly role: Statement;
  /**
   * Must run in this order in one READ ONLY transaction. The last one returns rows (name, value) that the pre-config
   * function has set. Empty if there is no such function.
   */
  readonly preConfig: readonly Statement[];
}

const NAMES: readonly string[] = PUBLIC_OPTION_KEYS.filter((key) => OPTIONS[key].isInDatabase).map((key) =>
  inDatabaseName(OPTIONS[key].name),
);

// The entry for all databases (0) precedes the one for this database, so the latter wins.
const ROLE_QUERY = `SELECT pg_catalog.substr(pg_catalog.lower(pg_catalog.split_part(entry, '=', 1)), pg_catalog.length($1::text) + 1),
  pg_catalog.substr(entry, pg_catalog.strpos(entry, '=') + 1)
FROM pg_catalog.pg_db_role_setting AS stored
CROSS JOIN LATERAL pg_catalog.unnest(stored.setconfig) AS entry
WHERE stored.setrole = (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = session_user)
  AND stored.setdatabase IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()))
  AND pg_catalog.lower(pg_catalog.split_part(entry, '=', 1)) IN (SELECT $1::text || name FROM pg_catalog.unnest($2::text[]) AS name)
ORDER BY stored.setdatabase`;

// Clears the settings first, so that only the function's own values remain: a session also shows those of role and
// database.
const EMPTY_SETTINGS = `SELECT pg_catalog.count(pg_catalog.set_config($1::text || name, '', true))
FROM pg_catalog.unnest($2::text[]) AS name`;

const READ_SETTINGS = `SELECT name, pg_catalog.current_setting($1::text || name, true)
FROM pg_catalog.unnest($2::text[]) AS name`;

export function buildInDatabaseQueries(
  preConfig: FunctionReference | undefined,
  { settingsPrefix }: Dialect,
): InDatabaseQueries {
  const parameters = [settingsPrefix, `{${NAMES.join(',')}}`];
  const role: Statement = { text: ROLE_QUERY, parameters };
  if (preConfig === undefined) return { role, preConfig: [] };
  const call: Statement = { text: `SELECT ${quoteFunctionReference(preConfig)}()`, parameters: [] };
  return {
    role,
    preConfig: [{ text: EMPTY_SETTINGS, parameters }, call, { text: READ_SETTINGS, parameters }],
  };
}

export function decodeInDatabaseSettings(
  roleRows: readonly TextRow[],
  functionRows: readonly TextRow[],
): InDatabaseSettings {
  const settings = new Map<string, InDatabaseSetting>();
  const add = (rows: readonly TextRow[], source: InDatabaseSetting['source']): void => {
    for (const [name, value] of rows) {
      if (typeof name === 'string' && typeof value === 'string') settings.set(name, { value, source });
    }
  };
  add(functionRows, 'function');
  add(roleRows, 'role');
  return settings;
}
