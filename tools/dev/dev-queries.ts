// Queries that `rowhouse dev` sends in addition to those of the server.

/** Returns one row: role name, whether it is a superuser, database name. */
export const LOGIN_QUERY = `SELECT session_user, rolsuper, pg_catalog.current_database()
FROM pg_catalog.pg_roles WHERE rolname = session_user`;

/** Returns a value that changes whenever a writing transaction ends. It is cheap, so it is checked first. */
export const WRITES_QUERY = 'SELECT pg_catalog.pg_current_snapshot()::text';

/** The first OID of objects that users create (`FirstNormalObjectId`). */
const FIRST_USER_OID = 16_384;

/** The catalogs that affect routes, each with the condition that selects the user's rows. */
const SOURCES: readonly (readonly [catalog: string, own: string])[] = [
  ['pg_namespace', 'true'],
  ['pg_class', `oid >= ${FIRST_USER_OID} AND relpersistence <> 't'`],
  ['pg_attribute', `attrelid >= ${FIRST_USER_OID}`],
  ['pg_attrdef', 'true'],
  ['pg_constraint', `oid >= ${FIRST_USER_OID}`],
  ['pg_rewrite', `oid >= ${FIRST_USER_OID}`],
  ['pg_type', `oid >= ${FIRST_USER_OID}`],
  ['pg_enum', 'true'],
  ['pg_proc', `oid >= ${FIRST_USER_OID}`],
  ['pg_cast', `oid >= ${FIRST_USER_OID}`],
  ['pg_aggregate', `aggfnoid >= ${FIRST_USER_OID}`],
  ['pg_description', `objoid >= ${FIRST_USER_OID} OR classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass`],
];

/**
 * Returns a value that differs after each change, because `xmin` of a catalog row is the transaction that wrote it.
 * Columns and types of temporary tables are included, so a session that creates one may cause a superfluous reload.
 */
export const SCHEMA_QUERY: string = `SELECT pg_catalog.string_agg(mark, ' ') FROM (\n${SOURCES.map(renderMark).join('\nUNION ALL\n')}\n) AS marks`;

function renderMark([catalog, own]: readonly [string, string]): string {
  return `SELECT pg_catalog.concat(pg_catalog.count(*), ':', pg_catalog.sum(xmin::text::bigint)) AS mark FROM pg_catalog.${catalog} WHERE ${own}`;
}
