// Checks two requirements of production: a statement timeout, and notifications of schema changes.
import { quoteIdentifier, quoteLiteral } from '../../../src/contract/identifiers.ts';
import type { Check } from './check.ts';

/** The server applies role settings to its requests; settings of the login role and the database always apply. */
export const TIMEOUTS: Check = {
  query: `
SELECT role.name
FROM role
WHERE (role.name <> session_user OR role.is_anonymous)
  AND (SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'statement_timeout') = '0'
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_db_role_setting AS stored
    CROSS JOIN LATERAL pg_catalog.unnest(stored.setconfig) AS entry
    WHERE stored.setrole = role.oid AND stored.setdatabase = 0 AND entry ^@ 'statement_timeout='
      AND entry <> 'statement_timeout=0'
  )
ORDER BY role.name`,
  read: (rows) =>
    rows.map(([name]) => ({
      severity: 'warning',
      code: 'role-without-statement-timeout',
      object: name ?? '',
      why: 'No timeout ends long statements of this role, and a few of them can occupy every connection.',
      mend: `ALTER ROLE ${quoteIdentifier(name ?? '')} SET statement_timeout = '5s';`,
    })),
};

export const RELOAD_TRIGGER: Check = {
  query: `
SELECT pg_catalog.count(*)
FROM stated
JOIN pg_catalog.pg_event_trigger AS trigger ON trigger.evtenabled IN ('O', 'A') AND trigger.evtevent = 'ddl_command_end'
JOIN pg_catalog.pg_proc AS proc ON proc.oid = trigger.evtfoid
WHERE proc.prosrc ~* 'notify' AND pg_catalog.strpos(proc.prosrc, stated.channel) > 0`,
  read: ([row], { dbChannel, dbChannelEnabled }) =>
    row?.[0] !== '0' || !dbChannelEnabled
      ? []
      : [
          {
            severity: 'info',
            code: 'no-reload-trigger',
            object: dbChannel,
            why: 'No event trigger notifies the server of schema changes, so each one needs a NOTIFY or a signal.',
            mend: renderReloadTrigger(dbChannel).join('\n'),
          },
        ],
};

/**
 * Renders the SQL that notifies the server of schema changes. Only superusers can create event triggers. Returns one
 * statement per element, which can be run again. The function is created in a separate schema that is not exposed.
 */
export function renderReloadTrigger(channel: string): readonly string[] {
  const body = `BEGIN PERFORM pg_catalog.pg_notify(${quoteLiteral(channel)}, 'reload schema'); END`;
  return [
    'CREATE SCHEMA IF NOT EXISTS rowhouse;',
    `CREATE OR REPLACE FUNCTION rowhouse.announce_change() RETURNS event_trigger LANGUAGE plpgsql AS ${quoteLiteral(body)};`,
    'DROP EVENT TRIGGER IF EXISTS rowhouse_change;',
    'DROP EVENT TRIGGER IF EXISTS rowhouse_drop;',
    'CREATE EVENT TRIGGER rowhouse_change ON ddl_command_end EXECUTE FUNCTION rowhouse.announce_change();',
    'CREATE EVENT TRIGGER rowhouse_drop ON sql_drop EXECUTE FUNCTION rowhouse.announce_change();',
  ];
}
