// The questions that `rowhouse dev` asks beside those of the server.

/** One row: name, whether it is a superuser, database. */
export const LOGIN_QUERY = `SELECT session_user, rolsuper, pg_catalog.current_database()
FROM pg_catalog.pg_roles WHERE rolname = session_user`;

/** One value that is the same as long as no transaction ends that has written anything: what is cheap to ask comes first. */
export const WRITES_QUERY = 'SELECT pg_catalog.pg_current_snapshot()::text';

/** The first number that PostgreSQL gives to an object which it did not bring along. */
const FIRST_OWN = 16_384;

/** What routes are made of, by catalog, and which of its rows are the user's. */
const SOURCES: readonly (readonly [catalog: string, own: string])[] = [
  ['pg_namespace', 'true'],
  ['pg_class', `oid >= ${FIRST_OWN} AND relpersistence <> 't'`],
  ['pg_attribute', `attrelid >= ${FIRST_OWN}`],
  ['pg_attrdef', 'true'],
  ['pg_constraint', `oid >= ${FIRST_OWN}`],
  ['pg_rewrite', `oid >= ${FIRST_OWN}`],
  ['pg_type', `oid >= ${FIRST_OWN}`],
  ['pg_enum', 'true'],
  ['pg_proc', `oid >= ${FIRST_OWN}`],
  ['pg_cast', `oid >= ${FIRST_OWN}`],
  ['pg_aggregate', `aggfnoid >= ${FIRST_OWN}`],
  ['pg_description', `objoid >= ${FIRST_OWN} OR classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass`],
];

/**
 * One value that differs after each change: every row of a catalog bears the number of the transaction that wrote it.
 * Temporary tables, which come and go with sessions, leave their columns and types behind in it for a moment; then the
 * schema is loaded once too often.
 */
export const SCHEMA_QUERY: string = `SELECT pg_catalog.string_agg(mark, ' ') FROM (\n${SOURCES.map(renderMark).join('\nUNION ALL\n')}\n) AS marks`;

function renderMark([catalog, own]: readonly [string, string]): string {
  return `SELECT pg_catalog.concat(pg_catalog.count(*), ':', pg_catalog.sum(xmin::text::bigint)) AS mark FROM pg_catalog.${catalog} WHERE ${own}`;
}
