// Checks two requirements of production: a statement timeout, and notifications of schema changes.
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Check } from './check.ts';
import { renderReloadTrigger } from './reload-trigger.ts';

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
