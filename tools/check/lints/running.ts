// What `rowhouse doctor` checks besides: the roles that a server runs as, and what it needs to run.
import { HAS_IDENTITY_SQL } from '../../../src/extensions/live/publication.ts';
import { renderReloadTrigger } from '../../support/reload-trigger.ts';
import { type Lint, textOf } from './lint.ts';

/** Why fixes of login roles are not applied by a migration. */
const TAKES_RIGHTS = 'an operator or another program may log in as this role, and would lose rights.';

const SUPERUSER: Pick<Lint, 'level' | 'fix' | 'caution'> = {
  level: 'error',
  fix: 'ALTER ROLE {quoted} NOSUPERUSER;\n-- To keep it a superuser: CREATE ROLE another LOGIN NOINHERIT, and use that role in db-uri.',
  caution: TAKES_RIGHTS,
};

export const RUNNING_LINTS: readonly Lint[] = [
  {
    ...SUPERUSER,
    name: 'login-superuser',
    query: `
SELECT name AS object, quoted FROM known WHERE rolsuper AND is_login`,
    message: 'Privileges and policies do not restrict superusers, and the server logs in as this role.',
  },
  {
    ...SUPERUSER,
    name: 'role-superuser',
    query: `
SELECT name AS object, quoted FROM known WHERE rolsuper AND NOT is_login`,
    message: 'Privileges and policies do not restrict superusers, and a token may name this role.',
  },
  {
    name: 'login-bypasses-row-security',
    level: 'error',
    query: `
SELECT name AS object, quoted FROM role WHERE rolbypassrls AND is_login`,
    message: 'Policies do not apply to the role that the server logs in as, and a token may name that role.',
    fix: 'ALTER ROLE {quoted} NOBYPASSRLS;',
    caution: TAKES_RIGHTS,
  },
  {
    // Since PostgreSQL 16, each membership specifies whether its privileges are inherited.
    name: 'login-inherits',
    level: 'warning',
    query: `
SELECT login.name AS object, login.quoted,
  pg_catalog.string_agg(granted.rolname, ', ' ORDER BY granted.rolname) AS roles,
  coalesce(pg_catalog.string_agg(
    pg_catalog.format(E'\\nGRANT %I TO %s WITH INHERIT FALSE;', granted.rolname, login.quoted), '' ORDER BY granted.rolname)
    FILTER (WHERE option.inherits IS NOT NULL), '') AS grants
FROM role AS login
JOIN pg_catalog.pg_auth_members AS membership ON membership.member = login.oid
CROSS JOIN LATERAL (
  SELECT (pg_catalog.to_jsonb(membership) ->> 'inherit_option')::boolean AS inherits) AS option
JOIN pg_catalog.pg_roles AS granted ON granted.oid = membership.roleid
WHERE login.is_login AND coalesce(option.inherits, login.rolinherit)
GROUP BY 1, 2`,
    message: 'The login role has the privileges of {roles} without switching to them.',
    fix: 'ALTER ROLE {quoted} NOINHERIT;{grants}',
    caution: TAKES_RIGHTS,
  },
  {
    name: 'role-without-access',
    level: 'warning',
    query: `
SELECT requester.name AS object, requester.quoted, (
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(name), ', ' ORDER BY name) FROM exposed) AS schemas
FROM requester
WHERE (EXISTS (SELECT FROM relation) OR EXISTS (SELECT FROM routine WHERE is_exposed AND kind = 'f'))
  AND requester.oid NOT IN (
    SELECT role_oid FROM may WHERE use UNION SELECT role_oid FROM may_call WHERE is_exposed AND kind = 'f')`,
    message: 'The role can read, write and call nothing, so each of its requests fails.',
    fix: 'GRANT USAGE ON SCHEMA {schemas} TO {quoted};\nGRANT SELECT ON ALL TABLES IN SCHEMA {schemas} TO {quoted};\n-- Or grant it only some of the tables and functions.',
    caution: 'it lets the role read every table, also those that are private.',
  },
  {
    // Superusers need no grants.
    name: 'table-without-grants',
    level: 'warning',
    query: `
SELECT relation.object, granter.quoted, CASE WHEN pg_catalog.has_schema_privilege(granter.oid, relation.schema, 'USAGE')
  THEN '' ELSE pg_catalog.format(E'GRANT USAGE ON SCHEMA %I TO %s;\\n', relation.schema_name, granter.quoted) END AS usage
FROM relation
CROSS JOIN (SELECT oid, quoted FROM requester ORDER BY is_anonymous DESC, name LIMIT 1) AS granter
WHERE NOT relation.relispartition
  AND relation.oid NOT IN (SELECT may.oid FROM may JOIN requester ON requester.oid = may.role_oid WHERE may.use)
  AND NOT EXISTS (SELECT FROM known WHERE rolsuper AND (is_anonymous OR NOT is_login))`,
    message: 'No role of the API can read or write it.',
    fix: '{usage}GRANT SELECT ON {object} TO {quoted};\n-- Keep tables that clients should not query in a schema that db-schemas does not list.',
    caution: 'it opens the table to clients, which may not be intended.',
  },
  {
    // `rls-off` reports those that a role can write.
    name: 'table-without-row-security',
    level: 'note',
    query: `
SELECT relation.object, pg_catalog.string_agg(may.role, ', ' ORDER BY may.role) FILTER (WHERE may.read) AS readers
FROM relation JOIN may ON may.oid = relation.oid AND may.use
WHERE relation.kind IN ('r', 'p') AND NOT relation.relrowsecurity
GROUP BY 1
HAVING NOT pg_catalog.bool_or(may.write)`,
    message: 'The table has no row-level security, so {readers} can read every row.',
    fix: 'ALTER TABLE {object} ENABLE ROW LEVEL SECURITY;\n-- Then CREATE POLICY for the rows that each role may see and write; without a policy it sees none.',
  },
  {
    // An index of a Boolean column saves nothing.
    name: 'policy-column-without-index',
    level: 'warning',
    query: `
SELECT pg_catalog.format('%s (%I)', policy.object, attribute.attname) AS object, policy.object AS table,
  pg_catalog.quote_ident(attribute.attname) AS column,
  pg_catalog.string_agg(DISTINCT policy.policy, ', ') AS policies
FROM policy
JOIN pg_catalog.pg_depend AS depend
  ON depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND depend.objid = policy.oid
  AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid = policy.relation
JOIN pg_catalog.pg_attribute AS attribute
  ON attribute.attrelid = policy.relation AND attribute.attnum = depend.refobjsubid AND attribute.attnum > 0
WHERE policy.qual IS NOT NULL AND attribute.atttypid <> 'boolean'::pg_catalog.regtype AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_index AS index
  WHERE index.indrelid = policy.relation AND index.indisvalid AND index.indpred IS NULL
    AND index.indkey[0] = attribute.attnum
)
GROUP BY 1, 2, 3`,
    message: 'The policies {policies} test the column in every request, which scans the whole table.',
    fix: 'CREATE INDEX ON {table} ({column});',
  },
  {
    // The server applies settings of roles to its requests; settings of the login role and the database always apply.
    name: 'role-without-statement-timeout',
    level: 'warning',
    query: `
SELECT name AS object, quoted
FROM requester
WHERE (SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'statement_timeout') = '0'
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_db_role_setting AS stored
    CROSS JOIN LATERAL pg_catalog.unnest(stored.setconfig) AS entry
    WHERE stored.setrole = requester.oid AND stored.setdatabase = 0 AND entry ^@ 'statement_timeout='
      AND entry <> 'statement_timeout=0'
  )`,
    message: 'No timeout ends long statements of this role, and a few of them can occupy every connection.',
    fix: `ALTER ROLE {quoted} SET statement_timeout = '5s';`,
  },
  {
    name: 'live-wal-level',
    level: 'error',
    query: `
SELECT 'wal_level' AS object FROM stated
WHERE publication IS NOT NULL AND pg_catalog.current_setting('wal_level') <> 'logical'`,
    message: 'The log does not contain changes of rows, so no read can be watched. PostgreSQL must be restarted.',
    fix: 'ALTER SYSTEM SET wal_level = logical;',
  },
  {
    name: 'live-publication-missing',
    level: 'error',
    query: `
SELECT publication AS object, pg_catalog.quote_ident(publication) AS quoted FROM stated
WHERE publication IS NOT NULL AND publication NOT IN (SELECT pubname FROM pg_catalog.pg_publication)`,
    message:
      'The publication of live-publication does not exist, so no read can be watched. `rowhouse init --live` creates it with the tables of the API.',
    fix: 'CREATE PUBLICATION {quoted};',
  },
  {
    name: 'live-publication-root',
    level: 'error',
    query: `
SELECT publication AS object, pg_catalog.quote_ident(publication) AS quoted
FROM stated JOIN pg_catalog.pg_publication ON pubname = publication AND pubviaroot`,
    message: 'The publication reports partitions as their root, so no read can be watched.',
    fix: 'ALTER PUBLICATION {quoted} SET (publish_via_partition_root = false);',
  },
  {
    name: 'live-without-replication',
    level: 'error',
    query: `
SELECT known.name AS object, known.quoted
FROM known JOIN stated ON stated.publication IS NOT NULL AND stated.replicates
WHERE known.is_login AND NOT known.rolreplication AND NOT known.rolsuper`,
    message: 'The login role may not replicate and live-db-uri names no other, so no read can be watched.',
    fix: 'ALTER ROLE {quoted} REPLICATION;',
    caution: 'the role could then read every change of the database.',
  },
  {
    name: 'live-table-without-identity',
    level: 'error',
    query: `
SELECT DISTINCT pg_catalog.format('%I.%I', listed.schemaname, listed.tablename) AS object
FROM stated
JOIN pg_catalog.pg_publication_tables AS listed ON listed.pubname = stated.publication
JOIN pg_catalog.pg_publication AS publication ON publication.pubname = listed.pubname
  AND (publication.pubupdate OR publication.pubdelete)
JOIN pg_catalog.pg_namespace AS namespace ON namespace.nspname = listed.schemaname
JOIN pg_catalog.pg_class AS leaf ON leaf.relnamespace = namespace.oid AND leaf.relname = listed.tablename
WHERE NOT ${HAS_IDENTITY_SQL}`,
    message: 'UPDATE and DELETE of this table fail, because it is published and has no replica identity.',
    fix: 'ALTER TABLE {object} REPLICA IDENTITY FULL;',
  },
  {
    name: 'no-reload-trigger',
    level: 'note',
    query: `
SELECT channel AS object FROM stated
WHERE channel IS NOT NULL AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_event_trigger AS trigger
  JOIN pg_catalog.pg_proc AS proc ON proc.oid = trigger.evtfoid
  WHERE trigger.evtenabled IN ('O', 'A') AND trigger.evtevent = 'ddl_command_end'
    AND proc.prosrc ~* 'notify' AND pg_catalog.strpos(proc.prosrc, stated.channel) > 0
)`,
    decide: (row) => ({ ...row, trigger: renderReloadTrigger(textOf(row, 'object')).join('\n') }),
    message: 'No event trigger notifies the server of schema changes, so each one needs a NOTIFY or a signal.',
    fix: '{trigger}',
  },
];
