// The SQL that makes the database tell the server of schema changes. Only superusers may make event triggers.
import { quoteLiteral } from '../../contract/identifiers.ts';

/** One statement each; the function stands in a schema of its own, which is not served. */
export function renderReloadTrigger(channel: string): readonly string[] {
  const body = `BEGIN PERFORM pg_catalog.pg_notify(${quoteLiteral(channel)}, 'reload schema'); END`;
  return [
    'CREATE SCHEMA IF NOT EXISTS rowhouse;',
    `CREATE OR REPLACE FUNCTION rowhouse.announce_change() RETURNS event_trigger LANGUAGE plpgsql AS ${quoteLiteral(body)};`,
    'CREATE EVENT TRIGGER rowhouse_change ON ddl_command_end EXECUTE FUNCTION rowhouse.announce_change();',
    'CREATE EVENT TRIGGER rowhouse_drop ON sql_drop EXECUTE FUNCTION rowhouse.announce_change();',
  ];
}
