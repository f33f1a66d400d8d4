// The SQL that notifies the server of schema changes.
import { quoteLiteral } from '../../src/contract/identifiers.ts';

/**
 * Only superusers can create event triggers. Returns one statement per element, which can be run again. The function is
 * created in a separate schema that is not exposed.
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
